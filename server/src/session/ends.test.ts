import { generate } from 'otplib';
import { expect, test, vi } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { ADMIN, dataOf, type Session, startTestServer } from '../../test/server.ts';
import { newToken } from '../platform/auth/auth.ts';

/** The ends of sessions and their effects. */
const server = await startTestServer();
const admin = await server.login();

/** The open page of a session: a stream of events; answers a check that it has ended. */
async function openPage({ token }: Session): Promise<() => void> {
  const live = await fetch(`${server.url}/api/live`, { headers: { authorization: `Bearer ${token}` } });
  const ended = vi.fn();
  const read = async () => {
    for await (const _ of live.body ?? []);
  };
  read().then(ended, ended);
  return () => expect(ended).toHaveBeenCalled();
}

const isOut = async ({ calls }: Session) => expect(await calls.users.list()).toMatchObject({ code: 401 });

const change = { password: 'another one', confirm: 'another one', current: ADMIN.password };

const ENDINGS: [string, (mine: Session) => Promise<unknown>][] = [
  ['a new password', (mine) => mine.calls.users.changePassword({ params: { id: mine.user.id }, body: change })],
  [
    'a second factor',
    async (mine) => {
      const { token: challenge, setup } = dataOf(
        await mine.calls.session.beginSecondFactor({ body: { password: ADMIN.password } }),
      );
      const code = await generate({ secret: setup?.secret ?? '' });
      return mine.calls.session.confirmSecondFactor({ body: { challenge, code } });
    },
  ],
  [
    'a password set from above',
    (mine) => admin.calls.users.changePassword({ params: { id: mine.user.id }, body: change }),
  ],
  ['a second factor taken away', (mine) => admin.calls.users.resetSecondFactor({ params: { id: mine.user.id } })],
  ['deletion', (mine) => admin.calls.users.delete({ params: { id: mine.user.id } })],
];

test.each(ENDINGS)('%s ends the other sessions and their open pages', async (_, end) => {
  const mine = await server.createUser('member');
  const other = await server.login(mine.user.username);
  const isClosed = await openPage(other);
  await end(mine);
  await isOut(other);
  await vi.waitFor(isClosed);
});

test('logging out ends the open page of that session; another one comes back', async () => {
  const mine = await server.createUser('member');
  const other = await server.login(mine.user.username);
  const isClosed = await openPage(mine);
  dataOf(await mine.calls.session.logout());
  await vi.waitFor(isClosed);
  await isOut(mine);
  dataOf(await other.calls.users.list());
});

test('an account that calls without a pause is slowed down, and nobody else', async () => {
  const slow = await startTestServer({ AMS_CALLS_PER_MINUTE: '60' });
  const busy = await slow.login();
  const other = await slow.createUser('member', busy);
  const reply = () => fetch(`${slow.url}/api/users`, { headers: { authorization: `Bearer ${busy.token}` } });
  const replies = await Promise.all(Array.from({ length: 40 }, reply));
  const refused = replies.filter(({ status }) => status === 429);
  // Half a minute's calls at once.
  expect(replies.length - refused.length).toBeGreaterThanOrEqual(29);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused[0]?.json()).toMatchObject({ error: 'TOO_MANY' });
  dataOf(await other.calls.users.list());
});

test('a device that is deleted or paired again loses its connection and its token', async () => {
  const { device, secret, open } = await pairedDevice(server, admin);
  const channel = await open();
  await channel.next();
  const { promise, resolve } = Promise.withResolvers<number>();
  channel.socket.on('close', resolve);
  dataOf(await admin.calls.devices.delete({ params: { id: device.id } }));
  expect(await promise).toBe(4001);
  expect(await server.as(secret).player.manifest()).toMatchObject({ code: 401 });
});

test('tokens have 256 random bits, and are stored as their hash', async () => {
  const tokens = Array.from({ length: 200 }, newToken);
  expect(new Set(tokens).size).toBe(200);
  for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const rows = await server.deps.db.selectFrom('sessions').select('token_hash').execute();
  expect(rows.map(({ token_hash }) => token_hash.toString('base64url'))).not.toContain(admin.token);
});

test('responses do not reveal whether a name exists', async () => {
  const { user } = await server.createUser('member');
  const tryAs = (username: string) => server.as().session.login({ body: { username, password: 'not this one' } });
  const [known, unknown] = [await tryAs(user.username), await tryAs('nobodyhere')];
  expect(known).toEqual(unknown);
  // A name that nobody has locks like any other.
  for (const name of [user.username, 'nobodyhere']) for (let n = 1; n < 5; n += 1) await tryAs(name);
  const seconds = expect.any(Number);
  for (const name of [user.username, 'nobodyhere']) {
    expect(await tryAs(name)).toMatchObject({ error: 'TOO_MANY', details: { seconds } });
  }
});
