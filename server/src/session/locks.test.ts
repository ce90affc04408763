import { CODE_LOCK_MINUTES, CODE_TRIES, type LoginChallenge, LOGIN_TRIES } from '@ams/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { beforeEach, describe, expect, test } from 'vitest';
import { ADMIN, dataOf, type Session, startTestServer } from '../../test/server.ts';
import { codeLockMs } from './locks.ts';

const server = await startTestServer();
const admin = await server.login();
const nobody = server.as();
const { password } = ADMIN;
const WRONG = 'not this one';
const WRONG_CODE = '000000';

let mine: Session;
beforeEach(async () => {
  mine = await server.createUser('member', admin);
});

const seconds = expect.any(Number);
const locked = { code: 429, error: 'TOO_MANY', details: { seconds } };

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

const strangerTries = (times: number, body: { password: string; code?: string } = { password: WRONG }) =>
  Promise.all(
    Array.from({ length: times }, () => nobody.session.login({ body: { username: mine.user.username, ...body } })),
  );

async function turnOn(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { token, setup } = dataOf(await mine.calls.session.beginSecondFactor({ body: { password } }));
  const secret = setup?.secret ?? '';
  const code = await generate({ secret });
  return {
    secret,
    ...dataOf(await mine.calls.session.confirmSecondFactor({ body: { challenge: token, code } })),
  };
}

/** A code that was not taken before: that of the next half minute, which the tolerance allows. */
const nextCode = (secret: string): Promise<string> => generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 });

