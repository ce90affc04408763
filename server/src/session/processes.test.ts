import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { ADMIN, callersAt, dataOf, startTestServer } from '../../test/server.ts';
import { startServer } from '../server.ts';

/** Two server processes on one database, as behind a load balancer. */
const first = await startTestServer();
const second = await startServer(first.config, first.connection, pino({ level: 'warn' }));
await second.app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => second.stop());
const there = callersAt(`http://127.0.0.1:${(second.app.server.address() as AddressInfo).port}`);

test('a session that began on one process holds on the other, and ends on both', async () => {
  const session = await first.login();
  expect(dataOf(await there.as(session.token).home.summary()).users.total).toBe(1);
  dataOf(await there.as(session.token).session.logout());
  expect(await session.calls.home.summary()).toMatchObject({ code: 401 });
});

test('a user who is forbidden on one process is thrown out on the other at once, its open page included', async () => {
  const member = await first.addUser('member');
  const live = await fetch(`${there.url}/api/live`, { headers: { authorization: `Bearer ${member.token}` } });
  const ended = vi.fn<() => void>();
  const read = async (): Promise<void> => {
    for await (const chunk of live.body ?? []) void chunk;
  };
  read().then(ended, ended);
  const admin = await first.login();
  dataOf(await admin.calls.users.patch({ params: { id: member.user.id }, body: { disabled: true, remark: 'unpaid' } }));
  expect(await there.as(member.token).home.summary()).toMatchObject({ code: 401 });
  await vi.waitFor(() => expect(ended).toHaveBeenCalled(), { timeout: 5000 });
});

test('five wrong passwords count wherever they were tried', async () => {
  const { user } = await first.addUser('member');
  const body = { username: user.username, password: 'not this one' };
  for (const server of [first, there, first, there, first]) {
    expect(await server.as().session.login({ body })).toMatchObject({ code: 401 });
  }
  expect(await there.as().session.login({ body: { ...body, password: ADMIN.password } })).toMatchObject({ code: 429 });
});

test('what changes on one process is told on the other', async () => {
  const admin = await first.login();
  const live = await fetch(`${there.url}/api/live`, { headers: { authorization: `Bearer ${admin.token}` } });
  const heard: string[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of live.body ?? []) heard.push(Buffer.from(chunk).toString());
  };
  read().catch(() => undefined);
  await vi.waitFor(() => expect(heard.join('')).toContain('welcome'));
  const device = dataOf(await admin.calls.devices.create({ body: { mac: '02:00:00:00:0a:0b' } }));
  await vi.waitFor(() => expect(heard.join('')).toContain(device.id), { timeout: 1000, interval: 20 });
});
