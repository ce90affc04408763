import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { routes } from '@ams/contract';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../../test/device.ts';
import { ADMIN, startTestServer } from '../../../test/server.ts';

const server = await startTestServer();

/** Sends a call that offers to continue in another protocol; answers the status and the body, or the protocol. */
async function offer(protocol: string, method: string, path: string, token = '', json = ''): Promise<unknown> {
  const sent = request(server.url, {
    method,
    path,
    headers: {
      'connection': 'Upgrade, HTTP2-Settings',
      'upgrade': protocol,
      'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
      ...(json !== '' && { 'content-type': 'application/json', 'content-length': json.length }),
    },
  });
  const upgraded = once(sent, 'upgrade').then(([, socket]) => {
    socket.destroy();
    return 'upgraded';
  });
  const answered = once(sent, 'response').then(async ([reply]) => JSON.parse(await text(reply)) as unknown);
  sent.end(json);
  return Promise.race([upgraded, answered]);
}

test.each(['h2c', 'h2c, websocket', 'TLS/1.0'])('an offer of %s is ignored, as HTTP allows', async (protocol) => {
  const { token } = await server.login();
  expect(await offer(protocol, 'GET', '/api/settings')).toMatchObject({ code: 200 });
  expect(await offer(protocol, 'POST', '/api/login', '', JSON.stringify(ADMIN))).toMatchObject({ code: 200 });
  expect(await offer(protocol, 'GET', '/api/users', token)).toMatchObject({ code: 200 });
});

test('calls do not become WebSockets', async () => {
  const { token } = await server.login();
  expect(await offer('websocket', 'GET', '/api/users', token)).toMatchObject({ code: 200 });
  expect(await offer('websocket', 'GET', '/api/nothing')).toMatchObject({ code: 404 });
});

test('a device opens its WebSocket also when the address has the server before it', async () => {
  const { secret } = await pairedDevice(server, await server.createUser('member'));
  const { url } = routes.player.socket;
  for (const address of [url, `http://ads.example${url}`]) {
    expect([address, await offer('websocket', 'GET', address, secret)]).toEqual([address, 'upgraded']);
  }
});
