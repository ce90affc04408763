import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { stopCrontab } from '../../test/crontab.ts';
import { pairedDevice } from '../../test/device.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { watch } from './watch.ts';

/** The paths of the messages in the order in which they came; those to `/slow` are answered when the test says so. */
const heard: (string | undefined)[] = [];
const held: ServerResponse[] = [];
let isSlow = false;
const receiver = createServer((request, response) => {
  heard.push(request.url);
  if (request.url === '/fine') response.end();
  else if (isSlow) held.push(response);
  else response.writeHead(503).end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const { port } = receiver.address() as AddressInfo;
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const server = await startTestServer({ AMS_WEBHOOKS: 'internal' });
const { db } = server.deps;
await stopCrontab(db);

/** Messages to one receiver, more than are sent at once. */
const MESSAGES = 6;
const SENT_AT_ONCE = 2;

/** A dealer whose alerts go to a path of the receiver. */
async function alerted(path: string): Promise<Session> {
  const dealer = await server.createUser('leading');
  const webhook = `http://127.0.0.1:${port}${path}`;
  dataOf(await dealer.calls.alerts.update({ body: { email: null, webhook, offlineMinutes: 15, expiringDays: null } }));
  return dealer;
}

/** One more device of a dealer is offline, which causes a message. */
async function loseDevice(dealer: Session): Promise<void> {
  const { device } = await pairedDevice(server, dealer);
  await sql`update devices set last_seen_at = now() - interval '1 hour' where id = ${device.id}`.execute(db);
  await watch(db);
}

test('messages to a receiver that took none before keep those to others waiting for no longer than one takes', async () => {
  const unlucky = await alerted('/slow');
  const other = await alerted('/fine');
  expect(dataOf(await unlucky.calls.alerts.test()).trouble.webhook).toBe('HTTP 503');
  heard.length = 0;
  isSlow = true;
  for (let n = 0; n < MESSAGES; n += 1) await loseDevice(unlucky);
  await vi.waitFor(() => expect(held).toHaveLength(SENT_AT_ONCE), { interval: 50 });
  await loseDevice(other);
  held[0]?.writeHead(503).end();
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(SENT_AT_ONCE), { interval: 50 });
  expect(heard[SENT_AT_ONCE]).toBe('/fine');
});
