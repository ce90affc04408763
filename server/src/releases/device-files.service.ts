import './releases.tables.ts';
import { type Device, type DeviceFile, type Programme, reachable, type Screen, SCREENS } from '@ams/contract';
import { sql } from 'kysely';
import { type Db, iso } from '../platform/database/database.ts';
import type { Signer } from '../platform/auth/signing.ts';
import { delivery, rank } from '../devices/verdict.service.ts';

type Release = Pick<Programme, 'schedule' | 'endsAt' | 'priority' | 'replace' | 'playMode'> & {
  ad: { id: string; name: string };
  screen: Screen | null;
  state: DeviceFile['state'];
  reason: string | null;
  files: Pick<DeviceFile, 'id' | 'name' | 'media' | 'sha256' | 'bytes' | 'mime'>[];
};

/** Whether any release that reached a device brought it this content: others must not learn that it exists. */
export async function wasSent(db: Db, deviceId: string, sha256: string): Promise<boolean> {
  const { rows } = await sql<{ sent: boolean }>`
    select exists (
      select from release_devices rd join release_files rf on rf.release_id = rd.release_id
      where rd.device_id = ${deviceId} and rd.revision is not null and rf.sha256 = ${sha256}) as sent`.execute(db);
  return rows[0]?.sent === true;
}

/** Live releases of a device, oldest first. A file in a live release still has its name: it cannot be deleted. */
async function readReleases(db: Db, deviceId: string): Promise<Release[]> {
  const { rows } = await sql<Release>`
    select jsonb_build_object('id', r.ad_id, 'name', r.ad_name) as ad, r.screen, r.priority, r.replace, r.schedule,
      ${iso(sql`r.ends_at`)} as "endsAt",
      r.programme ->> 'playMode' as "playMode", ${delivery} as state,
      case when ${delivery} = 'failed' then d.download ->> 'reason' end as reason,
      (select coalesce(jsonb_agg(jsonb_build_object('id', rf.file_id, 'name', coalesce(f.name, ''), 'sha256', rf.sha256,
          'media', split_part(rf.mime, '/', 1), 'bytes', rf.bytes, 'mime', rf.mime) order by rf.position), '[]')
        from release_files rf left join files f on f.id = rf.file_id where rf.release_id = r.id) as files
    from release_devices rd join releases r on r.id = rd.release_id join devices_now d on d.id = rd.device_id
    where rd.device_id = ${deviceId} and rd.revision is not null and rd.withdrawn_at is null and r.withdrawn_at is null
    order by ${rank}, r.id`.execute(db);
  return rows;
}

/** Those that can ever play, on either screen: the others are on the device no longer. */
function played(releases: Release[]): Release[] {
  const kept = new Set(
    SCREENS.flatMap((screen) =>
      reachable(releases.filter((release) => release.screen === null || release.screen === screen)),
    ),
  );
  return releases.filter((release) => kept.has(release));
}

/** The further of two states that releases have for one file: the file is stored once for both. */
const ORDER: readonly DeviceFile['state'][] = ['done', 'downloading', 'waiting', 'failed'];
const further = (a: Release, b: Release): Release => (ORDER.indexOf(a.state) <= ORDER.indexOf(b.state) ? a : b);

/** The files that a device holds and plays, in the order of need; visible ones come first. */
export async function filesOn(db: Db, signer: Signer, device: Device): Promise<DeviceFile[]> {
  const releases = played(await readReleases(db, device.id));
  const needs = releases.flatMap((release) => release.files.map((file) => ({ file, release })));
  const files = [...Map.groupBy(needs, ({ file }) => file.id).values()].map((entries): DeviceFile[] => {
    const [first] = entries;
    if (!first) return [];
    const { state, reason } = entries.map((entry) => entry.release).reduce(further);
    const ads = new Map(entries.map(({ release }) => [release.ad.id, release.ad]));
    const { file } = first;
    return [
      {
        ...file,
        poster: signer.sign(`/media/${file.sha256}/poster`),
        state,
        reason,
        playing: SCREENS.filter((screen) => device.playing[screen]?.sha256 === file.sha256),
        ads: [...ads.values()],
      },
    ];
  });
  return files.flat().toSorted((a, b) => Number(b.playing.length > 0) - Number(a.playing.length > 0));
}
