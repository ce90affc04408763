import { type Settings, session } from '@ams/contract';
import { callsOf } from '../platform/api.ts';
import { useCalled } from '../platform/call.ts';

export const calls = callsOf(session);

type Answer = ReturnType<typeof calls.settings>;
let asked: Answer | undefined;

/** The settings are asked for once, and again only when that failed. */
function settings(): Answer {
  asked ??= calls.settings().then((answer) => {
    if (answer.error !== undefined) asked = undefined;
    return answer;
  });
  return asked;
}

/** Limits and switches of the installation; undefined until they are known. */
export function useSettings(): Settings | undefined {
  const called = useCalled('settings', settings);
  return called.state === 'done' ? called.data : undefined;
}
