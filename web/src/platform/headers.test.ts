import { type Server, createServer } from 'node:http';
import { once } from 'node:events';
import axios from 'axios';
import type { HttpRequest, HttpResponse } from 'tus-js-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeApi } from './api.ts';
import { authorization } from './headers.ts';
import { session } from './session.ts';
import { storage } from './storage.ts';
import { read } from './transfer/tus.ts';

const THREE_DAYS = 3 * 86_400;
const SEVEN_DAYS = 7 * 86_400;
const mia = { id: '0198a000-0000-7000-8000-000000000001', username: 'mia', phone: null };

/** What the server answers to a session with less than half its time left. */
const RENEWAL = {
  token: 'renewed',
  expires_in: String(SEVEN_DAYS),
  role: 'leading',
  current: encodeURIComponent(JSON.stringify(mia)),
};

let server: Server;
let origin: string;
let api: ReturnType<typeof makeApi>;

beforeEach(async () => {
  server = createServer((request, response) => {
    const streams = request.url === '/stream';
    response.writeHead(200, { ...RENEWAL, 'content-type': streams ? 'text/event-stream' : 'application/json' });
    if (streams) response.write(': welcome\n\n');
    else response.end('{"code":200,"message":"ok","data":{}}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
  origin = `http://127.0.0.1:${address.port}`;
  api = makeApi(axios.create({ adapter: 'fetch', baseURL: origin }), () => 'en');
  storage.setToken('old', THREE_DAYS);
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
  session.clear();
});

/** tus has a transport of its own; its hook gets the request and the response. */
function answerUpload(): void {
  const request: Pick<HttpRequest, 'getHeader' | 'getMethod'> = {
    getHeader: (name) => (name === 'Authorization' ? authorization() : undefined),
    getMethod: () => 'PATCH',
  };
  const headers: Record<string, string> = RENEWAL;
  const response: HttpResponse = {
    getHeader: (name) => headers[name],
    getStatus: () => 204,
    getBody: () => '',
    getUnderlyingObject: () => undefined,
  };
  read(request, response);
}

const open = new AbortController();

test.each([
  ['a call', () => api.transport({ method: 'GET', url: '/call' })],
  ['a changing call', () => api.transport({ method: 'POST', url: '/call', body: {} })],
  ['a download', () => api.fetchBlob('/file')],
  ['a download that posts', () => api.fetchBlob('/file', { ids: [] })],
  ['the live stream', () => api.openStream(`${origin}/stream`, open.signal)],
  ['a piece of an upload', async () => answerUpload()],
])('%s as the first request of a session with three days left takes over the renewed token', async (_, send) => {
  await send();
  expect(storage.token()).toBe('renewed');
  expect(session.snapshot()).toMatchObject({ signedIn: true, leading: true, current: mia });
});

test('a response to a session that has ended meanwhile restores nothing', async () => {
  server.once('request', () => session.clear());
  await api.fetchBlob('/file');
  expect(storage.token()).toBeUndefined();
});
