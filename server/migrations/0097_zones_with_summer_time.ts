import { type Kysely, sql } from 'kysely';

/** Zones that PostgreSQL takes for abbreviations, which know no summer time, and cities with the same clocks. */
const ZONES = { CET: 'Europe/Brussels', MET: 'Europe/Brussels', EET: 'Europe/Athens', WET: 'Europe/Lisbon' };

/** In summer, the days and hours of devices in these zones were an hour off. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const named = sql`jsonb_each_text(${JSON.stringify(ZONES)}::jsonb) as z(short, name)`;
  await sql`
    update devices set time_zone = z.name, expires_at = case when expires_on is not null
      then least('9999-12-31 23:59:59+00', (expires_on + 1)::timestamp at time zone z.name) end
    from ${named} where z.short = upper(time_zone)`.execute(db);
  await sql`update devices set reported_zone = z.name from ${named} where z.short = upper(reported_zone)`.execute(db);
  await sql`update campaign_carriers set time_zone = z.name from ${named} where z.short = upper(time_zone)`.execute(db);
}
