import { CHALLENGE_TRIES, type LoginChallenge } from '@ams/contract';
import { generate } from 'otplib';
import { beforeEach, describe, expect, test } from 'vitest';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const nobody = server.as();
const PASSWORD = 'password of tests';
const STEP_SECONDS = 30;

let dealer: Session;
let member: Session;
/** Codes of the future: none of them was taken before. */
let ahead = 0;

beforeEach(async () => {
  const admin = await server.login();
  dealer = await server.createUser('leading', admin);
  member = await server.createUser('member', dealer);
  const body = { password: PASSWORD, confirm: PASSWORD };
  for (const { user } of [dealer, member]) {
    dataOf(await admin.calls.users.changePassword({ params: { id: user.id }, body }));
  }
  dealer = await server.login(dealer.user.username, PASSWORD);
  member = await server.login(member.user.username, PASSWORD);
  ahead = 0;
});

const login = async (session: Session) =>
  dataOf(await nobody.session.login({ body: { username: session.user.username, password: PASSWORD } }));

async function challengeOf(session: Session): Promise<LoginChallenge> {
  const answer = await login(session);
  if (!('challenge' in answer)) throw new Error('no code was asked for');
  return answer.challenge;
}

/** A code that was not taken before. The phone's clock may be half a minute ahead, but no more. */
const codeOf = (secret: string): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + STEP_SECONDS * ahead++ });

/** Turns the second factor of a session's user on. */
async function turnOn(session: Session): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { token, setup } = dataOf(await session.calls.session.beginSecondFactor({ body: { password: PASSWORD } }));
  const secret = setup?.secret ?? '';
  const body = { challenge: token, code: await codeOf(secret) };
  return { secret, ...dataOf(await session.calls.session.confirmSecondFactor({ body })) };
}

const inArabic = (code: string): string => code.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));

describe('who has turned it on', () => {
  test('gets in with password and code; the other sessions were ended', async () => {
    const other = await server.login(member.user.username, PASSWORD);
    const { secret } = await turnOn(member);
    expect(await other.calls.home.summary()).toMatchObject({ code: 401 });
    expect(dataOf(await member.calls.users.get({ params: { id: member.user.id } })).secondFactor).toBe(true);

    const challenge = await challengeOf(member);
    expect(challenge.setup).toBeNull();
    const answer = dataOf(
      await nobody.session.loginCode({ body: { challenge: challenge.token, code: await codeOf(secret) } }),
    );
    expect(answer).toMatchObject({ user: { id: member.user.id }, recoveryCodes: null });
  });

  test('gets in by a code in the digits of an Arabic keyboard', async () => {
    const { secret } = await turnOn(member);
    const challenge = await challengeOf(member);
    const code = inArabic(await codeOf(secret));
    const answer = dataOf(await nobody.session.loginCode({ body: { challenge: challenge.token, code } }));
    expect(answer).toMatchObject({ user: { id: member.user.id } });
  });

  test('has begun nothing by asking for a secret alone', async () => {
    dataOf(await member.calls.session.beginSecondFactor({ body: { password: PASSWORD } }));
    expect(await login(member)).toMatchObject({ user: { id: member.user.id } });
  });

  test('cannot use a code twice, nor a challenge', async () => {
    const { secret } = await turnOn(member);
    const code = await codeOf(secret);
    const first = await challengeOf(member);
    dataOf(await nobody.session.loginCode({ body: { challenge: first.token, code } }));
    const again = { challenge: first.token, code: await codeOf(secret) };
    expect(await nobody.session.loginCode({ body: again })).toMatchObject({ code: 422, error: 'CHALLENGE_OVER' });
    const second = await challengeOf(member);
    expect(await nobody.session.loginCode({ body: { challenge: second.token, code } })).toMatchObject({
      code: 422,
      error: 'BAD_CODE',
    });
  });

  test('has few tries, even all at once', async () => {
    const { secret } = await turnOn(member);
    const { token } = await challengeOf(member);
    const tries = await Promise.all(
      Array.from({ length: CHALLENGE_TRIES * 2 }, () =>
        nobody.session.loginCode({ body: { challenge: token, code: '000000' } }),
      ),
    );
    expect(tries.filter(({ error }) => error === 'BAD_CODE')).toHaveLength(CHALLENGE_TRIES);
    expect(await nobody.session.loginCode({ body: { challenge: token, code: await codeOf(secret) } })).toMatchObject({
      error: 'CHALLENGE_OVER',
    });
  });

  test('gets in by each recovery code once', async () => {
    const { recoveryCodes } = await turnOn(member);
    const [code = ''] = recoveryCodes;
    const first = await challengeOf(member);
    dataOf(await nobody.session.loginCode({ body: { challenge: first.token, code: ` ${code.toUpperCase()} ` } }));
    const second = await challengeOf(member);
    expect(await nobody.session.loginCode({ body: { challenge: second.token, code } })).toMatchObject({
      error: 'BAD_CODE',
    });
  });

  test('turns it off with the password and a code', async () => {
    const { secret, recoveryCodes } = await turnOn(member);
    const [code = ''] = recoveryCodes;
    const end = (body: { password: string; code?: string }) => member.calls.session.endSecondFactor({ body });
    expect(await end({ password: 'guessed', code: await codeOf(secret) })).toMatchObject({ error: 'WRONG_PASSWORD' });
    expect(await end({ password: PASSWORD })).toMatchObject({ code: 400, details: { fields: [{ path: 'code' }] } });
    expect(await end({ password: PASSWORD, code: '000000' })).toMatchObject({ error: 'BAD_CODE' });
    dataOf(await end({ password: PASSWORD, code }));
    expect(await login(member)).toMatchObject({ user: { id: member.user.id } });
  });
});

