import { shownAt } from '@ams/contract';
import { sql } from 'kysely';
import type { Deps } from '../platform/process/deps.ts';
import type { Db } from '../platform/database/database.ts';

/**
 * The time zones of devices in which the clocks of the database differ from those of this process today or in one of the
 * coming twelve months: each has data of its own, which age when a country changes its rules.
 */
export async function findDriftedZones(db: Db, now = Date.now(), clock = shownAt): Promise<string[]> {
  const { rows } = await sql<{ zone: string; at: number; shown: number }>`
    select z.zone, extract(epoch from t.at)::float8 * 1000 as at, extract(epoch from t.at at time zone z.zone)::float8 * 1000 as shown
    from (select distinct time_zone as zone from devices) z,
      generate_series(date_trunc('minute', ${new Date(now)}::timestamptz), ${new Date(now)}::timestamptz + interval '12 months', interval '1 month') t(at)
    order by z.zone`.execute(db);
  return [...new Set(rows.filter(({ zone, at, shown }) => clock(at, zone) !== shown).map(({ zone }) => zone))];
}

/** Logs which time zones the database knows otherwise. */
export async function warnOfDriftedZones({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const zones = await findDriftedZones(db);
  if (zones.length === 0) return;
  log.warn(
    { zones },
    'the time zones of the database and of the server differ: update the older ones, or days are wrong',
  );
}
