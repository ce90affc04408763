import './session.tables.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError, CHALLENGE_MINUTES, CHALLENGE_TRIES } from '@ams/contract';
import { sql } from 'kysely';
import { parse, stringify } from 'uuid';
import { hashToken } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';

const ID_BYTES = 16;
const RANDOM_BYTES = 32;
const MAC_BYTES = 16;

type Signing = Pick<Deps, 'signer'>;

/** A challenge contains its user, so that an error can explain why it no longer holds; it is signed. */
function makeToken({ signer }: Signing, userId: string): string {
  const body = Buffer.concat([parse(userId), randomBytes(RANDOM_BYTES)]);
  return Buffer.concat([body, signer.mac('challenge', body).subarray(0, MAC_BYTES)]).toString('base64url');
}

/** User of a challenge, or undefined if this server did not create it. */
function ownerOf({ signer }: Signing, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + RANDOM_BYTES + MAC_BYTES) return undefined;
  const body = bytes.subarray(0, -MAC_BYTES);
  const mac = signer.mac('challenge', body).subarray(0, MAC_BYTES);
  if (!timingSafeEqual(mac, bytes.subarray(-MAC_BYTES))) return undefined;
  return stringify(body.subarray(0, ID_BYTES));
}

interface NewChallenge {
  userId: string;
  secret: string | null;
  /** The session that sets a second factor up; without it the challenge is a login's. */
  session?: Buffer;
}

/**
 * Makes a challenge, in the transaction that holds the account's row: what ends the account's sessions meanwhile ends
 * the challenge, too. One of a session is the only one of that session, and goes with it.
 */
export async function makeChallenge(trx: Db, deps: Signing, wanted: NewChallenge): Promise<string> {
  const { userId, secret, session } = wanted;
  if (session) {
    const { rows } = await sql`select from sessions where token_hash = ${session} for update`.execute(trx);
    if (rows.length === 0) throw new AppError('UNAUTHENTICATED');
    await trx.deleteFrom('challenges').where('session_hash', '=', session).execute();
  }
  const token = makeToken(deps, userId);
  await trx
    .insertInto('challenges')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      purpose: session ? 'setup' : 'login',
      session_hash: session ?? null,
      secret,
      expires_at: sql<Date>`now() + make_interval(mins => ${CHALLENGE_MINUTES})`,
    })
    .execute();
  return token;
}

export interface OpenChallenge {
  tokenHash: Buffer;
  userId: string;
  secret: string | null;
}

/**
 * Finds an open challenge and counts a try, before the code is looked at: answers at once are as many tries.
 * `session` is that of whoever sets a second factor up; without it a login is answered.
 * @throws `CHALLENGE_OVER`; `FORBIDDEN_USER` and `BAD_CREDENTIALS` when the account was disabled or deleted meanwhile
 */
export async function tryChallenge(deps: Deps, token: string, session?: Buffer): Promise<OpenChallenge> {
  const tokenHash = hashToken(token);
  const { rows } = await sql<{ userId: string; secret: string | null }>`
    update challenges set tries = tries + 1
    where token_hash = ${tokenHash} and tries < ${CHALLENGE_TRIES} and expires_at > now()
      and ${
        session
          ? sql`purpose = 'setup' and session_hash = ${session}`
          : sql`(purpose = 'login' or (purpose is null and secret is null))`
      }
    returning user_id as "userId", secret`.execute(deps.db);
  if (rows[0]) return { ...rows[0], tokenHash };
  const owner = session ? undefined : ownerOf(deps, token);
  throw owner === undefined ? new AppError('CHALLENGE_OVER') : await whyOver(deps.db, owner);
}

async function whyOver(db: Db, userId: string): Promise<AppError> {
  const account = await db
    .selectFrom('users as p')
    .innerJoin('users as x', (join) => join.on('x.id', '=', sql<string>`coalesce(p.colleague_of, p.id)`))
    .select(['x.remark', sql<boolean>`p.disabled or x.disabled`.as('disabled')])
    .where('p.id', '=', userId)
    .executeTakeFirst();
  if (!account) return new AppError('BAD_CREDENTIALS');
  return account.disabled
    ? new AppError('FORBIDDEN_USER', { remark: account.remark ?? '' })
    : new AppError('CHALLENGE_OVER');
}

/** Whether a challenge is still there; asked once the account's row is held. */
export async function isOpen(trx: Db, { tokenHash }: OpenChallenge): Promise<boolean> {
  const { rows } = await sql`select from challenges where token_hash = ${tokenHash}`.execute(trx);
  return rows.length > 0;
}

export async function endChallenge(trx: Db, { tokenHash }: OpenChallenge): Promise<void> {
  await trx.deleteFrom('challenges').where('token_hash', '=', tokenHash).execute();
}

/** Ends all challenges of an account, of whatever purpose. */
export async function endChallenges(trx: Db, userId: string): Promise<void> {
  await trx.deleteFrom('challenges').where('user_id', '=', userId).execute();
}

export async function cleanChallenges(db: Db): Promise<void> {
  await sql`delete from challenges where expires_at < now()`.execute(db);
}
