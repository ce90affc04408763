import { type Settings, session } from '@ams/contract';
import { useEffect, useState } from 'react';
import { callsOf } from '../platform/api.ts';
import { useCalled } from '../platform/call.ts';

export const calls = callsOf(session);
const quiet = callsOf(session, { quiet: true });

type Answer = ReturnType<typeof calls.settings>;
let asked: Answer | undefined;

/** The settings are asked for once, and again only when that failed. */
function settings(ask: () => Answer): Answer {
  asked ??= ask().then((answer) => {
    if (answer.error !== undefined) asked = undefined;
    return answer;
  });
  return asked;
}

const RETRY_MS = 3000;

/**
 * Limits and switches of the installation; undefined until they are known. Nobody can sign in before, so they are asked for
 * until the server answers; only the first failure is shown.
 */
export function useSettings(): Settings | undefined {
  const [tries, setTries] = useState(0);
  const called = useCalled(`settings ${tries}`, () => settings(tries === 0 ? calls.settings : quiet.settings));
  const { state } = called;
  useEffect(() => {
    if (state !== 'failed') return undefined;
    const timer = setTimeout(() => setTries(tries + 1), RETRY_MS);
    return () => clearTimeout(timer);
  }, [state, tries]);
  return called.state === 'done' ? called.data : undefined;
}
