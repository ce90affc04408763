import '../devices/devices.tables.ts';
import type { StatusMessage } from '@ams/contract';
import { sql } from 'kysely';
import { type Touched, tellOperators } from '../devices/devices.service.ts';
import type { Db } from '../platform/database.ts';
import { publish } from '../platform/events.ts';

/**
 * Takes a machine's own word. Its download counts for the revision whose manifest version it names;
 * a report of any other version changes nothing about what it should hold.
 */
export async function takeStatus(db: Db, deviceId: string, status: StatusMessage): Promise<void> {
  const version = status.manifestVersion ?? null;
  const current = sql`(${version}::text is not null and manifest_version = ${version})`;
  const { rows } = await sql<Touched>`
    update devices set
      reported_version = ${version},
      reported_revision = case when ${current} then manifest_revision else reported_revision end,
      done_revision = case
        when not ${current} then done_revision
        when ${status.download.state === 'done'} then greatest(done_revision, manifest_revision)
        else least(done_revision, manifest_revision - 1) end,
      download = ${JSON.stringify(status.download)}::jsonb,
      playing = coalesce(${status.playing ? JSON.stringify(status.playing) : null}::jsonb, playing),
      playing_at = now(),
      free_bytes = coalesce(${status.freeBytes ?? null}::bigint, free_bytes),
      player_version = coalesce(${status.player?.version ?? null}, player_version),
      player_kind = coalesce(${status.player?.kind ?? null}, player_kind),
      last_seen_at = now()
    where id = ${deviceId} returning id, owner_id`.execute(db);
  await tellOperators(db, rows);
  await tellReleases(db, deviceId, rows);
}

/** Operators who watch a release see this machine's progress on it. */
async function tellReleases(db: Db, deviceId: string, touched: Touched[]): Promise<void> {
  const releases = await db
    .selectFrom('release_devices as rd')
    .innerJoin('releases as r', 'r.id', 'rd.release_id')
    .select('r.id')
    .where('rd.device_id', '=', deviceId)
    .where('r.withdrawn_at', 'is', null)
    .where('rd.withdrawn_at', 'is', null)
    .execute();
  await publish(db, {
    topic: 'changed',
    kind: 'release',
    ids: releases.map((release) => release.id),
    owners: touched.map((device) => device.owner_id),
  });
}
