import { CODE_LOCK_MINUTES, CODE_TRIES, LOGIN_TRIES } from '@ams/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { locked, challengeOf, nextCode, turnOn, WRONG_CODE, WRONG_PASSWORD } from '../../test/second-factor.ts';
import { ADMIN, dataOf, type Session, startTestServer } from '../../test/server.ts';
import { codeLockMs } from './locks.ts';

const server = await startTestServer();
const admin = await server.login();
const nobody = server.as();
const { password } = ADMIN;

let mine: Session;
beforeEach(async () => {
  mine = await server.createUser('member', admin);
});

/** A browser that keeps its cookie. */
function browser() {
  let cookie = '';
  const logIn = async (body: { password?: string; code?: string } = {}) => {
    const reply = await fetch(`${server.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ username: mine.user.username, password, ...body }),
    });
    const set = reply.headers.get('set-cookie');
    cookie = set?.split(';')[0] ?? cookie;
    return { status: reply.status, set, cookie };
  };
  return { logIn, calls: () => server.as(undefined, { cookie }).session };
}

const strangerTries = (times: number, body: { password: string; code?: string } = { password: WRONG_PASSWORD }) =>
  Promise.all(
    Array.from({ length: times }, () => nobody.session.login({ body: { username: mine.user.username, ...body } })),
  );

describe('wrong passwords at the login', () => {
  test('have five tries, even all at once', async () => {
    const answers = await strangerTries(30);
    expect(answers.filter(({ error }) => error === 'BAD_CREDENTIALS')).toHaveLength(LOGIN_TRIES);
    expect(answers.filter(({ error }) => error === 'TOO_MANY')).toHaveLength(30 - LOGIN_TRIES);
  });

  test('right passwords at once lock nothing', async () => {
    const answers = await strangerTries(20, { password });
    expect(answers.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  test('lock out strangers, but not a browser that the account was signed in with', async () => {
    const home = browser();
    expect((await home.logIn()).set).toMatch(/^ams_browser=[\w-]{43}; .*Path=\/api; HttpOnly; SameSite=Strict$/);
    await strangerTries(LOGIN_TRIES);
    expect((await strangerTries(1, { password }))[0]).toMatchObject(locked);
    expect((await home.logIn()).status).toBe(200);
    expect((await strangerTries(1, { password }))[0]).toMatchObject(locked);
  });

  test('of a known browser count by themselves', async () => {
    const home = browser();
    await home.logIn();
    for (let n = 0; n < LOGIN_TRIES; n += 1) expect((await home.logIn({ password: WRONG_PASSWORD })).status).toBe(401);
    expect((await home.logIn()).status).toBe(429);
    expect((await strangerTries(1, { password }))[0]).toMatchObject({ code: 200 });
  });

  test('a browser that another account is known to is a stranger, and gets another cookie', async () => {
    const theirs = browser();
    const first = await theirs.logIn();
    mine = await server.createUser('member', admin);
    await strangerTries(LOGIN_TRIES);
    expect((await theirs.logIn()).status).toBe(429);
    await sql`delete from login_failures`.execute(server.deps.db);
    expect((await theirs.logIn()).cookie).not.toBe(first.cookie);
  });

  test('a new password makes strangers of all browsers but the one that sets it', async () => {
    const [home, other] = [browser(), browser()];
    const { cookie } = await home.logIn();
    await other.logIn();
    const calls = server.as(mine.token, { cookie }).users;
    const body = { password: 'password2', confirm: 'password2', current: password };
    dataOf(await calls.changePassword({ params: { id: mine.user.id }, body }));
    await strangerTries(LOGIN_TRIES);
    expect((await other.logIn({ password: 'password2' })).status).toBe(429);
    expect((await home.logIn({ password: 'password2' })).status).toBe(200);
  });

  test('a code of the second factor opens a locked name, with the right password only', async () => {
    const { secret } = await turnOn(mine);
    const code = await nextCode(secret);
    await strangerTries(LOGIN_TRIES);
    const enter = (body: { password: string; code?: string }) => strangerTries(1, body);
    expect((await enter({ password }))[0]).toMatchObject(locked);
    expect((await enter({ password: WRONG_PASSWORD, code }))[0]).toMatchObject(locked);
    expect((await enter({ password, code: WRONG_CODE }))[0]).toMatchObject(locked);
    expect((await enter({ password, code }))[0]).toMatchObject({ code: 200 });
    expect((await enter({ password, code }))[0]).toMatchObject(locked);
  });

  test('no code opens the locked name of an account without a second factor', async () => {
    await strangerTries(LOGIN_TRIES);
    expect((await strangerTries(1, { password, code: WRONG_CODE }))[0]).toMatchObject(locked);
  });

  test('counted before the clock was set back, they lock nothing', async () => {
    await strangerTries(LOGIN_TRIES);
    await sql`update login_failures set last_at = now() + interval '70 minutes'`.execute(server.deps.db);
    expect((await strangerTries(1, { password }))[0]).toMatchObject({ code: 200 });
  });
});

describe('wrong codes', () => {
  const answer = async (code: string, calls = nobody.session) =>
    calls.loginCode({ body: { challenge: await challengeOf(server, mine), code } });

  test('lock the account over all challenges; a recovery code and a known browser pass', async () => {
    const { secret, recoveryCodes } = await turnOn(mine);
    const home = browser();
    const { cookie } = await home.logIn({ code: recoveryCodes[0] ?? '' });
    for (let n = 0; n < CODE_TRIES; n += 1) expect(await answer(WRONG_CODE)).toMatchObject({ error: 'BAD_CODE' });
    expect(await answer(await nextCode(secret))).toMatchObject(locked);
    expect(await answer('0123-4567-89ab-cdef')).toMatchObject(locked);
    expect(await answer(recoveryCodes[1] ?? '')).toMatchObject({ code: 200 });
    expect(await answer(await nextCode(secret), server.as(undefined, { cookie }).session)).toMatchObject({ code: 200 });
  });

  test('at once are as many tries, whatever the challenges', async () => {
    await turnOn(mine);
    const tokens = await Promise.all(Array.from({ length: 12 }, () => challengeOf(server, mine)));
    const answers = await Promise.all(
      tokens.map((token) => nobody.session.loginCode({ body: { challenge: token, code: WRONG_CODE } })),
    );
    expect(answers.filter(({ error }) => error === 'BAD_CODE')).toHaveLength(CODE_TRIES);
    expect(answers.filter(({ error }) => error === 'TOO_MANY')).toHaveLength(12 - CODE_TRIES);
  });

  test('a correct code sent in parallel is accepted once', async () => {
    const { secret } = await turnOn(mine);
    const tokens = await Promise.all(Array.from({ length: 6 }, () => challengeOf(server, mine)));
    const code = await nextCode(secret);
    const answers = await Promise.all(
      [...tokens, ...tokens].map((token) => nobody.session.loginCode({ body: { challenge: token, code } })),
    );
    expect(answers.filter((reply) => reply.code === 200)).toHaveLength(1);
  });

  test('a code that was taken before the clock was set back does not shut out those of now', async () => {
    const { secret } = await turnOn(mine);
    await sql`update users set totp_step = totp_step + 140 where id = ${mine.user.id}`.execute(server.deps.db);
    expect(await answer(await nextCode(secret))).toMatchObject({ code: 200 });
  });

  test('lock for twice as long each time, at most a day, and never between two locks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (failures) => {
        const ms = codeLockMs(failures);
        expect(ms).toBeLessThanOrEqual(CODE_LOCK_MINUTES.max * 60_000);
        expect(ms > 0).toBe(failures > 0 && failures % CODE_TRIES === 0);
        expect(codeLockMs(failures + CODE_TRIES)).toBeGreaterThanOrEqual(ms);
      }),
    );
    expect([5, 10, 15].map(codeLockMs)).toEqual([15, 30, 60].map((minutes) => minutes * 60_000));
  });
});
