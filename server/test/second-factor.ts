import { generate } from 'otplib';
import { expect } from 'vitest';
import { ADMIN, dataOf, type Session, type TestServer } from './server.ts';

const { password } = ADMIN;

export const WRONG_PASSWORD = 'not this one';
export const WRONG_CODE = '000000';

/** The answer to attempts on a locked account. */
export const locked = { code: 429, error: 'TOO_MANY', details: { seconds: expect.any(Number) } };

/** Turns two-factor login on for an account. */
export async function turnOn({ calls }: Session): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { token, setup } = dataOf(await calls.session.beginSecondFactor({ body: { password } }));
  const secret = setup?.secret ?? '';
  const code = await generate({ secret });
  return { secret, ...dataOf(await calls.session.confirmSecondFactor({ body: { challenge: token, code } })) };
}

/** A code that was not used before: that of the next half minute, which the tolerance allows. */
export const nextCode = (secret: string): Promise<string> =>
  generate({ secret, epoch: Math.floor(Date.now() / 1000) + 30 });

/** The challenge of a login with the right password. */
export async function challengeOf(server: Pick<TestServer, 'as'>, { user }: Session): Promise<string> {
  const answer = dataOf(await server.as().session.login({ body: { username: user.username, password } }));
  if (!('challenge' in answer)) throw new Error('no code was asked for');
  return answer.challenge.token;
}
