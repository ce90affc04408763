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
import { sql } from 'kysely';
import { type Db, userRef } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import type { FrozenAd } from '../releases/releases.tables.ts';

type Release = FrozenAd &
  Pick<Programme, 'releaseId' | 'adId' | 'name' | 'priority' | 'replace' | 'schedule'> & {
    onScreen: ScreenName | null;
    files: Omit<ManifestFile, 'url'>[];
  };

/** What a machine should hold and play now. Versions are equal exactly when playback is. */
export async function makeManifest(
  { db, signer, config }: Pick<Deps, 'db' | 'signer' | 'config'>,
  deviceId: string,
  now = Date.now(),
): Promise<Manifest> {
  const device = await readDevice(db, deviceId);
  const releases = await readReleases(db, deviceId);
  const screens = { main: programmesOn('main', releases), secondary: programmesOn('secondary', releases) };
  const playing = new Set([...screens.main, ...screens.secondary].map((programme) => programme.releaseId));
  const content = {
    device: { id: device.id, mac: device.mac, name: device.name },
    timeZone: device.time_zone,
    expired: device.expired,
    expiresAt: device.expires_on,
    merchant: device.merchant && { username: device.merchant.username, phone: device.merchant.phone },
    files: distinctFiles(releases.filter((release) => playing.has(release.releaseId))),
    screens,
    app: null,
  };
  const version = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
  await rememberVersion(db, device, version);
  return {
    version,
    serverTime: new Date(now).toISOString(),
    bandwidth: config.playerBandwidth ?? null,
    ...content,
    files: content.files.map((file) => ({ ...file, url: signer.sign(`/media/${file.sha256}`, now) })),
  };
}

async function readDevice(db: Db, deviceId: string) {
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
    .where('d.id', '=', deviceId)
    .executeTakeFirst();
  if (!device) throw new AppError('UNAUTHENTICATED');
  return device;
}

/** Live releases of a machine, oldest first, each with the files it needs. */
async function readReleases(db: Db, deviceId: string): Promise<Release[]> {
  const rows = await db
    .selectFrom('release_devices as rd')
    .innerJoin('releases as r', 'r.id', 'rd.release_id')
    .select(['r.id as releaseId', 'r.ad_id as adId', 'r.ad_name as name', 'r.priority', 'r.replace', 'r.schedule'])
    .select(['r.screen as onScreen', 'r.programme'])
    .select(
      sql<Release['files']>`(select coalesce(jsonb_agg(jsonb_build_object('sha256', f.sha256, 'bytes', f.bytes,
        'mime', f.mime) order by f.position), '[]') from release_files f where f.release_id = r.id)`.as('files'),
    )
    .where('rd.device_id', '=', deviceId)
    .where('r.withdrawn_at', 'is', null)
    .where('rd.withdrawn_at', 'is', null)
    .orderBy('r.released_at')
    .orderBy('r.id')
    .execute();
  return rows.map(({ programme, ...release }) => ({ ...release, ...programme }));
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
  await sql`
    update devices set manifest_revision = ${device.revision}, manifest_version = ${version},
      reported_revision = case when reported_version = ${version} then ${device.revision} else reported_revision end,
      done_revision = case when reported_version = ${version} and download ->> 'state' = 'done'
        then ${device.revision} else done_revision end
    where id = ${device.id} and manifest_revision <= ${device.revision}`.execute(db);
}
