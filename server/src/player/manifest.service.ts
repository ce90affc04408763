import '../releases/releases.tables.ts';
import { createHash } from 'node:crypto';
import {
  AppError,
  type Manifest,
  type ManifestFile,
  type Programme,
  reachable,
  type ScreenName,
  type UserRef,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Db, userRef } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import type { FrozenAd } from '../releases/releases.tables.ts';
import { deliveryChanged } from '../releases/rollout.service.ts';

type Release = FrozenAd &
  Pick<Programme, 'releaseId' | 'adId' | 'name' | 'priority' | 'replace' | 'schedule'> & {
    onScreen: ScreenName | null;
    files: Omit<ManifestFile, 'url'>[];
  };

/** What the releases of one revision of a machine make it hold and play. */
type Holding = Pick<Manifest, 'screens' | 'withdrawn'> & { files: Omit<ManifestFile, 'url'>[] };

/** The last manifests made here. A machine's revision changes with its releases, so a kept one is never a stale one. */
const kept = new Map<string, { revision: number; holding: Holding }>();
const KEPT_MAX = 2000;

function keep(deviceId: string, revision: number, holding: Holding): void {
  kept.delete(deviceId);
  kept.set(deviceId, { revision, holding });
  const [oldest] = kept.keys();
  if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
}

/** What a machine should hold and play now. Versions are equal exactly when playback is. */
export async function makeManifest(
  { db, signer, config }: Pick<Deps, 'db' | 'signer' | 'config'>,
  deviceId: string,
  now = Date.now(),
): Promise<Manifest> {
  const before = kept.get(deviceId);
  const device = await readDevice(db, deviceId, before?.revision);
  const known = before?.revision === device.revision ? before.holding : undefined;
  const holding = known ?? holdingOf(device.releases ?? [], device.withdrawn ?? []);
  if (!known) keep(deviceId, device.revision, holding);
  const content = {
    device: { id: device.id, mac: device.mac, name: device.name },
    timeZone: device.time_zone,
    expired: device.expired,
    expiresAt: device.expires_on,
    merchant: device.merchant && { username: device.merchant.username, phone: device.merchant.phone },
    files: holding.files,
    screens: holding.screens,
    app: null,
  };
  const version = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
  await rememberVersion(db, device, version);
  return {
    version,
    serverTime: new Date(now).toISOString(),
    bandwidth: config.playerBandwidth ?? null,
    withdrawn: holding.withdrawn,
    ...content,
    files: content.files.map((file) => ({ ...file, url: signer.sign(`/media/${file.sha256}`, now) })),
  };
}

function holdingOf(releases: Release[], withdrawn: string[]): Holding {
  const screens = { main: programmesOn('main', releases), secondary: programmesOn('secondary', releases) };
  const playing = new Set([...screens.main, ...screens.secondary].map((programme) => programme.releaseId));
  return { screens, withdrawn, files: distinctFiles(releases.filter((release) => playing.has(release.releaseId))) };
}

/** Live releases that have begun on a machine `d`, oldest first, each with the files it needs. */
const releasesOf = sql<Release[]>`
  (select coalesce(jsonb_agg(r.programme || jsonb_build_object('releaseId', r.id, 'adId', r.ad_id, 'name', r.ad_name,
      'priority', r.priority, 'replace', r.replace, 'schedule', r.schedule, 'onScreen', r.screen,
      'files', (select coalesce(jsonb_agg(jsonb_build_object('sha256', f.sha256, 'bytes', f.bytes, 'mime', f.mime)
        order by f.position), '[]') from release_files f where f.release_id = r.id))
      order by r.released_at, r.id), '[]')
    from release_devices rd join releases r on r.id = rd.release_id
    where rd.device_id = d.id and rd.revision is not null and r.withdrawn_at is null
      and rd.withdrawn_at is null)`;

/** Enough for a machine that was away for a while: what it does not know of, it replaces once it has the rest. */
const WITHDRAWN_MAX = 50;

const withdrawnOf = sql<string[]>`
  (select coalesce(jsonb_agg(w.id), '[]') from (
    select r.id from release_devices rd join releases r on r.id = rd.release_id
    where rd.device_id = d.id and rd.revision is not null and coalesce(r.withdrawn_at, rd.withdrawn_at) is not null
    order by coalesce(r.withdrawn_at, rd.withdrawn_at) desc limit ${WITHDRAWN_MAX}) w)`;

/** A machine and, unless they are those of the revision `known`, its releases: one query. */
async function readDevice(db: Db, deviceId: string, known: number | undefined) {
  const unlessKnown = <T>(value: RawBuilder<T>) =>
    sql<T | null>`case when d.revision is distinct from ${known ?? null}::bigint then ${value} end`;
  const device = await db
    .selectFrom('devices_now as d')
    .select([
      'd.id',
      'd.mac',
      'd.name',
      'd.time_zone',
      'd.expired',
      'd.expires_on',
      'd.revision',
      'd.manifest_revision',
      'd.manifest_version',
    ])
    // The merchant is the owner's superior; what the dealer itself owns names the dealer.
    .select(
      userRef<UserRef | null>(
        sql`coalesce((select o.superior_id from users o where o.id = d.owner_id), d.owner_id)`,
      ).as('merchant'),
    )
    .select(unlessKnown(releasesOf).as('releases'))
    .select(unlessKnown(withdrawnOf).as('withdrawn'))
    .where('d.id', '=', deviceId)
    .executeTakeFirst();
  if (!device) throw new AppError('UNAUTHENTICATED');
  return device;
}

const programmesOn = (screen: ScreenName, releases: Release[]): Programme[] =>
  reachable(releases.filter((release) => release.onScreen === null || release.onScreen === screen)).map(
    ({ onScreen: _onScreen, files: _files, ...programme }) => programme,
  );

function distinctFiles(releases: Release[]): Omit<ManifestFile, 'url'>[] {
  const files = releases.flatMap((release) => release.files);
  return [...new Map(files.map((file) => [file.sha256, file])).values()];
}

interface Remembered {
  id: string;
  revision: number;
  manifest_revision: number;
  manifest_version: string | null;
}

/**
 * Notes which version belongs to the machine's revision, so that its report of that version counts.
 * A machine that holds just this version already, because a change was taken back, is done at once.
 */
async function rememberVersion(db: Db, device: Remembered, version: string): Promise<void> {
  if (device.manifest_revision === device.revision && device.manifest_version === version) return;
  const { rows } = await sql<{ known: boolean }>`
    update devices set manifest_revision = ${device.revision}, manifest_version = ${version},
      reported_revision = case when reported_version = ${version} then ${device.revision} else reported_revision end,
      done_revision = case when reported_version = ${version} and download ->> 'state' = 'done'
        then ${device.revision} else done_revision end
    where id = ${device.id} and manifest_revision <= ${device.revision}
    returning reported_version is not distinct from ${version} as known`.execute(db);
  if (rows[0]?.known) await deliveryChanged(db, device.id);
}
