import type { AddressInfo } from 'node:net';
import { routes } from '@ams/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { ADMIN, callersAt, dataOf, startTestServer } from '../../test/server.ts';
import { startServer } from '../lifecycle.ts';
import { WRONG_GUESSES } from './guesses.service.ts';

/** Two server processes on one database, as behind a load balancer. */
const first = await startTestServer({ AMS_TRUST_PROXY: 'loopback' });
const second = await startServer(first.config, first.connection, pino({ level: 'warn' }));
await second.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => second.stop());
const there = callersAt(`http://127.0.0.1:${(second.app.server.address() as AddressInfo).port}`);

test('a session that began on one process holds on the other, and ends on both', async () => {
  const session = await first.login();
  expect(dataOf(await there.as(session.token).home.summary()).users.total).toBe(1);
  dataOf(await there.as(session.token).session.logout());
  expect(await session.calls.home.summary()).toMatchObject({ code: 401 });
});

test('a user disabled on one process is signed out on the other at once, including open pages', async () => {
  const member = await first.createUser('member');
  const live = await fetch(`${there.url}/api/live`, { headers: { authorization: `Bearer ${member.token}` } });
  const ended = vi.fn<() => void>();
  const read = async (): Promise<void> => {
    for await (const chunk of live.body ?? []) void chunk;
  };
  read().then(ended, ended);
  const admin = await first.login();
  dataOf(
    await admin.calls.users.update({ params: { id: member.user.id }, body: { disabled: true, remark: 'unpaid' } }),
  );
  expect(await there.as(member.token).home.summary()).toMatchObject({ code: 401 });
  await vi.waitFor(() => expect(ended).toHaveBeenCalled());
});

test('five wrong passwords count wherever they were tried', async () => {
  const { user } = await first.createUser('member');
  const body = { username: user.username, password: 'not this one' };
  for (const server of [first, there, first, there, first]) {
    expect(await server.as().session.login({ body })).toMatchObject({ code: 401 });
  }
  expect(await there.as().session.login({ body: { ...body, password: ADMIN.password } })).toMatchObject({ code: 429 });
});

test('changes on one process are announced on the other', async () => {
  const admin = await first.login();
  const live = await fetch(`${there.url}/api/live`, { headers: { authorization: `Bearer ${admin.token}` } });
  const heard: string[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of live.body ?? []) heard.push(Buffer.from(chunk).toString());
  };
  read().catch(() => undefined);
  await vi.waitFor(() => expect(heard.join('')).toContain('welcome'));
  const device = dataOf(await admin.calls.devices.create({ body: { mac: '02:00:00:00:0a:0b' } }));
  await vi.waitFor(() => expect(heard.join('')).toContain(device.id), { interval: 20 });
});

test('calls from one address are counted over all processes, and each address for itself', async () => {
  const check = (server: typeof there, from: string) =>
    server.as(undefined, { 'x-forwarded-for': from }).session.checkRegisterCode({ body: { code: 'ABCD2345' } });
  const limit = routes.session.checkRegisterCode.perMinute;
  for (let call = 0; call < limit; call++) {
    expect(await check(call % 2 ? first : there, '203.0.113.7')).toMatchObject({ code: 422 });
  }
  for (const server of [first, there]) expect(await check(server, '203.0.113.7')).toMatchObject({ code: 429 });
  expect(await check(first, '203.0.113.8')).toMatchObject({ code: 422 });
});

test('an address that tries many names with wrong passwords is blocked, without revealing which exist', async () => {
  const attack = (name: number) =>
    (name % 2 ? first : there)
      .as(undefined, { 'x-forwarded-for': '198.51.100.1' })
      .session.login({ body: { username: `nobody${name}`, password: 'not this one' } });
  expect(await attack(0)).toMatchObject({ code: 401 });
  await sql`update rate_limits set count = ${WRONG_GUESSES.max - 1} where key = '198.51.100.1'`.execute(first.deps.db);
  expect(await attack(1)).toMatchObject({ code: 401 });
  expect(await attack(2)).toMatchObject({ code: 429, error: 'TOO_MANY' });
  expect((await first.login()).user.username).toBe(ADMIN.username);
});

test('an untrusted proxy cannot forge the client address', async () => {
  const direct = await startTestServer();
  const call = (from: number) =>
    direct
      .as(undefined, { 'x-forwarded-for': `203.0.113.${from}` })
      .session.checkRegisterCode({ body: { code: 'ABCD2345' } });
  const answers = await Promise.all(
    Array.from({ length: routes.session.checkRegisterCode.perMinute + 1 }, (_, from) => call(from)),
  );
  expect(answers.filter(({ code }) => code === 429)).toHaveLength(1);
});
