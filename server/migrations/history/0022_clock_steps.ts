import { type Kysely, sql } from 'kysely';

/**
 * A server process is alive while its last beat is neither old nor from a future that the clock was taken back from:
 * one that crashed before the clock went back is as dead as any other. Every question about it asks this view.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace view living_processes as
      select id from server_processes
      -- A beat may be newer than the transaction that looks at it, by as long as that took so far.
      where beat_at > now() - interval '15 seconds' and beat_at < now() + interval '5 seconds';

    create or replace view devices_now as
      select d.*,
        exists (select from living_processes p where p.id = d.lease) as online,
        d.done_revision >= d.revision as done,
        coalesce(d.expires_at <= now(), false) as expired,
        coalesce(d.expires_at > now() and d.expires_at <= now() + interval '720 hours', false) as expiring
      from devices d;
  `.execute(db);
}
