import { type LoginChallenge } from '@ams/contract';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { beforeEach, describe, expect, test } from 'vitest';
import { challengeOf, nextCode, turnOn } from '../../test/second-factor.ts';
import { ADMIN, dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const admin = await server.login();
const nobody = server.as();
const { password } = ADMIN;
const WRONG_CODE = '000000';

let mine: Session;
beforeEach(async () => {
  mine = await server.createUser('member', admin);
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
    const body = { challenge: await challengeOf(server, mine), code: WRONG_CODE };
    expect(await mine.calls.session.confirmSecondFactor({ body })).toMatchObject(over);
  });

  test('of a set-up continues with the renewed token', async () => {
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
    await turnOn(mine);
    const atLogin = { challenge: await challengeOf(server, mine), code: WRONG_CODE };
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

  test('of an account that was disabled has that error, and stays invalid when the account is enabled again', async () => {
    const { secret } = await turnOn(mine);
    const body = { challenge: await challengeOf(server, mine), code: await nextCode(secret) };
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

  test('of an account that was deleted is no credential; a forged one reveals nothing', async () => {
    await turnOn(mine);
    const body = { challenge: await challengeOf(server, mine), code: WRONG_CODE };
    const forged = Buffer.from(body.challenge, 'base64url');
    forged.writeUInt8(forged.readUInt8(20) ^ 1, 20);
    dataOf(await admin.calls.users.delete({ params: { id: mine.user.id } }));
    expect(await nobody.session.loginCode({ body })).toMatchObject({ code: 401, error: 'BAD_CREDENTIALS' });
    const made = { challenge: forged.toString('base64url'), code: WRONG_CODE };
    expect(await nobody.session.loginCode({ body: made })).toMatchObject(over);
  });

  test('answered while the account is disabled leaves no session', async () => {
    const { recoveryCodes } = await turnOn(mine);
    const tokens = await Promise.all(recoveryCodes.map(() => challengeOf(server, mine)));
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

test('a registration below a user that requires a second factor begins no session without one', async () => {
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
