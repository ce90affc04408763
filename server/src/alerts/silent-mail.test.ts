import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { addJob } from '../platform/jobs/jobs.ts';

/** A mail server that accepts connections and says nothing. */
const waiting: Socket[] = [];
const silent = createServer((socket) => {
  waiting.push(socket);
  socket.on('error', () => undefined);
}).listen(0, '127.0.0.1');
await once(silent, 'listening');
const { port } = silent.address() as AddressInfo;
const server = await startTestServer({ SMTP_URL: `smtp://127.0.0.1:${port}` });
const { db } = server.deps;

const hangUp = (): void => {
  for (const socket of waiting.splice(0)) socket.destroy();
};
afterAll(() => {
  hangUp();
  silent.close();
});

const EMAIL = 'dealer@example.com';
const SETTINGS = { email: EMAIL, webhook: null, offlineMinutes: 15, expiringDays: null };

/** More jobs than one lane works on at once. */
const JOBS = 8;

test('a mail server that says nothing keeps neither people nor other jobs waiting', async () => {
  const dealer = await server.createUser('leading');
  const { trouble, email } = dataOf(await dealer.calls.alerts.update({ body: SETTINGS }));
  expect({ email, trouble: trouble.email }).toEqual({ email: EMAIL, trouble: 'no answer yet' });
  // The server still tries.
  expect(waiting.map(({ closed }) => closed)).toEqual([false]);
  hangUp();

  const { device } = await pairedDevice(server, dealer);
  await sql`update devices set last_seen_at = now() - interval '1 hour' where id = ${device.id}`.execute(db);
  await sql`update alerts set email_confirmed = email`.execute(db);
  const due = { userId: dealer.user.id, occasion: 'offline', deviceIds: [device.id], way: 'email' };
  for (let n = 0; n < JOBS; n += 1) await addJob(db, 'alerts_send', due);
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(1));
  await addJob(db, 'session_clean', {});
  const left = () => sql`select from graphile_worker.jobs where task_identifier = 'session_clean'`.execute(db);
  await vi.waitFor(async () => expect((await left()).rows).toHaveLength(0));
  expect(waiting.map(({ closed }) => closed)).not.toContain(true);
});

/** A mail server that answers each line with the reply to its command, or hangs up. */
async function mailServer(replies: Record<string, string>): Promise<number> {
  const replying = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 mx.internal ready\r\n');
    socket.on('data', (line) => socket.write(`${replies[String(line).slice(0, 4)] ?? '250 fine'}\r\n`));
  }).listen(0, '127.0.0.1');
  await once(replying, 'listening');
  onTestFinished(() => void replying.close());
  return (replying.address() as AddressInfo).port;
}

test.each([
  ['does not answer', undefined, 'the mail server of this installation takes no letters now'],
  [
    'refuses its own user',
    { AUTH: '535 no user ams at 10.0.0.5' },
    'the mail server of this installation takes no letters now',
  ],
  ['refuses the address', { RCPT: '550 nobody has this address' }, '550 nobody has this address'],
])('of a mail server that %s, a user learns nothing but what concerns the letter', async (_name, replies, reason) => {
  const at = replies
    ? `ams:secret@127.0.0.1:${await mailServer({ EHLO: '250 AUTH PLAIN', AUTH: '235 fine', ...replies })}`
    : '127.0.0.1:1';
  const other = await startTestServer({ SMTP_URL: `smtp://${at}`, SMTP_FROM: 'ams@example.com' });
  const dealer = await other.createUser('leading');
  dataOf(await dealer.calls.alerts.update({ body: SETTINGS }));
  await sql`update alerts set email_confirmed = email`.execute(other.deps.db);
  await expect.poll(async () => dataOf(await dealer.calls.alerts.test()).trouble.email).toBe(reason);
});
