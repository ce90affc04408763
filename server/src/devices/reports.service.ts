import './devices.tables.ts';
import type { StatusMessage } from '@ams/contract';
import { sql } from 'kysely';
import type { Device } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { freeFirst } from '../platform/database/free-first.ts';
import type { Touched } from './devices.service.ts';

/** `news`: the report differs from the last one; `moved`: the progress of its content differs. */
export type Reported = Touched & { news: boolean; moved: boolean };

/**
 * Stores a device's report. Its download counts for the revision whose manifest version it names; a report of any
 * other version changes nothing about what it should hold. Undefined for a device that does not exist, or has another
 * secret by now: it is another device then, and its report is to come.
 */
export async function storeStatus(
  db: Db,
  { id, secretHash }: Pick<Device, 'id' | 'secretHash'>,
  status: StatusMessage,
): Promise<Reported | undefined> {
  const version = status.manifestVersion ?? null;
  const current = sql`(${version}::text is not null and c.manifest_version = ${version})`;
  const { rows } = await sql<Reported>`
    with before as materialized (
      select id, playing, silent, free_bytes, player_version, player_kind
      from devices where id = ${id} and secret_hash = decode(${secretHash}, 'hex') for no key update
    ), old as materialized (
      select c.device_id, c.download, c.reported_version, c.reported_revision, c.done_revision
      from device_revisions c join before on before.id = c.device_id for no key update of c
    ), stored as (
      update device_revisions c set
        reported_version = ${version},
        reported_revision = case when ${current} then c.manifest_revision else c.reported_revision end,
        done_revision = case
          when not ${current} then c.done_revision
          when ${status.download.state === 'done'} then greatest(c.done_revision, c.manifest_revision)
          else least(c.done_revision, c.manifest_revision - 1) end,
        download = ${JSON.stringify(status.download)}::jsonb
      from old where c.device_id = old.device_id
      returning (old.download ->> 'state', old.reported_version, old.done_revision)
          is distinct from (c.download ->> 'state', c.reported_version, c.done_revision) as moved,
        (old.download, old.reported_version, old.reported_revision, old.done_revision)
          is distinct from (c.download, c.reported_version, c.reported_revision, c.done_revision) as news
    )
    update devices d set
      playing = coalesce(${status.playing ? JSON.stringify(status.playing) : null}::jsonb, d.playing),
      playing_at = now(),
      silent = false,
      free_bytes = coalesce(${status.freeBytes ?? null}::bigint, d.free_bytes),
      player_version = coalesce(${status.player?.version ?? null}, d.player_version),
      player_kind = coalesce(${status.player?.kind ?? null}, d.player_kind),
      last_seen_at = now()
    from before, stored where d.id = before.id returning d.id, d.owner_id, stored.moved, stored.news or
      (before.playing, before.silent, before.free_bytes, before.player_version, before.player_kind)
        is distinct from (d.playing, d.silent, d.free_bytes, d.player_version, d.player_kind) as news`.execute(db);
  return rows[0];
}

/** Forgets what a device has reported: another one has replaced it, and has none of its files. */
export async function forgetReports(trx: Db, deviceId: string): Promise<void> {
  await trx.updateTable('devices').set({ playing: null, playing_at: null }).where('id', '=', deviceId).execute();
  await trx
    .updateTable('device_revisions')
    .set({ reported_revision: 0, reported_version: null, done_revision: 0, download: null })
    .where('device_id', '=', deviceId)
    .execute();
}

/** The version of the manifest that was made of a device at a revision. */
export interface MadeVersion {
  id: string;
  revision: number;
  version: string;
}

/**
 * Notes which versions belong to the devices' revisions, so that their reports of them count. A device that holds
 * just this version already, because a change was taken back, is done at once; their ids are answered.
 */
export async function storeVersions(db: Db, made: readonly MadeVersion[]): Promise<string[]> {
  const byId = new Map(made.map((each) => [each.id, each]));
  const holding: string[] = [];
  await freeFirst([...byId.keys()], async (ids, waiting) => {
    const some = ids.flatMap((id) => byId.get(id) ?? []);
    const { rows } = await sql<{ id: string; holds: boolean | null }>`
      with wanted as materialized (
        select * from unnest(${ids}::uuid[], ${some.map(({ revision }) => revision)}::bigint[],
          ${some.map(({ version }) => version)}::text[]) w(id, revision, version)
      ), free as materialized (
        select d.id from wanted w join devices d on d.id = w.id join device_revisions c on c.device_id = w.id
        where c.manifest_revision <= w.revision order by d.id for no key update of d ${waiting}
      ), noted as (
        update device_revisions c set manifest_revision = w.revision, manifest_version = w.version,
          reported_revision = case when reported_version = w.version then w.revision else reported_revision end,
          done_revision = case when reported_version = w.version and download ->> 'state' = 'done'
            then w.revision else done_revision end
        from wanted w join free f on f.id = w.id where c.device_id = w.id and c.manifest_revision <= w.revision
        returning c.device_id as id, c.reported_version is not distinct from w.version as holds
      )
      select w.id, n.holds from wanted w left join noted n on n.id = w.id`.execute(db);
    const busy = rows.filter(({ holds }) => holds === null);
    holding.push(...rows.filter(({ holds }) => holds).map(({ id }) => id));
    return { done: [], busy: busy.map(({ id }) => id) };
  });
  return holding;
}
