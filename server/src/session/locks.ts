import './session.tables.ts';
import { AppError, CODE_LOCK_MINUTES, CODE_TRIES, LOGIN_LOCK_MINUTES, LOGIN_TRIES } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { hashToken } from '../platform/auth/auth.ts';
import { AHEAD_MAX } from '../platform/database/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';

export const LOCK_WINDOW = sql`make_interval(mins => ${sql.lit(LOGIN_LOCK_MINUTES)})`;
/** Within the last quarter of an hour. A time that lies ahead is from before the clock went back, and counts no more. */
export const isRecent = (at: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${at} > now() - ${LOCK_WINDOW} and ${at} < now() + ${AHEAD_MAX})`;

export const tooMany = (seconds: number): AppError => new AppError('TOO_MANY', { seconds });

/**
 * How long wrong codes lock an account after the last of them, in milliseconds: a guess of six digits is right far
 * more often than one of a password, so each further lock takes twice as long, up to a day.
 */
export function codeLockMs(failures: number): number {
  const locks = Math.floor(failures / CODE_TRIES);
  if (locks === 0 || failures % CODE_TRIES !== 0) return 0;
  return Math.min(CODE_LOCK_MINUTES.first * 2 ** (locks - 1), CODE_LOCK_MINUTES.max) * 60_000;
}

/** Wrong codes, and how long ago the last was given. */
export interface CodeFailures {
  failures: number;
  agoMs: number;
}

/** Wrong codes are forgotten when none was given for as long as the longest lock. */
export const currentFailures = ({ failures, agoMs }: CodeFailures): number =>
  agoMs < CODE_LOCK_MINUTES.max * 60_000 ? failures : 0;

/** @throws `TOO_MANY` while wrong codes lock the account */
export function refuseLockedCodes(counted: CodeFailures): void {
  const leftMs = codeLockMs(currentFailures(counted)) - Math.max(0, counted.agoMs);
  if (leftMs > 0) throw tooMany(Math.ceil(leftMs / 1000));
}

/** A name as somebody types it at the login, with what is known before the password is checked. */
export interface Attempted {
  key: string;
  /** Undefined when nobody has this name. */
  id: string | undefined;
  passwordHash: string | undefined;
  /** The browser was signed in with as this account before: its failures are counted by themselves. */
  known: Buffer | undefined;
  /** So long is the name, or the known browser, locked. Seconds; 0 when it is not. */
  lockedSeconds: number;
  failures: number;
}

interface AttemptRow {
  id: string | null;
  passwordHash: string | null;
  known: boolean;
  failures: number;
  seconds: number;
}

/** Looks a name up, with its failures of the last minutes: those of this browser where it is known, else of strangers. */
export async function lookUp(db: Db, key: string, browser: string | undefined): Promise<Attempted> {
  const browserHash = browser === undefined ? null : hashToken(browser);
  const { rows } = await sql<AttemptRow>`
    with found as (
      select u.id, u.password_hash, b.user_id is not null as known,
        case when b.user_id is null then f.count else b.failures end as failures,
        case when b.user_id is null then f.last_at else b.failed_at end as last_at
      from (select ${key}::text as name) typed
      left join users u on u.username_key = typed.name
      left join login_failures f on f.username_key = typed.name
      left join known_browsers b on b.user_id = u.id and b.token_hash = ${browserHash}::bytea)
    select id, password_hash as "passwordHash", known,
      case when ${isRecent(sql`last_at`)} then failures else 0 end as failures,
      coalesce(ceil(extract(epoch from last_at + ${LOCK_WINDOW} - now())), 0)::integer as seconds
    from found ${prepared}`.execute(db);
  const [row] = rows;
  const failures = row?.failures ?? 0;
  return {
    key,
    id: row?.id ?? undefined,
    passwordHash: row?.passwordHash ?? undefined,
    known: row?.known ? (browserHash ?? undefined) : undefined,
    failures,
    lockedSeconds: failures >= LOGIN_TRIES ? Math.max(row?.seconds ?? 0, 1) : 0,
  };
}

export function refuseLocked({ lockedSeconds }: Attempted): void {
  if (lockedSeconds > 0) throw tooMany(lockedSeconds);
}

/** Counts a wrong password against the name, or against the known browser that sent it. */
export async function countFailure(db: Db, { key, id, known }: Attempted): Promise<void> {
  if (known && id) {
    await sql`
      update known_browsers set
        failures = case when ${isRecent(sql`failed_at`)} then failures + 1 else 1 end, failed_at = now()
      where token_hash = ${known} and user_id = ${id}`.execute(db);
    return;
  }
  await sql`
    insert into login_failures (username_key, count, last_at) values (${key}, 1, now())
    on conflict (username_key) do update set
      count = case when ${isRecent(sql`login_failures.last_at`)} then login_failures.count + 1 else 1 end,
      last_at = now()`.execute(db);
}

/** Forgets a name's failures after its password was right. */
export async function forgetFailures(db: Db, { key }: Attempted): Promise<void> {
  await db.deleteFrom('login_failures').where('username_key', '=', key).execute();
}
