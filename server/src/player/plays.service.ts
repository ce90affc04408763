import './player.tables.ts';
import { AppError, type Play, PLAY_OVERTIME_MS, type PlaysBody, type PlaysTaken, spotParts } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { keepSigned, readSigned, type SignedBatch, takeIntoChain } from './chain.service.ts';
import type { PlayerLinks } from './links.ts';
import type { Uncounted } from './player.tables.ts';
import { type Judged, judgePlays, type Recall } from './judge-plays.ts';

/** Number of batch names kept per device; it sends batches in order and repeats only the last one. */
const BATCHES_KNOWN = 64;

/**
 * Stores a batch of plays. Each play counts once, however often it comes, in whatever batches and at the same time:
 * reports of one device are taken in turn, a batch that is known by name or in its chain brings nothing, a play that is on
 * record (same item, screen and millisecond) is not new, and one from before the record is refused. Throws NOT_FOUND when
 * the device was deleted meanwhile.
 *
 * The same number of statements for any number of plays. A signed batch is kept as it came; throws `BAD_PLAY_SIGNATURE`,
 * and then nothing counts.
 */
export async function storePlays(
  db: Db,
  links: Pick<PlayerLinks, 'correctStarts'>,
  deviceId: string,
  { batch, ...report }: PlaysBody,
): Promise<PlaysTaken> {
  return db.transaction().execute(async (trx) => {
    const { batches, ...recall } = await openInbox(trx, deviceId);
    const { now } = recall;
    const signed = await readSigned(trx, deviceId, report);
    // To the millisecond, as the record is read: plays that differ by less are the same.
    const reported = report.plays.map((play) => ({
      ...play,
      at: new Date(Date.parse(play.at)).toISOString(),
      screen: play.screen ?? 'main',
    }));
    await noteSpots(trx, await nameItems(trx, deviceId, JSON.stringify(reported)));
    const judged = await judgePlays(trx, links, deviceId, reported, recall);
    const { refusals } = judged;
    const possible = reported.filter((_, index) => refusals[index] === undefined);
    if (!batches.includes(batch)) {
      const isNew = signed === undefined || (await prove(trx, deviceId, signed, reported, judged));
      if (isNew) await count(trx, deviceId, JSON.stringify(possible), new Date(now));
      await trx
        .updateTable('play_inboxes')
        .set({ batches: [batch, ...batches].slice(0, BATCHES_KNOWN) })
        .where('device_id', '=', deviceId)
        .execute();
    }
    const reasons = refusals.flatMap((reason, index) => (reason === undefined ? [] : [{ index, reason }]));
    return { accepted: possible.length, rejected: reasons.length, ...(reasons.length > 0 && { reasons }) };
  });
}

/**
 * Takes a signed batch into its chain, and keeps it with what counts for nothing of it. Returns false for a batch that is
 * there already: its plays were counted, even if they are not on record any more.
 */
async function prove(
  trx: Db,
  deviceId: string,
  signed: SignedBatch,
  plays: readonly Pick<Play, 'releaseId'>[],
  { refusals, repeated }: Judged,
): Promise<boolean> {
  const isForgotten = refusals.length > 0 && refusals.every((reason) => reason === 'forgotten');
  const chain = await takeIntoChain(trx, deviceId, signed, isForgotten);
  if (chain === undefined) return false;
  const uncounted = plays.flatMap((_, index): Uncounted[] => {
    const reason = refusals[index] ?? (repeated.has(index) ? 'repeated' : undefined);
    return reason === undefined ? [] : [[index, reason]];
  });
  const releases = plays.map(({ releaseId }) => releaseId);
  await keepSigned(trx, chain, signed, releases, uncounted);
  return true;
}

/**
 * Waits for other reports of this device to be counted. The device itself is locked first, as code that deletes or moves
 * it does: in another order the two could wait for each other.
 */
async function openInbox(trx: Db, deviceId: string): Promise<Recall & { batches: string[] }> {
  const { rows } = await sql<Recall & { batches: string[] }>`
    with device as materialized (select id from devices where id = ${deviceId} for share)
    insert into play_inboxes (device_id) select id from device
    on conflict (device_id) do update set device_id = excluded.device_id
    returning batches, floor(extract(epoch from now()) * 1000)::bigint as now,
      ceil(extract(epoch from forgotten_to) * 1000)::bigint as "forgottenTo"`.execute(trx);
  if (!rows[0]) throw new AppError('NOT_FOUND');
  return rows[0];
}

const REPORTED = (report: string) => sql`
  jsonb_to_recordset(${report}::jsonb) as p("releaseId" uuid, sha256 text, at timestamptz, "durationMs" integer, screen text)`;

interface NewItem {
  id: number;
  release_id: string;
  sha256: string;
}

/** Gives what plays for the first time its number. In one order, so that two devices never wait for each other. */
const nameItems = async (trx: Db, deviceId: string, report: string): Promise<NewItem[]> => {
  const { rows } = await sql<NewItem>`
    insert into play_items (release_id, sha256, screen, file_id, file_name, length_ms)
    select distinct on (r.id, p.sha256, p.screen) r.id, p.sha256, p.screen, rf.file_id, coalesce(f.name, ''), (
      select max((item.value ->> 'durationMs')::integer)
      from jsonb_each(r.programme -> 'regions') region, jsonb_array_elements(region.value) item
      where item.value ->> 'sha256' = p.sha256)
    from (select distinct "releaseId", sha256, screen from ${REPORTED(report)}) p
      join release_devices rd on rd.release_id = p."releaseId" and rd.device_id = ${deviceId}
      join releases r on r.id = rd.release_id and (r.screen is null or r.screen = p.screen)
      join release_files rf on rf.release_id = r.id and rf.sha256 = p.sha256
      left join files f on f.id = rf.file_id
    where not exists (
      select from play_items i where i.release_id = r.id and i.sha256 = p.sha256 and i.screen = p.screen)
    order by r.id, p.sha256, p.screen, rf.position
    on conflict do nothing
    returning id, release_id, sha256`.execute(trx);
  return rows;
};

