import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import { addFile } from './media.ts';
import { makeDevice, pairedDevice } from './device.ts';
import { dataOf, startTestServer } from './server.ts';

const ENROLMENT_KEY = 'enrolment-key-of-this-test';
let logged = '';
const log = new PassThrough().on('data', (chunk: Buffer) => (logged += chunk.toString()));
const server = await startTestServer({ LOG_LEVEL: 'trace', AMS_ENROLMENT_KEY: ENROLMENT_KEY }, {}, log);

interface Line {
  msg: string;
  reqId?: string;
  error?: string;
  user?: string;
}
const lines = (): Line[] =>
  logged
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));

test('no token, password, code or signature is ever logged', async () => {
  const admin = await server.login();
  const password = 'a password of this test';
  const username = 'logtester';
  await admin.calls.users.create({ body: { username, password, role: 'member' } });
  await server.as().session.login({ body: { username, password: 'a wrong password' } });
  const member = await server.login(username, password);
  const changed = 'another password of this test';
  const change = { password: changed, confirm: changed, current: password };
  dataOf(await member.calls.users.changePassword({ params: { id: member.user.id }, body: change }));
  const { token: challenge, setup } = dataOf(
    await member.calls.session.beginSecondFactor({ body: { password: changed } }),
  );
  await member.calls.session.confirmSecondFactor({ body: { challenge, code: '123456' } });
  const { items } = dataOf(await admin.calls.users.createInvitations({ body: { count: 1 } }));
  const invitation = items[0]?.code ?? '';
  await server.as().session.checkRegisterCode({ body: { code: invitation } });

  const fresh = makeDevice(server);
  await fresh.calls.player.enrol({ body: { mac: fresh.mac, enrolmentKey: ENROLMENT_KEY } });
  const device = await pairedDevice(server, member);
  const channel = await device.open();
  await channel.next();
  await channel.close();

  const picture = await sharp({ create: { width: 30, height: 40, channels: 3, background: '#00f' } })
    .jpeg()
    .toBuffer();
  const file = await addFile(server, member, picture, { name: 'a.jpg', orientation: 'vertical', kind: 1 });
  expect((await fetch(server.url + file.url)).status).toBe(200);
  expect((await fetch(`${server.url}${file.url}x`)).status).toBe(403);
  const signature = new URL(file.url ?? '', server.url).searchParams.get('s') ?? '';
  const alerts = dataOf(await member.calls.alerts.get());
  // A fault is logged with all that is known of it.
  await sql`alter table files rename to away`.execute(server.deps.db);
  await member.calls.files.list({ query: { q: 'x' } });
  await sql`alter table away rename to files`.execute(server.deps.db);

  await vi.waitFor(() => expect(lines().filter(({ msg }) => msg === 'response').length).toBeGreaterThan(10));
  const secrets = { password, changed, challenge, invitation, signature, ENROLMENT_KEY, wrong: 'a wrong password' };
  const all = { ...secrets, admin: admin.token, member: member.token, device: device.secret, fresh: fresh.secret };
  const totp = { totp: setup?.secret ?? '', webhook: alerts.secret };
  for (const [name, secret] of Object.entries({ ...all, ...totp })) {
    expect([name, secret.length > 5]).toEqual([name, true]);
    expect([name, logged.includes(secret)]).toEqual([name, false]);
  }
  expect(logged).not.toMatch(/bearer /i);
});

test('a fault answers with the id of its log line', async () => {
  const admin = await server.login();
  await sql`alter table ads rename to away`.execute(server.deps.db);
  const reply = await fetch(`${server.url}/api/ads`, { headers: { authorization: `Bearer ${admin.token}` } });
  await sql`alter table away rename to ads`.execute(server.deps.db);
  expect(reply.status).toBe(500);
  const requestId = reply.headers.get('x-request-id') ?? '';
  expect(await reply.json()).toEqual({
    code: 500,
    error: 'INTERNAL',
    message: expect.stringContaining(requestId),
    details: { requestId },
  });
  expect(lines().find(({ reqId, msg }) => reqId === requestId && msg === 'unexpected error')).toBeDefined();
});

test('log-ins and refusals are logged without the entered name', async () => {
  await server.as().session.login({ body: { username: 'nobodyofthisname', password: 'x' } });
  const admin = await server.login();
  expect(lines()).toContainEqual(
    expect.objectContaining({ msg: 'login refused', error: 'BAD_CREDENTIALS', address: '127.0.0.1' }),
  );
  expect(lines()).toContainEqual(expect.objectContaining({ msg: 'signed in', user: admin.user.id }));
  expect(logged).not.toContain('nobodyofthisname');
});
