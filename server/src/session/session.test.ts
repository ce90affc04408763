import { type LoginChallenge, routes } from '@ams/contract';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { describe, expect, test } from 'vitest';
import { cleanSessions } from './session.service.ts';
import { ADMIN, dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const nobody = server.as();

const post = (path: string, body?: unknown, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const headerUser = (reply: Response, name: string): unknown =>
  JSON.parse(decodeURIComponent(reply.headers.get(name) ?? 'null'));

test('login returns the user, the token with its lifetime, and the role', async () => {
  const reply = await post('/api/login', ADMIN);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('token')).toHaveLength(43);
  expect(reply.headers.get('expires_in')).toBe(String(7 * 86_400));
  expect(reply.headers.get('role')).toBe('leading');
  expect(reply.headers.get('superior')).toBeNull();
  const body = (await reply.json()) as { data: { user: { id: string } } };
  expect(body).toMatchObject({ code: 200, message: 'ok', data: { user: { username: 'admin', role: 'leading' } } });
  expect(headerUser(reply, 'current')).toEqual({ id: body.data.user.id, username: 'admin', phone: null });
});

test('the case of a name is ignored', async () => {
  expect((await post('/api/login', { ...ADMIN, username: 'ADMIN' })).status).toBe(200);
});

test('every reply to a signed-in user carries role, current and superior', async () => {
  const member = await server.createUser('member');
  const reply = await post('/api/', undefined, { authorization: `Bearer ${member.token}` });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('role')).toBe('member');
  expect(headerUser(reply, 'superior')).toMatchObject({ username: 'admin' });
  expect(headerUser(reply, 'current')).toMatchObject({ username: member.user.username });
  expect(reply.headers.get('token')).toBeNull();
});

test('errors are in the language of the reader', async () => {
  const wrong = { username: 'nobodyhere', password: 'password2' };
  expect(await (await post('/api/login', wrong)).json()).toMatchObject({
    code: 401,
    error: 'BAD_CREDENTIALS',
    message: 'Wrong username or password',
  });
  const chinese = await post('/api/login', wrong, { 'accept-language': 'zh-CN,en;q=0.5' });
  expect(await chinese.json()).toMatchObject({ message: '用户名或密码错误' });
  const nonsense = await post('/api/login', wrong, { 'accept-language': ';;q=,\u00e9--' });
  expect(await nonsense.json()).toMatchObject({ message: 'Wrong username or password' });
});

test('five wrong passwords lock the name, even for the right one', async () => {
  const { user } = await server.createUser('member');
  for (let tries = 0; tries < 5; tries += 1) {
    const reply = await post('/api/login', { username: user.username, password: 'not this one' });
    expect(reply.status).toBe(401);
  }
  const locked = await post('/api/login', { username: user.username, password: ADMIN.password });
  expect(locked.status).toBe(429);
  expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(800);
  expect(await locked.json()).toMatchObject({ code: 429, error: 'TOO_MANY' });
});

test('without a token, with a wrong one or after logging out: 401', async () => {
  expect(await nobody.home.summary()).toMatchObject({ code: 401, error: 'UNAUTHENTICATED' });
  expect(await server.as('not-a-token').home.summary()).toMatchObject({ code: 401, error: 'UNAUTHENTICATED' });
  const { calls } = await server.login();
  dataOf(await calls.session.logout());
  expect(await calls.home.summary()).toMatchObject({ code: 401, error: 'UNAUTHENTICATED' });
});

test('a session with less than half its time left is renewed; the old token is valid for another minute', async () => {
  const { token, calls, user } = await server.login();
  await server.deps.db
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() + 3 * 86_400_000) })
    .where('user_id', '=', user.id)
    .execute();
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => post('/api/', undefined, { authorization: `Bearer ${token}` })),
  );
  const [renewed, ...others] = new Set(replies.map((reply) => reply.headers.get('token')));
  expect([renewed, others]).toEqual([expect.stringMatching(/^[\w-]{43}$/), []]);
  expect(dataOf(await server.as(renewed ?? '').home.summary()).users.total).toBeGreaterThan(0);
  expect(dataOf(await calls.home.summary()).users.total).toBeGreaterThan(0);
});