/** Notes what plays of new items add to the spots of their campaigns. */
async function noteSpots(trx: Db, items: readonly NewItem[]): Promise<void> {
  if (items.length === 0) return;
  const releases = await trx
    .selectFrom('releases')
    .select(['id', 'programme'])
    .where('campaign_id', 'is not', null)
    .where(
      'id',
      'in',
      items.map((item) => item.release_id),
    )
    .execute();
  const parts = new Map(releases.map(({ id, programme }) => [id, spotParts(programme)]));
  for (const { id, release_id: releaseId, sha256 } of items) {
    const part = parts.get(releaseId)?.get(sha256);
    if (part !== undefined) await trx.updateTable('play_items').set({ spot_part: part }).where('id', '=', id).execute();
  }
}

/** Adds what is new of the report to the record and to every sum. */
const count = (trx: Db, deviceId: string, report: string, now: Date): Promise<unknown> =>
  sql`
    with possible as materialized (
      select i.id as item_id, p.at, least(p."durationMs", i.length_ms + ${sql.lit(PLAY_OVERTIME_MS)}) as ms,
        row_number() over (partition by i.id, p.at) as nth
      from ${REPORTED(report)}
        join play_items i on i.release_id = p."releaseId" and i.sha256 = p.sha256 and i.screen = p.screen
    ), fresh as (
      insert into plays (device_id, at, item_id, duration_ms, nth)
      select ${deviceId}::uuid, p.at, p.item_id, p.ms, p.nth from possible p
      where not exists (
        select from plays k
        where k.device_id = ${deviceId} and k.at = p.at and k.item_id = p.item_id and k.nth = p.nth
          and k.at >= (select min(at) from possible) and k.at <= (select max(at) from possible))
      returning item_id, at, duration_ms
    ), hours as materialized (
      select f.item_id, f.local::date as day, extract(hour from f.local)::integer as hour,
        count(*) as plays, sum(f.ms) as ms
      from (
        select item_id, least(at, ${now}::timestamptz) at time zone d.time_zone as local, duration_ms::bigint as ms
        from fresh join devices d on d.id = ${deviceId}
      ) f group by 1, 2, 3
    ), days as materialized (
      select item_id, day, sum(plays) as plays, sum(ms) as ms from hours group by 1, 2
    ), item_days as (
      insert into play_item_days as old (device_id, item_id, day, plays, duration_ms, hour_plays, hour_ms)
      select ${deviceId}::uuid, d.item_id, d.day, d.plays, d.ms, array_agg(coalesce(h.plays, 0)::integer order by clock.hour),
        array_agg(least(coalesce(h.ms, 0), 2147483647)::integer order by clock.hour)
      from days d cross join generate_series(0, 23) clock(hour)
        left join hours h on h.item_id = d.item_id and h.day = d.day and h.hour = clock.hour
      group by 1, 2, 3, 4, 5
      on conflict (device_id, day, item_id) do update set plays = old.plays + excluded.plays,
        duration_ms = old.duration_ms + excluded.duration_ms,
        hour_plays = add_hours(old.hour_plays, excluded.hour_plays), hour_ms = add_hours(old.hour_ms, excluded.hour_ms)
    ), dates as materialized (
      select item_id, date_trunc('month', day)::date as month, date,
        coalesce(sum(plays) filter (where extract(day from day) <= date), 0)::integer as plays,
        coalesce(sum(ms) filter (where extract(day from day) <= date), 0)::bigint as ms
      from days cross join generate_series(1, 31) date group by 1, 2, 3
    ), item_months as (
      insert into play_item_months as old (device_id, item_id, month, plays_to, ms_to)
      select ${deviceId}::uuid, item_id, month, array_agg(plays order by date), array_agg(ms order by date)
      from dates group by 1, 2, 3
      on conflict (device_id, month, item_id) do update set
        plays_to = add_each(old.plays_to, excluded.plays_to), ms_to = add_each(old.ms_to, excluded.ms_to)
    ), device_days as (
      insert into play_days as old (device_id, day, plays, duration_ms)
      select ${deviceId}::uuid, day, sum(plays), sum(ms) from days group by 1, 2
      on conflict (device_id, day) do update set plays = old.plays + excluded.plays,
        duration_ms = old.duration_ms + excluded.duration_ms
    ), campaign_hours as (
      insert into campaign_hours as old (campaign_id, device_id, hour, release_id, spots, duration_ms)
      select r.campaign_id, d.id, date_trunc('hour', least(f.at, ${now}::timestamptz), d.time_zone), r.id,
        sum(i.spot_part), sum(f.duration_ms)
      from fresh f
        join play_items i on i.id = f.item_id and i.spot_part is not null
        join releases r on r.id = i.release_id and r.campaign_id is not null
        join devices d on d.id = ${deviceId}
      group by 1, 2, 3, 4
      on conflict (campaign_id, device_id, hour, release_id) do update set spots = old.spots + excluded.spots,
        duration_ms = old.duration_ms + excluded.duration_ms
    )
    select`.execute(trx);
