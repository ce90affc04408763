import './player.tables.ts';
import type { Play } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';

/** A machine's clock may run ahead of ours by this much. */
const AHEAD_MS = 10 * 60_000;

/**
 * Stores a batch of plays, once however often it comes. Plays of releases that never were on the machine
 * and plays from the future are left out. Answers how many of the batch count.
 */
export async function storePlays(
  db: Db,
  deviceId: string,
  batch: string,
  plays: Play[],
  now = Date.now(),
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const first = await trx
      .insertInto('play_batches')
      .values({ device_id: deviceId, batch })
      .onConflict((conflict) => conflict.doNothing())
      .returning('batch')
      .executeTakeFirst();
    const possible = plays.filter((play) => Date.parse(play.at) <= now + AHEAD_MS);
    const { rows } = await sql<Play>`
      select p.* from jsonb_to_recordset(${JSON.stringify(possible)}::jsonb)
        as p("releaseId" uuid, sha256 text, at timestamptz, "durationMs" integer, screen text)
      where exists (select from release_devices rd where rd.device_id = ${deviceId} and rd.release_id = p."releaseId"
        and rd.started_at is not null)`.execute(trx);
    if (first && rows.length > 0) await insertPlays(trx, deviceId, rows);
    return rows.length;
  });
}

async function insertPlays(trx: Db, deviceId: string, plays: Play[]): Promise<void> {
  await trx
    .insertInto('plays')
    .values(
      plays.map((play) => ({
        device_id: deviceId,
        release_id: play.releaseId,
        sha256: play.sha256,
        screen: play.screen,
        at: new Date(play.at),
        duration_ms: play.durationMs,
      })),
    )
    .execute();
  await sql`
    insert into play_days (day, device_id, plays, duration_ms)
    select (p.at at time zone d.time_zone)::date, d.id, count(*), sum(p.ms)
    from unnest(${plays.map((play) => new Date(play.at).toISOString())}::timestamptz[],
      ${plays.map((play) => play.durationMs)}::integer[]) as p(at, ms), devices d
    where d.id = ${deviceId}
    group by 1, 2
    on conflict (device_id, day) do update set plays = play_days.plays + excluded.plays,
      duration_ms = play_days.duration_ms + excluded.duration_ms`.execute(trx);
}
