import type { StatusMessage } from '@ams/contract';
import { sql } from 'kysely';
import { type Touched, tellOperators } from '../devices/devices.service.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { deliveryChanged } from '../releases/rollout.service.ts';

/**
 * Takes a device's own word. Its download counts for the revision whose manifest version it names;
 * a report of any other version changes nothing about what it should hold.
 */
export async function takeStatus(db: Db, deviceId: string, status: StatusMessage): Promise<void> {
  const version = status.manifestVersion ?? null;
  const current = sql`(${version}::text is not null and d.manifest_version = ${version})`;
  const { rows } = await sql<Reported>`
    with before as materialized (
      select id, download, playing, silent, free_bytes, player_version, player_kind,
        reported_version, reported_revision, done_revision
      from devices where id = ${deviceId} for no key update
    )
    update devices d set
      reported_version = ${version},
      reported_revision = case when ${current} then d.manifest_revision else d.reported_revision end,
      done_revision = case
        when not ${current} then d.done_revision
        when ${status.download.state === 'done'} then greatest(d.done_revision, d.manifest_revision)
        else least(d.done_revision, d.manifest_revision - 1) end,
      download = ${JSON.stringify(status.download)}::jsonb,
      playing = coalesce(${status.playing ? JSON.stringify(status.playing) : null}::jsonb, d.playing),
      playing_at = now(),
      silent = false,
      free_bytes = coalesce(${status.freeBytes ?? null}::bigint, d.free_bytes),
      player_version = coalesce(${status.player?.version ?? null}, d.player_version),
      player_kind = coalesce(${status.player?.kind ?? null}, d.player_kind),
      last_seen_at = now()
    from before where d.id = before.id returning d.id, d.owner_id,
      (before.download ->> 'state', before.reported_version, before.done_revision)
        is distinct from (d.download ->> 'state', d.reported_version, d.done_revision) as moved,
      (before.download, before.playing, before.silent, before.free_bytes, before.player_version, before.player_kind,
        before.reported_version, before.reported_revision, before.done_revision)
        is distinct from (d.download, d.playing, d.silent, d.free_bytes, d.player_version, d.player_kind,
        d.reported_version, d.reported_revision, d.done_revision) as news`.execute(db);
  // Thousands that come to another process say what is known: nobody has to hear it again.
  if (!rows[0]?.news) return;
  await tellOperators(db, rows);
  await tellReleases(db, deviceId, rows);
  if (rows[0].moved) await deliveryChanged(db, deviceId);
}

/** `news`: it said anything else than before; `moved`: how far it is with what it should hold is another. */
type Reported = Touched & { news: boolean; moved: boolean };

/** Operators who watch a release see this device's progress on it. */
async function tellReleases(db: Db, deviceId: string, touched: Touched[]): Promise<void> {
  const releases = await db
    .selectFrom('release_devices as rd')
    .innerJoin('releases as r', 'r.id', 'rd.release_id')
    .select('r.id')
    .where('rd.device_id', '=', deviceId)
    .where('r.withdrawn_at', 'is', null)
    .where('rd.withdrawn_at', 'is', null)
    .where('rd.revision', 'is not', null)
    .execute();
  await publish(db, {
    topic: 'changed',
    kind: 'release',
    ids: releases.map((release) => release.id),
    owners: touched.map((device) => device.owner_id),
  });
}
