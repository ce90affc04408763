import './session.tables.ts';
import { randomBytes } from 'node:crypto';
import { AppError } from '@ams/contract';
import { sql } from 'kysely';
import { hashToken } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';
import { updateCredentials } from '../users/users.service.ts';
import { type CodeFailures, currentFailures, refuseLockedCodes } from './locks.ts';

/** A phone's clock may be half a minute off. */
const TOLERANCE_SECONDS = 30;
const RECOVERY_CODES = 8;
const RECOVERY_CODE_BYTES = 8;

/** A person who signs in, whose row this transaction holds until its end. */
export interface HeldAccount extends CodeFailures {
  id: string;
  /** The account that the person acts for; the holder's is its own. */
  accountId: string;
  username: string;
  passwordHash: string;
  /** The person or the account. */
  disabled: boolean;
  remark: string | null;
  /** Null without a second factor. */
  secret: string | null;
  /** The time step of the last code that was taken. */
  step: number;
}

const agoMs = (at: string) => sql<number>`coalesce(extract(epoch from now() - ${sql.ref(at)}) * 1000, 0)::float8`;

/**
 * Holds the row of a person; undefined when it was deleted. Disabling an account holds its colleagues, too: the state
 * of the account is read once the colleague is held.
 */
export async function holdAccount(trx: Db, id: string): Promise<HeldAccount | undefined> {
  const person = await trx
    .selectFrom('users')
    .select(sql<string>`coalesce(colleague_of, id)`.as('accountId'))
    .select(['id', 'username', 'password_hash as passwordHash', 'disabled', 'remark'])
    .select(['totp_secret as secret', 'totp_step as step', 'code_failures as failures'])
    .select(agoMs('code_failed_at').as('agoMs'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .modifyEnd(prepared)
    .executeTakeFirst();
  if (!person || person.accountId === id) return person;
  const account = await trx
    .selectFrom('users')
    .select(['disabled', 'remark'])
    .where('id', '=', person.accountId)
    .executeTakeFirst();
  return account?.disabled ? { ...person, ...account } : person;
}

/** Additional counter for failures: a known browser has its own attempts, a session has already been counted. */
export type CodeSender = { kind: 'stranger' } | { kind: 'browser'; browser: Buffer } | { kind: 'session' };

/** The sender of a code by the browser that it came from. */
export async function senderOf(trx: Db, userId: string, browser: string | undefined): Promise<CodeSender> {
  if (browser === undefined) return { kind: 'stranger' };
  const known = await trx
    .selectFrom('known_browsers')
    .select('token_hash')
    .where('token_hash', '=', hashToken(browser))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return known ? { kind: 'browser', browser: known.token_hash } : { kind: 'stranger' };
}

/**
 * Takes a code of an account's second factor: each of the app is taken once, each recovery code as well. Answers why it
 * is refused instead of throwing: the failure that was counted has to be committed. A recovery code is too long to be
 * guessed and passes any lock.
 */
export async function takeCode(
  trx: Db,
  account: HeldAccount,
  given: string,
  sender: CodeSender,
): Promise<AppError | undefined> {
  const code = given.replace(/[\s-]/g, '');
  if (await useRecoveryCode(trx, account.id, code)) return undefined;
  const counted = await failuresOf(trx, account, sender);
  try {
    if (counted) refuseLockedCodes(counted);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  const step = account.secret === null ? undefined : await stepOf(account.secret, code, account.step);
  if (step === undefined) {
    if (counted) await countWrongCode(trx, account, sender, currentFailures(counted) + 1);
    return new AppError('BAD_CODE');
  }
  await updateCredentials(trx, account.id, { totp_step: step });
  if (counted && counted.failures > 0) await countWrongCode(trx, account, sender, 0);
  return undefined;
}

async function failuresOf(trx: Db, account: HeldAccount, sender: CodeSender): Promise<CodeFailures | undefined> {
  switch (sender.kind) {
    case 'stranger':
      return account;
    case 'browser':
      return trx
        .selectFrom('known_browsers')
        .select('failures')
        .select(agoMs('failed_at').as('agoMs'))
        .where('token_hash', '=', sender.browser)
        .where('user_id', '=', account.id)
        .executeTakeFirst();
    case 'session':
      return undefined;
  }
}

async function countWrongCode(trx: Db, { id }: HeldAccount, sender: CodeSender, failures: number): Promise<void> {
  const at = sql<Date>`now()`;
  if (sender.kind === 'browser') {
    await trx
      .updateTable('known_browsers')
      .set({ failures, failed_at: at })
      .where('token_hash', '=', sender.browser)
      .where('user_id', '=', id)
      .execute();
  } else {
    await updateCredentials(trx, id, { code_failures: failures, code_failed_at: at });
  }
}

const STEP_SECONDS = 30;

/**
 * The time step of a right code that is later than `after`; undefined for any other text. A last step that lies ahead
 * is from before the clock was set back: it must not lock the account until the clock gets there again.
 */
export async function stepOf(secret: string, code: string, after: number): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const latest = Math.floor((Date.now() / 1000 + TOLERANCE_SECONDS) / STEP_SECONDS);
  const { verify } = await import('otplib');
  const result = await verify({
    secret,
    token: code,
    epochTolerance: TOLERANCE_SECONDS,
    afterTimeStep: after > latest ? 0 : after,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}

async function useRecoveryCode(trx: Db, userId: string, code: string): Promise<boolean> {
  if (code.length !== RECOVERY_CODE_BYTES * 2) return false;
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hashToken(code.toLowerCase()))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** They are random and long: one round of hashing is enough to store them safely. */
export async function makeRecoveryCodes(trx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(RECOVERY_CODE_BYTES).toString('hex'));
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashToken(code) })))
    .execute();
  return codes.map((code) => code.replace(/(.{4})(?!$)/g, '$1-'));
}
