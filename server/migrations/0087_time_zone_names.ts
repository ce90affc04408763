import { type Kysely, sql } from 'kysely';

/** The zones that players mean by the short names of old Java. PostgreSQL takes some for other zones, and does not know `VST`. */
const ZONES = {
  'ACT': 'Australia/Darwin',
  'AET': 'Australia/Sydney',
  'AGT': 'America/Argentina/Buenos_Aires',
  'ART': 'Africa/Cairo',
  'AST': 'America/Anchorage',
  'BET': 'America/Sao_Paulo',
  'BST': 'Asia/Dhaka',
  'CAT': 'Africa/Harare',
  'CNT': 'America/St_Johns',
  'CST': 'America/Chicago',
  'CTT': 'Asia/Shanghai',
  'EAT': 'Africa/Addis_Ababa',
  'ECT': 'Europe/Paris',
  'IET': 'America/Indiana/Indianapolis',
  'IST': 'Asia/Kolkata',
  'JST': 'Asia/Tokyo',
  'MIT': 'Pacific/Apia',
  'NET': 'Asia/Yerevan',
  'NST': 'Pacific/Auckland',
  'PLT': 'Asia/Karachi',
  'PNT': 'America/Phoenix',
  'PRT': 'America/Puerto_Rico',
  'PST': 'America/Los_Angeles',
  'SST': 'Pacific/Guadalcanal',
  'VST': 'Asia/Ho_Chi_Minh',
  'US/PACIFIC-NEW': 'America/Los_Angeles',
};

/**
 * Devices keep time zones by IANA names only: reports failed, or counted plays on other days, because of the others. An
 * offset becomes UTC, because no name says when its clocks change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const zones = sql`jsonb_each_text(${JSON.stringify(ZONES)}::jsonb)`;
  await sql`create temporary table zone_names on commit drop as select key as short, value as zone from ${zones}`.execute(
    db,
  );
  await sql`
    create function pg_temp.named_zone(zone text) returns text language sql as $$
      select coalesce((select z.zone from zone_names z where z.short = upper($1)),
        case when $1 ~ '^[+-]' then 'UTC' else $1 end) $$`.execute(db);
  await sql`
    update devices set time_zone = pg_temp.named_zone(time_zone), reported_zone = pg_temp.named_zone(reported_zone),
      expires_at = case when expires_on is not null then least('9999-12-31 23:59:59+00',
        (expires_on + 1)::timestamp at time zone pg_temp.named_zone(time_zone)) end
    where pg_temp.named_zone(time_zone) <> time_zone
      or (reported_zone is not null and pg_temp.named_zone(reported_zone) <> reported_zone)`.execute(db);
  await sql`
    update campaign_carriers set time_zone = pg_temp.named_zone(time_zone)
    where time_zone <> pg_temp.named_zone(time_zone)`.execute(db);
  await sql`drop function pg_temp.named_zone(text)`.execute(db);
  await sql`drop table zone_names`.execute(db);
}