describe('a call that renews the session on its way', () => {
  const password = ADMIN.password;

  /** A session of which more than half is over: the next call renews it. */
  async function oldSession(): Promise<Session> {
    const mine = await server.createUser('member');
    await age(mine);
    return mine;
  }
  const age = ({ user }: Session) =>
    sql`update sessions set expires_at = now() + interval '3 days' where user_id = ${user.id}`.execute(server.deps.db);

  const call = async ({ token }: Session, method: string, path: string, body?: object) => {
    const headers = { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(server.url + path, {
      method,
      headers,
      ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    });
    expect(reply.status).toBe(200);
    return { renewed: reply.headers.get('token') ?? '', reply };
  };
  const statusWith = async (token: string) => (await server.as(token).users.list()).code;

  test('and sets a new password leaves its own new token valid', async () => {
    const mine = await oldSession();
    const body = { password: 'another one', confirm: 'another one', current: password };
    const { renewed } = await call(mine, 'PUT', `/api/users/${mine.user.id}/password`, body);
    expect(renewed).toHaveLength(43);
    expect(await statusWith(renewed)).toBe(200);
  });

  test('and logs out leaves no token valid', async () => {
    const mine = await oldSession();
    const { renewed } = await call(mine, 'POST', '/api/logout');
    expect([await statusWith(mine.token), await statusWith(renewed)]).toEqual([401, 401]);
  });

  test('and whose answer was lost gets the same new token when it is repeated, for as long as that session lasts', async () => {
    const mine = await oldSession();
    const { renewed } = await call(mine, 'GET', '/api/users');
    const again = await call(mine, 'GET', '/api/users');
    expect([again.renewed, renewed]).toEqual([renewed, expect.stringMatching(/^[\w-]{43}$/)]);
    const seconds = Number(again.reply.headers.get('expires_in'));
    expect(seconds).toBeGreaterThan(6.9 * 86_400);
    expect(seconds).toBeLessThanOrEqual(7 * 86_400);
    const { rows } = await sql`select from sessions where user_id = ${mine.user.id}`.execute(server.deps.db);
    expect(rows).toHaveLength(2);
    dataOf(await server.as(renewed).session.logout());
    expect([await statusWith(mine.token), await statusWith(renewed)]).toEqual([401, 401]);
  });

  test('leaves an old token that ends the new session, too, or keeps it with a new password', async () => {
    const out = await oldSession();
    const { renewed } = await call(out, 'GET', '/api/users');
    dataOf(await out.calls.session.logout());
    expect([await statusWith(out.token), await statusWith(renewed)]).toEqual([401, 401]);

    const mine = await oldSession();
    await call(mine, 'GET', '/api/users');
    const body = { password: 'another one', confirm: 'another one', current: password };
    const changing = await call(mine, 'PUT', `/api/users/${mine.user.id}/password`, body);
    expect([await statusWith(mine.token), await statusWith(changing.renewed)]).toEqual([401, 200]);
  });

  test('and begins or ends the set-up of a second factor does so for the new token', async () => {
    const mine = await oldSession();
    const begun = await call(mine, 'POST', routes.session.beginSecondFactor.url, { password });
    const { data } = (await begun.reply.json()) as { data: LoginChallenge };
    const now = { ...mine, token: begun.renewed };
    await age(now);
    const body = { challenge: data.token, code: await generate({ secret: data.setup?.secret ?? '' }) };
    const { renewed } = await call(now, 'PUT', routes.session.confirmSecondFactor.url, body);
    expect(await statusWith(renewed)).toBe(200);
  });

  test('is none that is refused because there were too many', async () => {
    const slow = await startTestServer({ AMS_CALLS_PER_MINUTE: '1' });
    const { token, calls } = await slow.login();
    dataOf(await calls.users.list());
    await sql`update sessions set expires_at = now() + interval '3 days'`.execute(slow.deps.db);
    const reply = await fetch(`${slow.url}/api/users`, { headers: { authorization: `Bearer ${token}` } });
    expect([reply.status, reply.headers.get('token')]).toEqual([429, null]);
    const { rows } = await sql`select from sessions where expires_at > now() + interval '1 day'`.execute(slow.deps.db);
    expect(rows).toHaveLength(1);
  });
});

test('disabled users are logged out at once and read why', async () => {
  const member = await server.createUser('member');
  const admin = await server.login();
  dataOf(
    await admin.calls.users.update({ params: { id: member.user.id }, body: { disabled: true, remark: 'unpaid' } }),
  );
  expect(await member.calls.home.summary()).toMatchObject({ code: 401 });
  const again = await post('/api/login', { username: member.user.username, password: ADMIN.password });
  expect(await again.json()).toMatchObject({ error: 'FORBIDDEN_USER', details: { remark: 'unpaid' } });
  expect(again.status).toBe(401);
});

test('bad input names its field and its rule', async () => {
  expect(await nobody.session.login({ body: { username: '', password: '' } })).toMatchObject({
    code: 400,
    error: 'INVALID',
    details: {
      fields: [
        { path: 'username', rule: 'username.required', message: 'Input username' },
        { path: 'password', rule: 'password.required', message: 'Enter a password' },
      ],
    },
  });
});

test('self-registration makes a member below the first account', async () => {
  const body = { username: 'newcomer1', password: 'password1', confirm: 'password1' };
  expect(dataOf(await nobody.session.selfRegister({ body }))).toMatchObject({
    user: { role: 'member', superior: { username: 'admin' } },
  });
  expect(await nobody.session.selfRegister({ body: { ...body, username: 'NewComer1' } })).toMatchObject({
    code: 409,
    error: 'USERNAME_TAKEN',
  });
  expect(
    await nobody.session.selfRegister({ body: { ...body, username: 'newcomer2', confirm: 'other' } }),
  ).toMatchObject({ code: 422, error: 'PASSWORD_DIFFERENT', message: 'Password Different' });
});

test.each([
  ['abc', 'username.length'],
  ['a'.repeat(21), 'username.length'],
  ['with space', 'username.alphanumeric'],
  ['smile😀x', 'username.alphanumeric'],
])('the username %s is refused', async (username, rule) => {
  const reply = await nobody.session.selfRegister({
    body: { username, password: 'password1', confirm: 'password1' },
  });
  expect(reply).toMatchObject({ code: 400, details: { fields: [{ path: 'username', rule }] } });
});

test('an invitation makes an account of its role below its maker, once even when used twice at the same instant', async () => {
  const maker = await server.createUser('leading');
  const { items } = dataOf(
    await maker.calls.users.createInvitations({ body: { count: 1, role: 'leading', days: 30 } }),
  );
  const code = items[0]?.code ?? '';
  expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/);
  expect(dataOf(await nobody.session.checkRegisterCode({ body: { code } }))).toEqual({
    valid: true,
    superior: { username: maker.user.username },
  });
  const register = (username: string) =>
    nobody.session.register({ body: { code, username, password: 'password1', confirm: 'password1' } });
  const replies = await Promise.all([register('twin1'), register('twin2')]);
  expect(replies.map((reply) => reply.code).toSorted()).toEqual([200, 422]);
  expect(replies.find((reply) => reply.code === 422)).toMatchObject({ message: 'Invalid invitation code' });
  const winner = replies.find((reply) => reply.error === undefined);
  expect(winner?.data).toMatchObject({ user: { role: 'leading', superior: { username: maker.user.username } } });
  expect(await nobody.session.checkRegisterCode({ body: { code } })).toMatchObject({ error: 'INVALID_INVITATION' });
});

