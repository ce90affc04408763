import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../server/src/platform/database/database.ts';

export const rowId = (prefix: string, n: string) =>
  sql.raw(`('0190${prefix}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`);

/** A process that holds the online devices for the duration of a benchmark. */
const HOLDER = rowId('ffff', '1');
/** Processes whose last beat is 15 s old are dead. */
const BEAT_MS = 5000;

const beat = (db: Db) =>
  sql`insert into server_processes (id, beat_at) values (${HOLDER}, now())
    on conflict (id) do update set beat_at = excluded.beat_at`.execute(db);

/** Keeps the devices of `fillDevices` online until `ends` does. */
export async function holdDevices(db: Db, ends: AsyncDisposableStack): Promise<void> {
  await beat(db);
  const timer = setInterval(() => void beat(db), BEAT_MS);
  ends.defer(() => clearInterval(timer));
}

/**
 * Dealers below the first account, each user's superior being the one a tenth of its number before it, all with the
 * first account's password; and their devices, the newest first. Of five devices four are online, of three two
 * are done, of ten one is expired.
 */
export async function fillDevices(db: Db, { users, devices }: { users: number; devices: number }): Promise<void> {
  await fillDealers(db, users);
  await sql`
    insert into devices (id, mac, name, owner_id, secret_hash, expires_on, expires_at, lease, created_at, time_zone)
    select id, mac, name, owner_id, secret_hash, expires_on, expires_at, lease, created_at, time_zone
    from (${plainDevices({ users, devices })}) d`.execute(db);
  await fillRevisions(db);
  await sql`vacuum analyze`.execute(db);
}

/** The dealers of `fillDevices`. */
export async function fillDealers(db: Db, users: number): Promise<void> {
  await sql`
    insert into users (id, username, username_key, password_hash, role, superior_id, created_at)
    select ${rowId('0000', 'n')}, 'dealer' || n, 'dealer' || n, root.password_hash,
      case when n <= ${users}::int / 10 then 'leading' else 'member' end,
      case when n < 10 then root.id else ${rowId('0000', 'n / 10')} end, now() - n * interval '1 hour'
    from users root, generate_series(1, ${users}::int) n where root.username = 'admin'`.execute(db);
  await sql`
    insert into user_scopes (ancestor_id, user_id)
    with recursive up(user_id, ancestor_id) as (
      select id, id from users union all
      select up.user_id, u.superior_id from up join users u on u.id = up.ancestor_id where u.superior_id is not null
    ) select ancestor_id, user_id from up on conflict do nothing`.execute(db);
}

/** The devices of `fillDevices` by the columns of their table, and their number `n`. */
export const plainDevices = ({ users, devices }: { users: number; devices: number }) => sql`
  select n, ${rowId('0001', 'n')} as id, regexp_replace(lpad(to_hex(n), 12, '0'), '(..)(?=.)', '\\1:', 'g') as mac,
    'Screen ' || n as name, ${rowId('0000', `1 + n % ${users}`)} as owner_id,
    sha256(convert_to(${secretOf('n')}, 'UTF8')) as secret_hash, current_date + n % 400 - 40 as expires_on,
    now() + (n % 400 - 40) * interval '1 day' as expires_at, case when n % 5 > 0 then ${HOLDER} end as lease,
    now() - n * interval '1 second' as created_at, 'Asia/Shanghai' as time_zone
  from generate_series(1, ${devices}::int) n`;

/** Of three devices, two are done. */
export const fillRevisions = (db: Db) =>
  sql`
    update device_revisions r set revision = 2, manifest_revision = 2,
      done_revision = 1 + (substr(d.name, 8)::int % 3 > 0)::int
    from devices d where d.id = r.device_id`.execute(db);

/** The secret of device `n`, as SQL; `deviceSecret` is the same. */
const secretOf = (n: string) => sql.raw(`'device-of-benches-' || ${n}`);
export const deviceSecret = (n: number): string => `device-of-benches-${n}`;

/** The ad of `fillAd`. */
export const AD = '01900004-0000-7000-8000-000000000001';

/** An ad of the first account with one picture, which is shown for ten seconds, unless it is there already. */
export async function fillAd(db: Db): Promise<void> {
  const { rows } = await sql`select from ads where id = ${AD}`.execute(db);
  if (rows.length > 0) return;
  const sha256 = randomBytes(32).toString('hex');
  const owner = sql`(select id from users where superior_id is null)`;
  const file = rowId('0003', '1');
  await sql`insert into blobs (sha256, bytes, mime, state) values (${sha256}, 1000, 'image/png', 'ready')`.execute(db);
  await sql`
    insert into files (id, owner_id, name, orientation, kind, sha256)
    values (${file}, ${owner}, 'file', 'vertical', 1, ${sha256})`.execute(db);
  await sql`
    insert into ads (id, owner_id, name, orientation, split, dual, play_mode, show_clock, fit)
    values (${AD}, ${owner}, 'ad', 'vertical', 'full', false, 'sequence', false, 'contain')`.execute(db);
  await sql`
    insert into ad_items (ad_id, region, position, kind, file_id, seconds)
    values (${AD}, 'full', 0, 'file', ${file}, 10)`.execute(db);
}
