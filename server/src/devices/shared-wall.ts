import './devices.tables.ts';
import { createHash } from 'node:crypto';
import { AppError, type Language, type ShareSubject } from '@ams/contract';
import { sql } from 'kysely';
import type { Actor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { TokenBuckets } from '../platform/limits/token-bucket.ts';
import { isDark } from './dark.service.ts';
import { matches, resolveFilter } from './devices.service.ts';
import { WALL_HEADERS, wallPage, type WallTile } from './wall-page.ts';

type Subject = Extract<ShareSubject, { kind: 'wall' }>;

/** More devices than anybody sees on one screen. */
const WALL_DEVICES_MAX = 100;

/** Minutes between two pictures of a device on a wall that somebody looks at: 14 MB a day at 100 kB each. */
const PICTURE_MINUTES = 10;

/** By device: walls that many people look at, and devices that send nothing, cause no more requests. */
const requests = new TokenBuckets({ burst: 1, perSecond: 1 / (PICTURE_MINUTES * 60) });

/** The reader of a page, and the secret of its link, from which the names of pictures are made. */
interface Context {
  language: Language;
  token: string;
}

interface Row {
  id: string;
  name: string;
  online: boolean;
  expired: boolean;
  dark: boolean;
  takenAt: Date | null;
  total: number;
}

/** A device that is dark on purpose misses nothing, whether it is connected or not. */
const stateOf = ({ expired, dark, online }: Pick<Row, 'expired' | 'dark' | 'online'>): WallTile['state'] =>
  expired ? 'expired' : dark ? 'dark' : online ? 'online' : 'offline';

/** The name of a device's picture: nobody can compute it, or learn the device's id from it. */
const pictureName = (token: string, deviceId: string): string =>
  createHash('sha256').update(`${token} ${deviceId}`).digest('hex');

/** Requests pictures of devices that are online, not dark on purpose, and have none or an old one. */
async function requestPictures(trx: Db, rows: readonly Row[]): Promise<void> {
  const before = Date.now() - PICTURE_MINUTES * 60_000;
  const old = rows.filter(
    ({ online, dark, takenAt }) => online && !dark && (takenAt === null || takenAt.getTime() < before),
  );
  const ids = old.map(({ id }) => id).filter((id) => requests.take(id) === 0);
  if (ids.length > 0) await publish(trx, { topic: 'command', ids, command: 'screenshot' });
}

/** A live wall of devices for people without an account: name, state and last picture, nothing else. */
export const sharedWall = {
  headers: WALL_HEADERS,

  async prepare(trx: Db, maker: Actor, subject: Subject): Promise<{ subject: Subject; title: string }> {
    await resolveFilter(trx, maker, subject.filter);
    return { subject, title: subject.title };
  },

  async render(trx: Db, maker: Actor, { title, filter }: Subject, context: Context): Promise<string> {
    const { rows } = await sql<Row>`
      select d.id, d.name, d.online, d.expired, ${isDark} as dark, s.taken_at as "takenAt", count(*) over ()::int as total
      from devices_now d left join screenshots s on s.device_id = d.id and s.screen = 'main'
      where ${matches(maker, await resolveFilter(trx, maker, filter))}
      order by lower(d.name), d.mac, d.id limit ${sql.lit(WALL_DEVICES_MAX)}`.execute(trx);
    await requestPictures(trx, rows);
    const tiles = rows.map(({ id, takenAt, ...row }): WallTile => ({
      name: row.name,
      state: stateOf(row),
      isOnline: row.online && !row.expired,
      // A new picture has a new address, so that browsers keep each of them.
      picture: takenAt && { name: pictureName(context.token, id), takenAt },
    }));
    return wallPage({ title, tiles, total: rows[0]?.total ?? 0, ...context });
  },

  /** The last picture of the device of that name. Throws `NOT_FOUND`. */
  async picture(trx: Db, maker: Actor, { filter }: Subject, token: string, name: string): Promise<Buffer> {
    const { rows } = await sql<{ picture: Buffer }>`
      select s.picture from devices_now d join screenshots s on s.device_id = d.id and s.screen = 'main'
      where encode(sha256(convert_to(${`${token} `} || d.id::text, 'UTF8')), 'hex') = ${name}
        and ${matches(maker, await resolveFilter(trx, maker, filter))}`.execute(trx);
    if (!rows[0]) throw new AppError('NOT_FOUND');
    return rows[0].picture;
  },
};