async function challenge(): Promise<string> {
  const answer = dataOf(await nobody.session.login({ body: { username: mine.user.username, password } }));
  if (!('challenge' in answer)) throw new Error('no code was asked for');
  return answer.challenge.token;
}

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
    for (let n = 0; n < LOGIN_TRIES; n += 1) expect((await home.logIn({ password: WRONG })).status).toBe(401);
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
    const { secret } = await turnOn();
    const code = await nextCode(secret);
    await strangerTries(LOGIN_TRIES);
    const enter = (body: { password: string; code?: string }) => strangerTries(1, body);
    expect((await enter({ password }))[0]).toMatchObject(locked);
    expect((await enter({ password: WRONG, code }))[0]).toMatchObject(locked);
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
    calls.loginCode({ body: { challenge: await challenge(), code } });

  test('lock the account over all challenges; a recovery code and a known browser pass', async () => {
    const { secret, recoveryCodes } = await turnOn();
    const home = browser();
    const { cookie } = await home.logIn({ code: recoveryCodes[0] ?? '' });
    for (let n = 0; n < CODE_TRIES; n += 1) expect(await answer(WRONG_CODE)).toMatchObject({ error: 'BAD_CODE' });
    expect(await answer(await nextCode(secret))).toMatchObject(locked);
    expect(await answer('0123-4567-89ab-cdef')).toMatchObject(locked);
    expect(await answer(recoveryCodes[1] ?? '')).toMatchObject({ code: 200 });
    expect(await answer(await nextCode(secret), server.as(undefined, { cookie }).session)).toMatchObject({ code: 200 });
  });

  test('at once are as many tries, whatever the challenges', async () => {
    await turnOn();
    const tokens = await Promise.all(Array.from({ length: 12 }, challenge));
    const answers = await Promise.all(
      tokens.map((token) => nobody.session.loginCode({ body: { challenge: token, code: WRONG_CODE } })),
    );
    expect(answers.filter(({ error }) => error === 'BAD_CODE')).toHaveLength(CODE_TRIES);
    expect(answers.filter(({ error }) => error === 'TOO_MANY')).toHaveLength(12 - CODE_TRIES);
  });

  test('a correct code sent in parallel is accepted once', async () => {
    const { secret } = await turnOn();
    const tokens = await Promise.all(Array.from({ length: 6 }, challenge));
    const code = await nextCode(secret);
    const answers = await Promise.all(
      [...tokens, ...tokens].map((token) => nobody.session.loginCode({ body: { challenge: token, code } })),
    );
    expect(answers.filter((reply) => reply.code === 200)).toHaveLength(1);
  });

  test('a code that was taken before the clock was set back does not shut out those of now', async () => {
    const { secret } = await turnOn();
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

describe('a stolen token', () => {
  const change = ({ calls, user }: Session, current: string) =>
    calls.users.changePassword({
      params: { id: user.id },
      body: { password: 'password2', confirm: 'password2', current },
    });

  test('has five guesses at the password, wherever it is asked for, even all at once', async () => {
    const guesses = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        n % 2
          ? change(mine, WRONG)
          : mine.calls.session
              .beginSecondFactor({ body: { password: WRONG } })
              .then(({ error, code }) => ({ error, code })),
      ),
    );
    expect(guesses.filter(({ error }) => error === 'WRONG_PASSWORD')).toHaveLength(LOGIN_TRIES);
    expect(await change(mine, password)).toMatchObject(locked);
    expect(await mine.calls.session.endSecondFactor({ body: { password } })).toMatchObject(locked);
  });

  test('has five guesses at the password, also when the last ones wait for each other', async () => {
    const { db } = server.deps;
    for (let n = 1; n < LOGIN_TRIES; n += 1) await change(mine, WRONG);
    const waiting = await db.transaction().execute(async (trx) => {
      await sql`select from sessions where user_id = ${mine.user.id} for update`.execute(trx);
      const guesses = [1, 2, 3, 4].map(() => change(mine, WRONG));
      await expect
        .poll(async () => {
          const { rows } = await sql<{ n: number }>`
            select count(*)::integer as n from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`.execute(trx);
          return rows[0]?.n;
        })
        .toBeGreaterThan(1);
      return { guesses };
    });
    const errors = (await Promise.all(waiting.guesses)).map((answer) => answer.error);
    expect(errors.toSorted()).toEqual(['TOO_MANY', 'TOO_MANY', 'TOO_MANY', 'WRONG_PASSWORD']);
  });

  test('does not lock out the owner, who logs in again; other sessions have one attempt left', async () => {
    const others = await Promise.all([1, 2, 3].map(() => server.login(mine.user.username)));
    for (let n = 0; n < LOGIN_TRIES; n += 1) await change(mine, WRONG);
    for (const other of others.slice(1)) {
      expect(await change(other, WRONG)).toMatchObject({ error: 'WRONG_PASSWORD' });
      expect(await change(other, WRONG)).toMatchObject(locked);
    }
    const fresh = await server.login(mine.user.username);
    dataOf(await change(fresh, password));
    expect(await mine.calls.users.list()).toMatchObject({ code: 401 });
  });

  test('sets no second factor up without password and code', async () => {
    const { secret, recoveryCodes } = await turnOn();
    const begin = (body: { password: string; code?: string }) => mine.calls.session.beginSecondFactor({ body });
    const bare = await fetch(`${server.url}/api/second-factor`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mine.token}` },
    });
    expect(bare.status).toBe(400);
    expect(await begin({ password })).toMatchObject({ code: 400, details: { fields: [{ path: 'code' }] } });
    expect(await begin({ password, code: WRONG_CODE })).toMatchObject({ error: 'BAD_CODE' });
    const code = await nextCode(secret);
    dataOf(await begin({ password, code }));
    expect(await begin({ password, code })).toMatchObject({ error: 'BAD_CODE' });
    dataOf(await begin({ password, code: recoveryCodes[0] ?? '' }));
  });
});

describe('a challenge', () => {
  const begun = async (session: Session) => {
    const { token, setup } = dataOf(await session.calls.session.beginSecondFactor({ body: { password } }));
    return { challenge: token, code: await generate({ secret: setup?.secret ?? '' }) };
  };
  const over = { code: 422, error: 'CHALLENGE_OVER' };

  test('of a set-up belongs to its session, and signs nobody in', async () => {
    const other = await server.login(mine.user.username);
    const stranger = await server.createUser('member', admin);
    const body = await begun(mine);
    for (const { calls } of [other, stranger]) {
      expect(await calls.session.confirmSecondFactor({ body })).toMatchObject(over);
    }
    expect(await nobody.session.loginCode({ body })).toMatchObject(over);
    dataOf(await mine.calls.session.confirmSecondFactor({ body }));
  });

  test('of a set-up is the only one of its session; of a login sets nothing up', async () => {
    const [first, second] = [await begun(mine), await begun(mine)];
    expect(await mine.calls.session.confirmSecondFactor({ body: first })).toMatchObject(over);
    dataOf(await mine.calls.session.confirmSecondFactor({ body: second }));
    const body = { challenge: await challenge(), code: WRONG_CODE };
    expect(await mine.calls.session.confirmSecondFactor({ body })).toMatchObject(over);
  });

  test('of a set-up goes on with the renewed token', async () => {
    const body = await begun(mine);
    const soon = new Date(Date.now() + 86_400_000);
    await server.deps.db
      .updateTable('sessions')
      .set({ expires_at: soon })
      .where('user_id', '=', mine.user.id)
      .execute();
    const reply = await fetch(`${server.url}/api/users`, { headers: { authorization: `Bearer ${mine.token}` } });
    dataOf(await server.as(reply.headers.get('token') ?? '').session.confirmSecondFactor({ body }));
  });

  const ENDINGS: [string, (own: Session) => Promise<unknown>][] = [
    ['log-out', ({ calls }) => calls.session.logout()],
    [
      'a new password',
      ({ calls, user }) =>
        calls.users.changePassword({
          params: { id: user.id },
          body: { password: 'password2', confirm: 'password2', current: password },
        }),
    ],
    [
      'a password set from above',
      ({ user }) =>
        admin.calls.users.changePassword({
          params: { id: user.id },
          body: { password: 'password2', confirm: 'password2' },
        }),
    ],
    ['a reset from above', ({ user }) => admin.calls.users.resetSecondFactor({ params: { id: user.id } })],
  ];

  test.each(ENDINGS)('ends with %s, whatever it is for', async (_, end) => {
    await turnOn();
    const atLogin = { challenge: await challenge(), code: WRONG_CODE };
    await end(mine);
    expect(await nobody.session.loginCode({ body: atLogin })).toMatchObject(over);

    mine = await server.createUser('member', admin);
    const atSetup = await begun(mine);
    await end(mine);
    const { rows } = await sql`select from challenges where user_id = ${mine.user.id}`.execute(server.deps.db);
    expect(rows).toEqual([]);
    expect(await nobody.session.loginCode({ body: atSetup })).toMatchObject(over);
    expect(await mine.calls.session.confirmSecondFactor({ body: atSetup })).not.toMatchObject({ code: 200 });
  });

  test('of an account that was disabled tells that, and holds no more when it is enabled again', async () => {
    const { secret } = await turnOn();
    const body = { challenge: await challenge(), code: await nextCode(secret) };
    const patch = (change: { disabled: boolean; remark?: string }) =>
      admin.calls.users.update({ params: { id: mine.user.id }, body: change });
    dataOf(await patch({ disabled: true, remark: 'unpaid' }));
    expect(await nobody.session.loginCode({ body })).toMatchObject({
      code: 401,
      error: 'FORBIDDEN_USER',
      details: { remark: 'unpaid' },
    });
    dataOf(await patch({ disabled: false }));
    expect(await nobody.session.loginCode({ body })).toMatchObject(over);
  });

  test('of an account that was deleted is no credential; one that nobody made tells nothing', async () => {
    await turnOn();
    const body = { challenge: await challenge(), code: WRONG_CODE };
    const forged = Buffer.from(body.challenge, 'base64url');
    forged.writeUInt8(forged.readUInt8(20) ^ 1, 20);
    dataOf(await admin.calls.users.delete({ params: { id: mine.user.id } }));
    expect(await nobody.session.loginCode({ body })).toMatchObject({ code: 401, error: 'BAD_CREDENTIALS' });
    const made = { challenge: forged.toString('base64url'), code: WRONG_CODE };
    expect(await nobody.session.loginCode({ body: made })).toMatchObject(over);
  });

  test('answered while the account is disabled leaves no session', async () => {
    const { recoveryCodes } = await turnOn();
    const tokens = await Promise.all(recoveryCodes.map(challenge));
    const answers = tokens.map((token, n) =>
      fetch(`${server.url}/api/login/code`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ challenge: token, code: recoveryCodes[n] }),
      }),
    );
    const disabling = admin.calls.users.update({
      params: { id: mine.user.id },
      body: { disabled: true, remark: 'unpaid' },
    });
    const replies = await Promise.all(answers);
    dataOf(await disabling);
    for (const { status } of replies) expect([200, 401, 422]).toContain(status);
    const { rows } = await sql`select from sessions where user_id = ${mine.user.id}`.execute(server.deps.db);
    expect(rows).toEqual([]);
  });
});

test('a registration below a user who requires a second factor begins no session without one', async () => {
  const dealer = await server.createUser('leading', admin);
  dataOf(await dealer.calls.users.update({ params: { id: dealer.user.id }, body: { secondFactorBelow: true } }));
  const { items } = dataOf(await dealer.calls.users.createInvitations({ body: { count: 1 } }));
  const username = `new${Date.now() % 1e9}`;
  const body = { code: items[0]?.code ?? '', username, password, confirm: password };
  const reply = await fetch(`${server.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.headers.get('token')).toBeNull();
  const answer = (await reply.json()) as { data: { challenge: LoginChallenge } };
  const { token, setup } = answer.data.challenge;
  const code = await generate({ secret: setup?.secret ?? '' });
  expect(dataOf(await nobody.session.loginCode({ body: { challenge: token, code } })).recoveryCodes).toHaveLength(8);
});
