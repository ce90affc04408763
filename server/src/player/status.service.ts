import '../devices/devices.tables.ts';
import type { StatusMessage } from '@ams/contract';
import { sql } from 'kysely';
import { type Touched, tellOperators } from '../devices/devices.service.ts';
import type { Db } from '../platform/database.ts';
import { publish } from '../platform/events.ts';
import { deliveryChanged } from '../releases/rollout.service.ts';

/**
 * Takes a machine's own word. Its download counts for the revision whose manifest version it names;
 * a report of any other version changes nothing about what it should hold.
 */
export async function takeStatus(db: Db, deviceId: string, status: StatusMessage): Promise<void> {
  const version = status.manifestVersion ?? null;
  const current = sql`(${version}::text is not null and d.manifest_version = ${version})`;
  const { rows } = await sql<Reported>`
    with before as materialized (
      select id, download ->> 'state' as state, reported_version, done_revision from devices
      where id = ${deviceId} for no key update
    )
    update devices d set
      reported_version = ${version},
      reported_revision = case when ${current} then manifest_revision else reported_revision end,
      done_revision = case
        when not ${current} then d.done_revision
        when ${status.download.state === 'done'} then greatest(d.done_revision, manifest_revision)
        else least(d.done_revision, manifest_revision - 1) end,
      download = ${JSON.stringify(status.download)}::jsonb,
      playing = coalesce(${status.playing ? JSON.stringify(status.playing) : null}::jsonb, playing),
      playing_at = now(),
      silent = false,
      free_bytes = coalesce(${status.freeBytes ?? null}::bigint, free_bytes),
      player_version = coalesce(${status.player?.version ?? null}, player_version),
      player_kind = coalesce(${status.player?.kind ?? null}, player_kind),
      last_seen_at = now()
    from before where d.id = before.id returning d.id, d.owner_id,
      (before.state, before.reported_version, before.done_revision)
        is distinct from (d.download ->> 'state', d.reported_version, d.done_revision) as moved`.execute(db);
  await tellOperators(db, rows);
  await tellReleases(db, deviceId, rows);
  if (rows[0]?.moved) await deliveryChanged(db, deviceId);
}

/** `moved`: how far the machine is with what it should hold is another than before. */
type Reported = Touched & { moved: boolean };

/** Operators who watch a release see this machine's progress on it. */
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
