import { isKnownZone, localTime } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { invalidField } from '../platform/http/errors.ts';

/** The one name that this process gives to all names of a zone. */
const placeOf = (name: string): string => new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;

/** The name among these for a time zone: its own, in any letters, or another one of the same zone. */
export function nameAmong(names: readonly string[], zone: string): string | undefined {
  const own = zone.toLowerCase();
  if (names.some((name) => name.toLowerCase() === own)) return zone;
  if (!isKnownZone(zone)) return undefined;
  const place = placeOf(zone);
  return names.find((name) => isKnownZone(name) && placeOf(name) === place);
}

let names: readonly string[] | undefined;
const found = new Map<string, string | undefined>();
/** Upper and lower case are the same, so that a zone has very many names. */
const FOUND_MAX = 1000;

/** A noon in winter and one in summer. */
const NOONS = [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)];
const NOON_MINUTES = 720;

/** Whether the clock of a zone is always so many minutes ahead of UTC. */
const isAlways = (zone: string, ahead: number): boolean =>
  isKnownZone(zone) && NOONS.every((noon) => localTime(noon, zone).minutes === NOON_MINUTES + ahead);

/**
 * Names that the database takes for the zones that people mean. An abbreviation goes before a zone of the same name and
 * knows no summer time: `CET` is an hour ahead of UTC all year.
 */
async function readNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; ahead: number | null }>`
    select n.name, (extract(epoch from a.utc_offset) / 60)::float8 as ahead
    from pg_timezone_names n left join pg_timezone_abbrevs a on a.abbrev = upper(n.name)
    order by n.name`.execute(db);
  return rows.filter(({ name, ahead }) => ahead === null || isAlways(name, ahead)).map(({ name }) => name);
}

/**
 * The name by which the database knows a time zone; undefined if it does not. One with the time zones of its system may lack
 * names that browsers report: Debian 13 has `Asia/Calcutta` in a package of its own, and all reports of a device by a name
 * that the database does not know would fail.
 */
export async function zoneInDatabase(db: Db, zone: string): Promise<string | undefined> {
  if (found.has(zone)) return found.get(zone);
  names ??= await readNames(db);
  const name = nameAmong(names, zone);
  if (found.size >= FOUND_MAX) found.clear();
  found.set(zone, name);
  return name;
}

/** The same for a zone that an operator sets. Throws `INVALID`. */
export async function requireZone(db: Db, zone: string): Promise<string> {
  const name = await zoneInDatabase(db, zone);
  if (name === undefined) throw invalidField('timeZone', 'timeZone.invalid');
  return name;
}
