import './devices.tables.ts';
import { AppError, type Screen } from '@ams/contract';
import { sql } from 'kysely';
import type { Device as Sender, Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import { type Db, iso } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { publish } from '../platform/events/events.ts';
import { parseContent } from '../platform/sandbox/parse-content.ts';
import { sha256Of } from '../platform/sandbox/unparsable.ts';
import { inScope } from '../platform/auth/scope.ts';
import { type Touched, tellOperators } from './devices.service.ts';
import { getDevice, type Managing } from './manage.service.ts';

/** Screens have no more: 8K UHD. */
const SCREENSHOT_PIXELS_MAX = 7680 * 4320;

/** Requests a picture of a device's screens. `screenshotAt` changes when the picture has arrived. */
export const requestScreenshot = (deps: Managing, viewer: Viewer, id: string): Promise<void> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    const { online } = await getDevice(deps, actor, id, trx);
    if (!online) throw new AppError('DEVICE_OFFLINE');
    await publish(trx, { topic: 'command', ids: [id], command: 'screenshot' });
  });

export async function getScreenshot(
  db: Db,
  viewer: Viewer,
  id: string,
  screen: Screen,
): Promise<{ picture: Buffer; takenAt: string }> {
  const found = await db
    .selectFrom('screenshots as s')
    .innerJoin('devices as d', 'd.id', 's.device_id')
    .select(['s.picture', iso(sql`s.taken_at`).as('takenAt')])
    .where('s.device_id', '=', id)
    .where('s.screen', '=', screen)
    .where(inScope(viewer, sql`d.owner_id`))
    .executeTakeFirst();
  if (!found) throw new AppError('NOT_FOUND');
  return found;
}

type Storing = Pick<Deps, 'db' | 'processId' | 'sandbox'>;

/** Whether these bytes are a whole JPEG: decoded to the end, regardless of their declared type. */
const isWholeJpeg = (deps: Storing, bytes: Buffer): Promise<boolean | undefined> =>
  parseContent(deps, 'isWholeJpeg', sha256Of(bytes), { bytes, pixelsMax: SCREENSHOT_PIXELS_MAX });

/**
 * Keeps what a device sent as the one picture of that screen. Anything but a JPEG is 415. Throws NOT_FOUND when the
 * device was deleted, replaced or given to another owner meanwhile: the picture shows what the former one had released.
 */
export async function storeScreenshot(
  deps: Storing,
  { id, secretHash }: Pick<Sender, 'id' | 'secretHash'>,
  screen: Screen,
  body: unknown,
): Promise<void> {
  const before = await deps.db.selectFrom('devices').select('owner_id').where('id', '=', id).executeTakeFirst();
  if (!Buffer.isBuffer(body) || !(await isWholeJpeg(deps, body)))
    throw new AppError('UNSUPPORTED_FORMAT', { t: 'JPEG' });
  const { rows } = await sql<Touched>`
    with device as materialized (
        select id, owner_id from devices
        where id = ${id} and secret_hash = decode(${secretHash}, 'hex') and owner_id = ${before?.owner_id ?? null}
        for key share),
      kept as (
        insert into screenshots (device_id, screen, picture, taken_at)
        select id, ${screen}, ${body}::bytea, now() from device
        on conflict (device_id, screen) do update set picture = excluded.picture, taken_at = excluded.taken_at)
    select id, owner_id from device`.execute(deps.db);
  if (rows.length === 0) throw new AppError('NOT_FOUND');
  await tellOperators(deps.db, rows);
}
