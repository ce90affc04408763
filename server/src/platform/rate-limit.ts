import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { prepared } from './prepared.ts';

declare module './database.ts' {
  interface Tables {
    rate_limits: { key: string; count: number; ends_at: Date };
  }
}

type StoreClass = NonNullable<RateLimitPluginOptions['store']>;
type Store = InstanceType<StoreClass>;
type Answer = Parameters<Store['incr']>[1];

interface Row {
  count: number;
  ttl: number;
}

const after = (ms: number): RawBuilder<Date> => sql<Date>`now() + make_interval(secs => ${ms / 1000})`;

/** Whether a window of this length lasts still. One that ends later than one that begins now is from before the clock went back. */
const isOpen = (endsAt: RawBuilder<unknown>, windowMs: number): RawBuilder<boolean> =>
  sql<boolean>`(${endsAt} > now() and ${endsAt} <= ${after(windowMs)})`;

/** Counts calls in the database, so that a limit holds across all server processes. */
export function rateLimitStore(db: Db): StoreClass {
  return class DatabaseStore implements Store {
    /** `timeWindow` in milliseconds; the window begins with the first call. */
    incr(key: string, answer: Answer, timeWindow: number): void {
      const window = after(timeWindow);
      const open = isOpen(sql`l.ends_at`, timeWindow);
      this.#tell(
        answer,
        sql<Row>`
          insert into rate_limits as l (key, count, ends_at) values (${key}, 1, ${window})
          on conflict (key) do update set
            count = case when ${open} then l.count + 1 else 1 end,
            ends_at = case when ${open} then l.ends_at else ${window} end
          returning count, ceil(extract(epoch from ends_at - now()) * 1000)::integer as ttl ${prepared}`,
      );
    }

    /** What `incr` last answered, counting nothing. */
    read(key: string, answer: Answer, timeWindow: number): void {
      this.#tell(
        answer,
        sql<Row>`
          select count, ceil(extract(epoch from ends_at - now()) * 1000)::integer as ttl
          from rate_limits where key = ${key} and ${isOpen(sql`ends_at`, timeWindow)} ${prepared}`,
      );
    }

    /** Routes share the table: the `groupId` of each is part of its keys. */
    child(): Store {
      return this;
    }

    #tell(answer: Answer, query: ReturnType<typeof sql<Row>>): void {
      query.execute(db).then(
        ({ rows: [row] }) => answer(null, { current: row?.count ?? 0, ttl: row?.ttl ?? 0 }),
        (error: unknown) => answer(error instanceof Error ? error : new Error(String(error))),
      );
    }
  };
}

/** Forgets the windows that are over. */
export async function cleanRateLimits(db: Db): Promise<void> {
  await sql`delete from rate_limits where ends_at < now()`.execute(db);
}
