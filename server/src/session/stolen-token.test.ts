import { LOGIN_TRIES } from '@ams/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { locked, nextCode, turnOn, WRONG_CODE, WRONG_PASSWORD } from '../../test/second-factor.ts';
import { ADMIN, dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const admin = await server.login();
const { password } = ADMIN;

let mine: Session;
beforeEach(async () => {
  mine = await server.createUser('member', admin);
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
          ? change(mine, WRONG_PASSWORD)
          : mine.calls.session
              .beginSecondFactor({ body: { password: WRONG_PASSWORD } })
              .then(({ error, code }) => ({ error, code })),
      ),
    );
    expect(guesses.filter(({ error }) => error === 'WRONG_PASSWORD')).toHaveLength(LOGIN_TRIES);
    expect(await change(mine, password)).toMatchObject(locked);
    expect(await mine.calls.session.endSecondFactor({ body: { password } })).toMatchObject(locked);
  });

  test('has five guesses at the password, also when the last ones wait for each other', async () => {
    const { db } = server.deps;
    for (let n = 1; n < LOGIN_TRIES; n += 1) await change(mine, WRONG_PASSWORD);
    const waiting = await db.transaction().execute(async (trx) => {
      await sql`select from sessions where user_id = ${mine.user.id} for update`.execute(trx);
      const guesses = [1, 2, 3, 4].map(() => change(mine, WRONG_PASSWORD));
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
    for (let n = 0; n < LOGIN_TRIES; n += 1) await change(mine, WRONG_PASSWORD);
    for (const other of others.slice(1)) {
      expect(await change(other, WRONG_PASSWORD)).toMatchObject({ error: 'WRONG_PASSWORD' });
      expect(await change(other, WRONG_PASSWORD)).toMatchObject(locked);
    }
    const fresh = await server.login(mine.user.username);
    dataOf(await change(fresh, password));
    expect(await mine.calls.users.list()).toMatchObject({ code: 401 });
  });

  test('sets no second factor up without password and code', async () => {
    const { secret, recoveryCodes } = await turnOn(mine);
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
