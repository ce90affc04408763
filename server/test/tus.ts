import { expect, vi } from 'vitest';
import type { Session, TestServer } from './server.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** An `Upload-Metadata` header. */
export const metadataOf = (wishes: object): string =>
  Object.entries(wishes)
    .map(([key, value]) => `${key} ${base64(String(value))}`)
    .join(',');

/** tus by hand, one request at a time. */
export interface TusClient {
  request(method: string, path: string, headers?: Record<string, string>, body?: Buffer): Promise<Response>;
  /** Begins an upload of so many bytes; answers its path. */
  create(size: number, wishes: object): Promise<string>;
  patch(path: string, offset: number, body: Buffer, headers?: Record<string, string>): Promise<Response>;
  /** Sends the beginning of a PATCH that announces `announced` bytes, and hangs. */
  hang(
    path: string,
    offset: number,
    body: Buffer,
    announced?: number,
    headers?: Record<string, string>,
  ): { end: () => void; answer: Promise<Response> };
}

export function tusAt(url: string, { token }: Pick<Session, 'token'>): TusClient {
  const common = { 'authorization': `Bearer ${token}`, 'tus-resumable': '1.0.0' };
  const octets = { 'content-type': 'application/offset+octet-stream' };
  const client: TusClient = {
    request: (method, path, headers = {}, body) =>
      fetch(new URL(path, url), {
        method,
        headers: { ...common, ...(body && octets), ...headers },
        ...(body && { body: new Uint8Array(body) }),
      }),
    create: async (size, wishes) => {
      const headers = { 'upload-length': String(size), 'upload-metadata': metadataOf(wishes) };
      const reply = await client.request('POST', '/api/uploads', headers);
      expect(reply.status).toBe(201);
      return reply.headers.get('location') ?? '';
    },
    patch: (path, offset, body, headers = {}) =>
      client.request('PATCH', path, { 'upload-offset': String(offset), ...headers }, body),
    hang: (path, offset, body, announced, headers = {}) => {
      const abort = new AbortController();
      const answer = fetch(new URL(path, url), {
        method: 'PATCH',
        headers: {
          ...common,
          ...octets,
          'upload-offset': String(offset),
          ...(announced !== undefined && { 'content-length': String(announced) }),
          ...headers,
        },
        body: new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(body)) }),
        duplex: 'half',
        signal: abort.signal,
      });
      return { end: () => abort.abort(), answer };
    },
  };
  return client;
}

/**
 * Sends an upload up to its last bytes, in one request that the server has let in; returns a function that sends the rest.
 */
export async function uploadInHalves(
  { url, deps }: Pick<TestServer, 'url' | 'deps'>,
  session: Pick<Session, 'token'>,
  bytes: Buffer,
  wishes: object,
): Promise<() => Promise<Response>> {
  const location = await tusAt(url, session).create(bytes.length, wishes);
  const body = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const writer = body.writable.getWriter();
  const answer = fetch(new URL(location, url), {
    method: 'PATCH',
    headers: {
      'authorization': `Bearer ${session.token}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
    },
    body: body.readable,
    duplex: 'half',
  });
  const half = Math.floor(bytes.length / 2);
  await writer.write(new Uint8Array(bytes.subarray(0, half)));
  const id = location.split('/').at(-1) ?? '';
  await vi.waitFor(
    async () => {
      const row = await deps.db.selectFrom('uploads').select('head').where('id', '=', id).executeTakeFirstOrThrow();
      expect(row.head.length).toBeGreaterThan(0);
    },
    { interval: 20 },
  );
  return async () => {
    await writer.write(new Uint8Array(bytes.subarray(half)));
    await writer.close();
    return answer;
  };
}
