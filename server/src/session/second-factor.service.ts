import { randomBytes } from 'node:crypto';
import { AppError, CHALLENGE_MINUTES, CHALLENGE_TRIES, type LoginChallenge, type LoginCodeBody } from '@ams/contract';
import { sql } from 'kysely';
import { generateSecret, generateURI, verify } from 'otplib';
import { toDataURL } from 'qrcode';
import { audit } from '../platform/audit.ts';
import { hashToken, newToken, type Viewer } from '../platform/auth.ts';
import type { Db } from '../platform/database.ts';
import { publish } from '../platform/events.ts';
import { prepared } from '../platform/prepared.ts';
import { checkPassword, endSessions } from './session.service.ts';

const ISSUER = 'Advertising Management System';
/** A phone's clock may be half a minute off. */
const TOLERANCE_SECONDS = 30;
const RECOVERY_CODES = 8;
const RECOVERY_CODE_BYTES = 8;

interface Account {
  id: string;
  username: string;
}

/** Somebody above the user demands a second factor of everybody below. */
async function isDemanded(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from user_scopes s join users a on a.id = s.ancestor_id
    where s.user_id = ${userId} and a.id <> ${userId} and a.second_factor_below limit 1 ${prepared}`.execute(db);
  return rows.length > 0;
}

/** What is asked besides the password, or undefined when nothing is. */
export async function challengeLogin(db: Db, userId: string): Promise<LoginChallenge | undefined> {
  const account = await db
    .selectFrom('users')
    .select(['id', 'username', 'totp_secret'])
    .where('id', '=', userId)
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  if (account.totp_secret !== null) return { token: await challenge(db, userId, null), setup: null };
  return (await isDemanded(db, userId)) ? beginSetup(db, account) : undefined;
}

/** A new secret for an authenticator app. It counts once a code of it was given. */
export async function beginSetup(db: Db, { id, username }: Account): Promise<LoginChallenge> {
  const secret = generateSecret();
  const qr = await toDataURL(generateURI({ issuer: ISSUER, label: username, secret }), { margin: 2, scale: 6 });
  return { token: await challenge(db, id, secret), setup: { secret, qr } };
}

async function challenge(db: Db, userId: string, secret: string | null): Promise<string> {
  const token = newToken();
  await db
    .insertInto('challenges')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      secret,
      expires_at: new Date(Date.now() + CHALLENGE_MINUTES * 60_000),
    })
    .execute();
  return token;
}

export interface Answered {
  userId: string;
  /** New ones, when the code has just set the second factor up. */
  recoveryCodes: string[] | null;
}

/**
 * Takes the answer to a challenge, which is used up then. Wrong codes are counted, across processes.
 * @throws `CHALLENGE_OVER` after too many tries or minutes, `BAD_CODE`
 */
export async function answerChallenge(db: Db, token: string, code: string): Promise<Answered> {
  const tokenHash = hashToken(token);
  // Counted before the code is looked at: answers that come at once are as many tries.
  const open = await db
    .updateTable('challenges')
    .set({ tries: sql`tries + 1` })
    .where('token_hash', '=', tokenHash)
    .where('tries', '<', CHALLENGE_TRIES)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['user_id', 'secret'])
    .executeTakeFirst();
  if (!open) throw new AppError('CHALLENGE_OVER');
  return db.transaction().execute(async (trx) => {
    const recoveryCodes = await takeCode(trx, open.user_id, open.secret, code.replace(/[\s-]/g, ''));
    const used = await trx.deleteFrom('challenges').where('token_hash', '=', tokenHash).executeTakeFirst();
    if (used.numDeletedRows === 0n) throw new AppError('CHALLENGE_OVER');
    return { userId: open.user_id, recoveryCodes };
  });
}

async function takeCode(trx: Db, userId: string, setup: string | null, code: string): Promise<string[] | null> {
  const user = await trx
    .selectFrom('users')
    .select(['totp_secret', 'totp_step'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (setup !== null) {
    const step = await stepOf(setup, code, 0);
    if (step === undefined) throw new AppError('BAD_CODE');
    await trx.updateTable('users').set({ totp_secret: setup, totp_step: step }).where('id', '=', userId).execute();
    await audit(trx, { id: userId }, { action: 'users.secondFactorOn', targetId: userId });
    return makeRecoveryCodes(trx, userId);
  }
  // It was taken away meanwhile: the password alone is enough again.
  if (user.totp_secret === null) return null;
  const step = await stepOf(user.totp_secret, code, user.totp_step);
  if (step !== undefined) {
    await trx.updateTable('users').set({ totp_step: step }).where('id', '=', userId).execute();
  } else if (!(await useRecoveryCode(trx, userId, code))) throw new AppError('BAD_CODE');
  return null;
}

/** The time step of a right code that is later than `after`; undefined for any other text. */
async function stepOf(secret: string, code: string, after: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const result = await verify({ secret, token: code, epochTolerance: TOLERANCE_SECONDS, afterTimeStep: after });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

async function useRecoveryCode(trx: Db, userId: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashToken(code.toLowerCase()))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** They are random and long: one round of hashing is enough to store them safely. */
async function makeRecoveryCodes(trx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(RECOVERY_CODE_BYTES).toString('hex'));
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashToken(code) })))
    .execute();
  return codes.map((code) => code.replace(/(.{4})(?!$)/g, '$1-'));
}

/** Turns the viewer's second factor on by a first code; the other sessions end. */
export async function confirmSecondFactor(
  db: Db,
  viewer: Viewer,
  { challenge: token, code }: LoginCodeBody,
): Promise<{ recoveryCodes: string[] }> {
  const { userId, recoveryCodes } = await answerChallenge(db, token, code);
  if (userId !== viewer.id || recoveryCodes === null) throw new AppError('CHALLENGE_OVER');
  await endSessions(db, viewer.id, viewer.tokenHash);
  await publish(db, { topic: 'users', ids: [viewer.id] });
  return { recoveryCodes };
}

/** Turns the viewer's second factor off, unless somebody above demands one. */
export async function endSecondFactor(db: Db, viewer: Viewer, password: string): Promise<void> {
  if (await isDemanded(db, viewer.id)) throw new AppError('SECOND_FACTOR_DEMANDED');
  await checkPassword(db, viewer.id, password);
  await db.transaction().execute(async (trx) => {
    await removeSecondFactor(trx, viewer.id);
    await audit(trx, viewer, { action: 'users.secondFactorOff', targetId: viewer.id, target: viewer.username });
  });
}

/** The password alone is enough again. */
export async function removeSecondFactor(trx: Db, userId: string): Promise<void> {
  await trx.updateTable('users').set({ totp_secret: null, totp_step: 0 }).where('id', '=', userId).execute();
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx.deleteFrom('challenges').where('user_id', '=', userId).execute();
}

export async function cleanChallenges(db: Db): Promise<void> {
  await sql`delete from challenges where expires_at < now()`.execute(db);
}