test('the rest of a refused registration is undone: the code can be used again', async () => {
  const admin = await server.login();
  const { items } = dataOf(await admin.calls.users.createInvitations({ body: { count: 1 } }));
  const code = items[0]?.code ?? '';
  const body = { code, username: 'admin', password: 'password1', confirm: 'password1' };
  expect(await nobody.session.register({ body })).toMatchObject({ error: 'USERNAME_TAKEN' });
  expect(dataOf(await nobody.session.register({ body: { ...body, username: 'another1' } }))).toMatchObject({
    user: { role: 'member' },
  });
});

test('the settings are public and contain the user of a session', async () => {
  const { token } = await server.login();
  const known = await fetch(`${server.url}/api/settings`, { headers: { authorization: `Bearer ${token}` } });
  expect(known.headers.get('role')).toBe('leading');
  const stranger = await fetch(`${server.url}/api/settings`, { headers: { authorization: 'Bearer nonsense' } });
  expect([stranger.status, stranger.headers.get('role')]).toEqual([200, null]);
});

test('a job removes exactly the expired rows', async () => {
  const { calls, user } = await server.login();
  const gone = Array.from({ length: 5000 }, (_, n) => ({
    token_hash: Buffer.from(`expired ${n}`),
    user_id: user.id,
    expires_at: new Date(Date.now() - 1000),
  }));
  await server.deps.db.insertInto('sessions').values(gone).execute();
  await cleanSessions(server.deps.db);
  const left = await server.deps.db
    .selectFrom('sessions')
    .select('token_hash')
    .where('expires_at', '<', new Date())
    .execute();
  expect(left).toEqual([]);
  expect(dataOf(await calls.home.summary()).users.total).toBeGreaterThan(0);
});

test('the settings contain the limits and switches', async () => {
  expect(dataOf(await nobody.session.settings())).toMatchObject({
    captcha: false,
    selfRegister: true,
    usernameLength: { min: 4, max: 20 },
    upload: { maxFiles: 9, maxImageBytes: 20 * 2 ** 20, maxVideoBytes: 2 * 2 ** 30, maxAppBytes: 500 * 2 ** 20 },
  });
});

test('unknown addresses are answered with the envelope', async () => {
  const reply = await fetch(`${server.url}/api/nothing`);
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ code: 404, error: 'NOT_FOUND' });
  const { calls } = await server.login();
  expect(await calls.users.get({ params: { id: 'not-an-id' } })).toMatchObject({ code: 404 });
  const broken = await post(routes.session.login.url, undefined, { 'content-type': 'application/json' });
  expect(await broken.json()).toMatchObject({ code: 400, error: 'INVALID' });
});
