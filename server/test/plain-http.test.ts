import { expect, test } from 'vitest';
import { pairedDevice } from './device.ts';
import { dataOf, startTestServer } from './server.ts';

const server = await startTestServer({ AMS_LISTENING_SOCKETS: '1', AMS_FAST_POLLS: 'off' });

test('the server works with a single listening socket and without the fast path for polls', async () => {
  const owner = await server.createUser('leading');
  const device = await pairedDevice(server, owner);
  const channel = await device.open();
  await channel.next();
  const { version } = await device.manifest();
  const poll = (held: string) =>
    fetch(`${server.url}/api/player/manifest`, {
      headers: { 'authorization': `Bearer ${device.secret}`, 'if-none-match': `"${held}"` },
    });
  const known = await poll(version);
  expect(known.status).toBe(304);
  expect(known.headers.get('etag')).toBe(`"${version}"`);
  // Answered by Fastify: its hooks set the headers of every page.
  expect(known.headers.get('permissions-policy')).not.toBeNull();
  expect((await poll('an older version')).status).toBe(200);
  expect(dataOf(await owner.calls.devices.get({ params: { id: device.device.id } })).online).toBe(true);
  await channel.close();
});

test('by default polls without news take the fast path, with the same answer', async () => {
  const fast = await startTestServer();
  const device = await pairedDevice(fast, await fast.createUser('leading'));
  const { version } = await device.manifest();
  const poll = await fetch(`${fast.url}/api/player/manifest`, {
    headers: { 'authorization': `Bearer ${device.secret}`, 'if-none-match': `"${version}"` },
  });
  expect(poll.status).toBe(304);
  expect(poll.headers.get('etag')).toBe(`"${version}"`);
  expect(poll.headers.get('permissions-policy')).toBeNull();
});
