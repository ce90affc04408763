import { CALL_BACKOFF, backoffMs } from './backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { PlayStore } from '../store/ports.ts';
import type { PlayerApi } from './ports.ts';
import { makeWaker } from '../platform/waker.ts';

const PLAYS_FLUSH_MS = 20_000;
const BATCH_PLAYS = 500;

interface PlaysPorts {
  api: Pick<PlayerApi, 'plays'>;
  plays: Pick<PlayStore, 'take' | 'confirm'>;
  clock: Clock;
  log: Log;
}

/** A random UUID (RFC 9562 version 4); unlike `crypto.randomUUID` also in an insecure context. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export type Sent = 'sent' | 'nothing' | 'failed';

/**
 * Sends one batch of the play log. A batch keeps its name and content until the server has answered,
 * so that a lost answer, a restart or a power cut never makes a play count twice or not at all.
 */
export async function sendPlays({ api, plays, log }: Omit<PlaysPorts, 'clock'>): Promise<Sent> {
  const batch = await plays.take(randomUuid(), BATCH_PLAYS);
  if (!batch) return 'nothing';
  const reply = await api.plays(batch);
  if (reply.kind === 'unpaired' || reply.kind === 'failed') return 'failed';
  // The server would refuse this content every time.
  if (reply.kind === 'refused') log('error', `plays: ${batch.plays.length} refused with ${reply.code}`);
  if (reply.kind === 'accepted' && reply.rejected) log('warn', `plays rejected: ${reply.rejected}`);
  await plays.confirm(batch.batch);
  return 'sent';
}

/** Sends the play log as it fills, until the signal aborts. */
export function makePlaySender(ports: PlaysPorts, flushMs = PLAYS_FLUSH_MS) {
  const waker = makeWaker(ports.clock);
  let failures = 0;
  return {
    /** The server can be reached: what could not be sent is sent at once, the rest when it is time. */
    wake: () => void (failures > 0 && waker.wake()),
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        const sent = await sendPlays(ports).catch((error: unknown): Sent => {
          ports.log('error', `play log: ${String(error)}`);
          return 'failed';
        });
        if (sent === 'sent') continue;
        failures = sent === 'failed' ? failures + 1 : 0;
        const waitMs = sent === 'failed' ? backoffMs(CALL_BACKOFF, failures, ports.clock.random) : flushMs;
        await waker.sleep(waitMs, signal);
      }
    },
  };
}