describe('a leading user', () => {
  const demand = (secondFactorBelow: boolean) =>
    dealer.calls.users.update({ params: { id: dealer.user.id }, body: { secondFactorBelow } });

  test('requires it of all users below: they set it up on login and cannot turn it off', async () => {
    dataOf(await demand(true));
    expect(await login(dealer)).toMatchObject({ user: { id: dealer.user.id } });
    const { token, setup } = await challengeOf(member);
    const body = { challenge: token, code: await codeOf(setup?.secret ?? '') };
    const { recoveryCodes } = dataOf(await nobody.session.loginCode({ body }));
    expect(recoveryCodes).toHaveLength(8);
    expect((await challengeOf(member)).setup).toBeNull();
    expect(await member.calls.session.endSecondFactor({ body: { password: PASSWORD } })).toMatchObject({
      error: 'SECOND_FACTOR_DEMANDED',
    });
  });

  test('can demand one: a session without it is not renewed, and ends with its week', async () => {
    const isRenewed = async (): Promise<boolean> => {
      await server.deps.db
        .updateTable('sessions')
        .set({ expires_at: new Date(Date.now() + 86_400_000) })
        .where('user_id', '=', member.user.id)
        .execute();
      const reply = await fetch(`${server.url}/api/users`, { headers: { authorization: `Bearer ${member.token}` } });
      expect(reply.status).toBe(200);
      return reply.headers.has('token');
    };
    dataOf(await demand(true));
    expect(await isRenewed()).toBe(false);
    await turnOn(member);
    expect(await isRenewed()).toBe(true);
  });

  test('only a leading user removes the lost second factor of a user below', async () => {
    await turnOn(member);
    const stranger = await server.createUser('leading');
    const params = { id: member.user.id };
    expect(await stranger.calls.users.resetSecondFactor({ params })).toMatchObject({ code: 404 });
    expect(dataOf(await dealer.calls.users.resetSecondFactor({ params })).secondFactor).toBe(false);
    expect(await member.calls.home.summary()).toMatchObject({ code: 401 });
    expect(await login(member)).toMatchObject({ user: { id: member.user.id } });
  });
});
