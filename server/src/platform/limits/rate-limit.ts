import { AppError } from '@ams/contract';
import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import { type RawBuilder, sql } from 'kysely';
import { AHEAD_MAX } from '../database/clock.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';

declare module '../database/database.ts' {
  interface Tables {
    rate_limits: { key: string; count: number; ends_at: Date };
  }
}

type StoreClass = NonNullable<RateLimitPluginOptions['store']>;
type Store = InstanceType<StoreClass>;
type Answer = Parameters<Store['incr']>[1];

/** Calls in the window that is open, and how many milliseconds it lasts still. */
interface Counted {
  count: number;
  ttl: number;
}

const NONE: Counted = { count: 0, ttl: 0 };

const after = (ms: number): RawBuilder<Date> => sql<Date>`now() + make_interval(secs => ${ms / 1000})`;

/** Whether a window of this length lasts still. One that ends later than one that begins now is from before the clock went back. */
const isOpen = (endsAt: RawBuilder<unknown>, windowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(${endsAt} > now() and ${endsAt} <= ${after(windowMs)} + ${AHEAD_MAX})`;

/** Counts a call; the window begins with the first one. */
async function count(db: Db, key: string, windowMs: number): Promise<Counted> {
  const window = after(windowMs);
  const open = isOpen(sql`l.ends_at`, windowMs);
  const { rows } = await sql<Counted>`
    insert into rate_limits as l (key, count, ends_at) values (${key}, 1, ${window})
    on conflict (key) do update set
      count = case when ${open} then l.count + 1 else 1 end,
      ends_at = case when ${open} then l.ends_at else ${window} end
    returning count, ceil(extract(epoch from ends_at - now()) * 1000)::integer as ttl ${prepared}`.execute(db);
  return rows[0] ?? NONE;
}

/** The last result of `count`, without counting. */
async function look(db: Db, key: string, windowMs: number): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select count, ceil(extract(epoch from ends_at - now()) * 1000)::integer as ttl
    from rate_limits where key = ${key} and ${isOpen(sql`ends_at`, windowMs)} ${prepared}`.execute(db);
  return rows[0] ?? NONE;
}

/** Maximum number of failed attempts per key in a time window. */
export interface TryLimit {
  key: string;
  max: number;
  windowMs: number;
}

/** Tries against these limits wait for each other, at all server processes, until the transaction ends. */
export async function holdTries(trx: Db, limits: readonly TryLimit[]): Promise<void> {
  for (const { key } of limits) await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
}

/** @throws `TOO_MANY` while the tries of one of these limits are used up */
export async function refuseTried(db: Db, limits: readonly TryLimit[]): Promise<void> {
  for (const { key, max, windowMs } of limits) {
    const { count: tries, ttl } = await look(db, key, windowMs);
    if (tries >= max) throw new AppError('TOO_MANY', { seconds: Math.ceil(ttl / 1000) });
  }
}

/** Counts a wrong try against each of these limits. */
export async function countTry(db: Db, limits: readonly TryLimit[]): Promise<void> {
  for (const { key, windowMs } of limits) await count(db, key, windowMs);
}

/** Counts calls in the database, so that a limit holds across all server processes. */
export function rateLimitStore(db: Db): StoreClass {
  return class DatabaseStore implements Store {
    incr(key: string, answer: Answer, timeWindow: number): void {
      tell(answer, count(db, key, timeWindow));
    }

    read(key: string, answer: Answer, timeWindow: number): void {
      tell(answer, look(db, key, timeWindow));
    }

    /** Routes share the table: the `groupId` of each is part of its keys. */
    child(): Store {
      return this;
    }
  };
}

function tell(answer: Answer, counted: Promise<Counted>): void {
  counted.then(
    ({ count: current, ttl }) => answer(null, { current, ttl }),
    (error: unknown) => answer(error instanceof Error ? error : new Error(String(error))),
  );
}

/** Forgets the windows that are over. */
export async function cleanRateLimits(db: Db): Promise<void> {
  await sql`delete from rate_limits where ends_at < now()`.execute(db);
}
