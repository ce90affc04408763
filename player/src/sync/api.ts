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
import type { ManifestReply, PlayerApi, SendReply } from './ports.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface ApiOptions {
  /** `https://ads.example.com` */
  origin: string;
  secret: string;
  fetch: Fetch;
  clock: Pick<Clock, 'correct'>;
}

const TIMEOUT_MS = 10_000;
/** A `Date` header has whole seconds; a smaller difference says nothing. */
const DATE_HEADER_MS = 2000;

const sendReply = (reply: Envelope<unknown>): SendReply => {
  if (reply.code === 200) return { kind: 'accepted' };
  if (reply.code === 401) return { kind: 'unpaired' };
  return [400, 413, 415, 422].includes(reply.code) ? { kind: 'refused', code: reply.code } : { kind: 'failed' };
};

/** How many plays of a report were rejected, by reason; undefined when none was. */
function rejectedIn({ reasons = [] }: PlaysTaken): string | undefined {
  const counts = new Map<string, number>();
  for (const { reason } of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts.size > 0 ? [...counts].map(([reason, count]) => `${count} ${reason}`).join(', ') : undefined;
}

/** The calls of a device over HTTP, with its own secret as bearer (API.md, "Player"). */
export function makePlayerApi({ origin, secret, fetch, clock }: ApiOptions): PlayerApi {
  const authorization = `Bearer ${secret}`;

  /** How long to wait, where the reply to the last failed call said so. */
  let asked: number | undefined;

  async function transport({ method, url, body }: Call): Promise<Envelope<unknown>> {
    const json = body === undefined ? undefined : { type: 'application/json', body: JSON.stringify(body) };
    return send(method, url, json);
  }

  async function send(
    method: string,
    url: string,
    content?: { type: string; body: string | Blob },
  ): Promise<Envelope<unknown>> {
    try {
      const response = await fetch(origin + url, {
        method,
        headers: { authorization, ...(content && { 'content-type': content.type }) },
        ...(content && { body: content.body }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      asked = retryAfterMs(response.headers);
      const reply: unknown = await response.json();
      return isEnvelope(reply) ? reply : { code: 0, message: 'not the server', error: 'NETWORK' };
    } catch (error) {
      asked = undefined;
      return { code: 0, message: String(error), error: 'NETWORK' };
    }
  }

  const client = makeClient({ player }, transport).player;

  /** A reply that is not the server's (a hotel's login page, a proxy's error) counts as no network. */
  async function readManifest(response: Response, startedAt: number): Promise<ManifestReply> {
    const body: unknown = await response.json();
    const manifest = Manifest.safeParse(isEnvelope(body) && body.error === undefined ? body.data : undefined);
    if (!manifest.success) {
      const reason = `unreadable: ${manifest.error.issues[0]?.path.join('.') ?? ''}`;
      return { kind: 'failed', reason, retryAfterMs: undefined };
    }
    clock.correct(Date.parse(manifest.data.serverTime), performance.now() - startedAt, 0);
    return { kind: 'fresh', manifest: manifest.data, etag: response.headers.get('etag') };
  }

  return {
    async enrol(request) {
      const reply = await client.enrol({ body: request });
      if (reply.code !== 200 || reply.error !== undefined) {
        return { kind: 'failed', code: reply.code, message: reply.message, retryAfterMs: asked };
      }
      const { data } = reply;
      return data.state === 'paired' ? { kind: 'paired' } : { ...data, kind: 'pairing' };
    },
    async manifest(etag) {
      const startedAt = performance.now();
      try {
        const response = await fetch(origin + player.manifest.url, {
          headers: { authorization, ...(etag ? { 'if-none-match': etag } : {}) },
          signal: AbortSignal.timeout(TIMEOUT_MS),
          cache: 'no-store',
        });
        if (response.status === 200) return await readManifest(response, startedAt);
        if (response.status === 304) {
          const date = Date.parse(response.headers.get('date') ?? '');
          if (!Number.isNaN(date)) clock.correct(date, performance.now() - startedAt, DATE_HEADER_MS);
          return { kind: 'same' };
        }
        if (response.status === 401) return { kind: 'unpaired' };
        return { kind: 'failed', reason: `status ${response.status}`, retryAfterMs: retryAfterMs(response.headers) };
      } catch (error) {
        return { kind: 'failed', reason: String(error), retryAfterMs: undefined };
      }
    },
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
