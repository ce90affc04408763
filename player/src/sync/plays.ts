import { CALL_BACKOFF, backoffMs } from './backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { PlayBatch, PlayStore } from '../store/ports.ts';
import type { PlayerApi } from './ports.ts';
import type { PlaySigner } from './signing.ts';
import { makeWaker } from '../platform/waker.ts';

const PLAYS_FLUSH_MS = 20_000;
const BATCH_PLAYS = 500;
const LOOK_MS = 1000;

/** How a device signs its plays. */
interface Signing {
  signer: PlaySigner;
  /** The id of the device; undefined before its first manifest. */
  device(): Promise<string | undefined>;
  /** Registers its key with the server. */
  register(): Promise<unknown>;
}

interface PlaysPorts {
  api: Pick<PlayerApi, 'plays'>;
  plays: Pick<PlayStore, 'take' | 'confirm' | 'chainEnd' | 'rewrite'>;
  clock: Clock;
  log: Log;
  /** Left out where nothing can be signed: plays are then reported unsigned. */
  signing?: Signing | undefined;
}

type SendPorts = Omit<PlaysPorts, 'clock'>;

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
export async function sendPlays(ports: SendPorts): Promise<Sent> {
  const { api, plays, log } = ports;
  const taken = await plays.take(randomUuid(), BATCH_PLAYS);
  if (!taken) return 'nothing';
  const batch = await signedOnce(taken, ports);
  let reply = await api.plays(batch);
  if (reply.kind === 'unverified') {
    // The server may have missed the key.
    await ports.signing?.register();
    reply = await api.plays(batch);
  }
  if (reply.kind === 'unverified') {
    log('error', 'plays: the server refuses the signature; they are sent unsigned');
    await plays.rewrite({ batch: batch.batch, plays: batch.plays, signature: null });
    return 'failed';
  }
  if (reply.kind === 'unpaired' || reply.kind === 'failed') return 'failed';
  // The server would refuse this content every time.
  if (reply.kind === 'refused') log('error', `plays: ${batch.plays.length} refused with ${reply.code}`);
  if (reply.kind === 'accepted' && reply.rejected) log('warn', `plays rejected: ${reply.rejected}`);
  await plays.confirm(batch.batch);
  return 'sent';
}

/** The batch with its signature, which it keeps however often it is sent. */
async function signedOnce(batch: PlayBatch, { plays, signing }: SendPorts): Promise<PlayBatch> {
  const device = batch.signature === undefined ? await signing?.device() : undefined;
  if (!signing || device === undefined) return batch;
  const signed = await signing.signer.sign(batch, device, await plays.chainEnd());
  await plays.rewrite(signed.batch, signed.end);
  return signed.batch;
}

/** Sends the play log as it fills, until the signal aborts. */
export function makePlaySender(ports: PlaysPorts, flushMs = PLAYS_FLUSH_MS) {
  const waker = makeWaker(ports.clock);
  let failures = 0;
  return {
    /** The server can be reached: what could not be sent is sent at once, the rest when it is time. */
    wake: () => void (failures > 0 && waker.wake()),
    async run(signal: AbortSignal): Promise<void> {
      const { clock } = ports;
      // A batch keeps its content, while plays that were stored at a wrong time are mended with the clock.
      while (!clock.isRight() && !signal.aborted) await clock.sleep(LOOK_MS, signal);
      while (!signal.aborted) {
        const sent = await sendPlays(ports).catch((error: unknown): Sent => {
          ports.log('error', `play log: ${String(error)}`);
          return 'failed';
        });
        if (sent === 'sent') continue;
        failures = sent === 'failed' ? failures + 1 : 0;
        const waitMs = sent === 'failed' ? backoffMs(CALL_BACKOFF, failures, clock.random) : flushMs;
        await waker.sleep(waitMs, signal);
      }
    },
  };
}
