import { ENROL_BACKOFF, backoffMs } from './backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { EnrolReply, EnrolRequest, PlayerApi } from './ports.ts';

const ENROL_MS = 2000;

/** Content of the pairing page. `problem`: the server's reason for refusing this device. */
export interface Enrolling {
  pairing: { code: string; qr: string } | undefined;
  reachable: boolean;
  problem: string | undefined;
}

interface EnrolPorts {
  api: Pick<PlayerApi, 'enrol'>;
  clock: Clock;
  log: Log;
}

/** Whether the server answers that it does not want these facts, so that it need not be asked again. */
export const isRefusal = (reply: EnrolReply): boolean =>
  reply.kind === 'failed' && reply.code >= 400 && reply.code < 500 && reply.code !== 429;

function shown(reply: Exclude<EnrolReply, { kind: 'paired' }>, before: Enrolling): Enrolling {
  if (reply.kind === 'pairing') return { pairing: reply, reachable: true, problem: undefined };
  const refused = isRefusal(reply);
  return { pairing: before.pairing, reachable: refused, problem: refused ? reply.message : undefined };
}

/** Asks to be paired until somebody does it (`true`) or the signal aborts (`false`). */
export async function enrol(
  request: EnrolRequest,
  { api, clock, log }: EnrolPorts,
  onChange: (enrolling: Enrolling) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let state: Enrolling = { pairing: undefined, reachable: true, problem: undefined };
  let failures = 0;
  let validUntil = 0;
  while (!signal.aborted) {
    const reply = await api.enrol(request);
    if (reply.kind === 'paired') return true;
    if (reply.kind === 'pairing') validUntil = clock.now() + reply.expiresIn * 1000;
    else log('warn', `enrol: ${reply.message}`);
    state = shown(reply, state);
    // A code that has run out would only be refused.
    if (clock.now() >= validUntil) state = { ...state, pairing: undefined };
    onChange(state);
    failures = reply.kind === 'failed' ? failures + 1 : 0;
    const asked = reply.kind === 'failed' ? reply.retryAfterMs : undefined;
    await clock.sleep(
      asked ?? (failures === 0 ? ENROL_MS : backoffMs(ENROL_BACKOFF, failures - 1, clock.random)),
      signal,
    );
  }
  return false;
}
