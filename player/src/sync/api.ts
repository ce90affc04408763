import {
  type Call,
  type Envelope,
  Manifest,
  type PlaysTaken,
  fillUrl,
  isEnvelope,
  makeClient,
  player,
} from '@ams/contract';
import { retryAfterMs } from './download.ts';
import type { Clock } from '../platform/clock.ts';
import { knownZone } from '../platform/zone.ts';
import type { ManifestReply, PlayerApi, SendReply } from './ports.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ApiOptions {
  /** `https://ads.example.com` */
  origin: string;
  secret: string;
  fetch: Fetch;
  clock: Pick<Clock, 'correct'>;
  /** The server answers what this player cannot read: it is of another version. */
  onUnreadable?: () => void;
}

const TIMEOUT_MS = 10_000;
/** A manifest of hundreds of files, on a slow line that downloads share. */
const MANIFEST_MS = 60_000;
/** A body has the time that it takes at this rate in addition: a mobile line whose volume is used up carries 32 kbit/s. */
const SLOWEST_BYTES_A_MS = 4;
/** A `Date` header has whole seconds; a smaller difference means nothing. */
const DATE_HEADER_MS = 2000;

const sendReply = (reply: Envelope<unknown>): SendReply => {
  if (reply.code === 200) return { kind: 'accepted' };
  if (reply.code === 401) return { kind: 'unpaired' };
  if (reply.error === 'BAD_PLAY_SIGNATURE') return { kind: 'unverified' };
  return [400, 413, 415, 422].includes(reply.code) ? { kind: 'refused', code: reply.code } : { kind: 'failed' };
};

/** How many plays of a report were rejected, by reason; undefined when none was. */
function rejectedIn({ reasons = [] }: PlaysTaken): string | undefined {
  const counts = new Map<string, number>();
  for (const { reason } of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts.size > 0 ? [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ') : undefined;
}

/** Sends calls with the device's secret. A reply that is not the server's has the error `NETWORK`. */
function makeSender({ origin, secret, fetch }: ApiOptions) {
  let askedMs: number | undefined;

  async function send(
    method: string,
    url: string,
    content?: { type: string; body: string | Blob },
  ): Promise<Envelope<unknown>> {
    const bytes = typeof content?.body === 'string' ? content.body.length : (content?.body.size ?? 0);
    try {
      const response = await fetch(origin + url, {
        method,
        headers: { authorization: `Bearer ${secret}`, ...(content && { 'content-type': content.type }) },
        ...(content && { body: content.body }),
        signal: AbortSignal.timeout(TIMEOUT_MS + Math.ceil(bytes / SLOWEST_BYTES_A_MS)),
      });
      askedMs = retryAfterMs(response.headers);
      const reply: unknown = await response.json();
      return isEnvelope(reply) ? reply : { code: 0, message: 'not the server', error: 'NETWORK' };
    } catch (error) {
      askedMs = undefined;
      return { code: 0, message: String(error), error: 'NETWORK' };
    }
  }

  return {
    send,
    transport: async ({ method, url, body }: Call) =>
      send(method, url, body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) }),
    /** How long the reply to the last call asked to wait, if it did. */
    askedMs: () => askedMs,
  };
}

/**
 * A reply that is not the server's (a hotel's login page, a proxy's error) counts as no network. `roundTripMs`: until its
 * headers came.
 */
async function readManifest(
  response: Response,
  { clock, onUnreadable }: Pick<ApiOptions, 'clock' | 'onUnreadable'>,
  roundTripMs: number,
): Promise<ManifestReply> {
  const answeredAt = performance.now();
  const body: unknown = await response.json();
  const isAnswer = isEnvelope(body) && body.error === undefined;
  const manifest = Manifest.safeParse(isAnswer ? body.data : undefined);
  if (!manifest.success) {
    if (isAnswer) onUnreadable?.();
    const reason = `unreadable: ${manifest.error.issues[0]?.path.join('.') ?? ''}`;
    return { kind: 'failed', reason, retryAfterMs: undefined };
  }
  clock.correct(Date.parse(manifest.data.serverTime) + performance.now() - answeredAt, roundTripMs, 0);
  const known = { ...manifest.data, timeZone: knownZone(manifest.data.timeZone) };
  return { kind: 'fresh', manifest: known, etag: response.headers.get('etag') };
}

/** Whether the server itself no longer knows the device; a proxy that wants a password answers 401, too. */
async function isUnpaired(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body: unknown = await response.json();
  return isEnvelope(body) && body.code === 401;
}

/** Fetches the manifest unless the device has the version `etag`. Corrects the clock by the reply. */
async function fetchManifest(options: ApiOptions, etag: string | null): Promise<ManifestReply> {
  const { origin, secret, fetch, clock } = options;
  const startedAt = performance.now();
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), TIMEOUT_MS);
  const response = await fetch(origin + player.manifest.url, {
    headers: { authorization: `Bearer ${secret}`, ...(etag ? { 'if-none-match': etag } : {}) },
    signal: AbortSignal.any([silent.signal, AbortSignal.timeout(MANIFEST_MS)]),
    cache: 'no-store',
  }).finally(() => clearTimeout(timer));
  const roundTripMs = performance.now() - startedAt;
  switch (response.status) {
    case 200:
      return readManifest(response, options, roundTripMs);
    case 304: {
      // An answer without a date differs from no clock.
      const date = Date.parse(response.headers.get('date') ?? '');
      clock.correct(date, roundTripMs, DATE_HEADER_MS);
      return { kind: 'same' };
    }
    default:
      if (await isUnpaired(response)) return { kind: 'unpaired' };
      return { kind: 'failed', reason: `status ${response.status}`, retryAfterMs: retryAfterMs(response.headers) };
  }
}

/** The calls of a device over HTTP, with its own secret as bearer (API.md, "Player"). */
export function makePlayerApi(options: ApiOptions): PlayerApi {
  const { origin, fetch } = options;
  const { send, transport, askedMs } = makeSender(options);
  const client = makeClient({ player }, transport).player;

  return {
    async enrol(request) {
      const reply = await client.enrol({ body: request });
      if (reply.code !== 200 || reply.error !== undefined) {
        return { kind: 'failed', code: reply.code, message: reply.message, retryAfterMs: askedMs() };
      }
      const { data } = reply;
      return data.state === 'paired' ? { kind: 'paired' } : { ...data, kind: 'pairing' };
    },
    manifest: (etag) =>
      fetchManifest(options, etag).catch((error: unknown) => ({
        kind: 'failed',
        reason: String(error),
        retryAfterMs: undefined,
      })),
    media: (url, headers, signal) => fetch(new URL(url, origin).href, { headers, signal, cache: 'no-store' }),
    plays: async (batch) => {
      const reply = await client.plays({ body: batch });
      const sent = sendReply(reply);
      return sent.kind === 'accepted' && reply.error === undefined
        ? { ...sent, rejected: rejectedIn(reply.data) }
        : sent;
    },
    status: async (message) => sendReply(await client.status({ body: message })),
    async app(installed) {
      const reply = await client.app({ query: installed });
      if (reply.error !== undefined) throw new Error(reply.message);
      return reply.data;
    },
    async screenshot(screen, picture) {
      const { method, url, bodyType } = player.screenshot;
      return sendReply(await send(method, fillUrl(url, {}, { screen }), { type: bodyType, body: picture }));
    },
  };
}
