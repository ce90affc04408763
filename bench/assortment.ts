import { sql } from 'kysely';
import type { Db } from '../server/src/platform/database/database.ts';
import { AD, fillAd, fillDealers, fillRevisions, plainDevices, rowId } from './rows.ts';

/** A dealer with as many owners and devices in every fleet, whatever the others have. */
export const CHAIN = { dealer: 'chain1', owners: 10, devices: 200 };
/** Groups of the first account and of the chain: of the devices with a frequent tag. */
export const GROUPS = { all: '01900006-0000-7000-8000-000000000001', chain: '01900006-0000-7000-8000-000000000002' };
/** In every fleet, so many devices have what is named rare. */
const RARE = 10;

const SCREENS = (width: number, height: number) => sql.lit(JSON.stringify([{ name: 'main', width, height }]));

/**
 * The devices of `fillDevices` and those of the chain, with something for every filter of the list: tags of every
 * second and fiftieth device, and of `RARE`; areas of a twentieth each, and one of `RARE`; two orientations; a tenth was
 * never paired; a fiftieth is dark. Expired devices count as notified: the server would notify them meanwhile. Of the
 * devices that wait, a tenth has failed and the others have waited for long.
 */
export async function fillAssortment(db: Db, size: { users: number; devices: number }): Promise<void> {
  await fillDealers(db, size.users);
  await fillChain(db, size.users);
  const { devices } = size;
  const total = devices + CHAIN.devices;
  await sql`
    insert into devices (id, mac, name, owner_id, secret_hash, expires_on, expires_at, lease, time_zone, created_at,
      expired_told, area, tags, screens, paired_at, working_hours)
    select id, mac, name, case when n > ${devices} then ${chainOwner(`n % ${CHAIN.owners}`)} else owner_id end,
      secret_hash, current_date + days, now() + days * interval '1 day', lease, time_zone,
      case when n > ${devices} then now() - (n - ${devices}) * ${devices}::float8 / ${CHAIN.devices} * interval '1 second'
        else created_at end,
      days <= 0,
      case when n % ${devices / RARE} = 7 then 'Far away' else 'District ' || n % 20 end,
      case when n % 2 = 0 then array['shop'] else '{}' end || case when n % 50 = 2 then array['wall'] else '{}' end ||
        case when n % ${devices / RARE} = 7 then array['seldom'] else '{}' end,
      case when n % 10 < 6 then ${SCREENS(1080, 1920)}::jsonb when n % 10 < 9 then ${SCREENS(1920, 1080)}::jsonb
        else '[]' end,
      case when n % 10 <> 4 then now() end,
      case when n % 50 = 8 then '{"weekly": {}, "exceptions": []}'::jsonb end
    from (${plainDevices({ users: size.users, devices: total })}) d
    -- Those of the chain expire on the same days in every fleet.
    cross join lateral (select case when n > ${devices} then n - ${devices} else n end % 400 - 40 as days)`.execute(db);
  await fillRevisions(db);
  await sql`
    update device_waits w set since = now() - interval '1 day', failed = substr(d.name, 8)::int % 30 = 0
    from devices d where d.id = w.device_id`.execute(db);
  await fillGroups(db);
  await fillRelease(db);
  await sql`vacuum analyze`.execute(db);
}

const chainOwner = (n: string) => rowId('0005', n);

/** The dealer of the chain below the first account, and the owners below it. */
async function fillChain(db: Db, users: number): Promise<void> {
  await sql`
    insert into users (id, username, username_key, password_hash, role, superior_id, created_at)
    select ${chainOwner('n')}, 'chain' || n + 1, 'chain' || n + 1, root.password_hash,
      case when n = 0 then 'leading' else 'member' end, case when n = 0 then root.id else ${chainOwner('0')} end,
      now() - (${users} + n) * interval '1 hour'
    from users root, generate_series(0, ${CHAIN.owners - 1}::int) n where root.username = 'admin'`.execute(db);
  await sql`
    insert into user_scopes (ancestor_id, user_id)
    select a.id, u.id from users u join users a on a.id in (u.id, u.superior_id) or a.superior_id is null
    where u.username like 'chain%' on conflict do nothing`.execute(db);
}

const fillGroups = (db: Db) =>
  sql`
    insert into groups (id, owner_id, name, filter)
    select case when u.superior_id is null then ${GROUPS.all}::uuid else ${GROUPS.chain}::uuid end, u.id, 'Shops',
      '{"tags": {"all": ["shop"]}}'
    from users u where u.superior_id is null or u.username = ${CHAIN.dealer}`.execute(db);

/** A release of the ad `AD` to every tenth device. */
async function fillRelease(db: Db): Promise<void> {
  await fillAd(db);
  const release = rowId('0007', '1');
  await sql`
    insert into releases (id, ad_id, ad_name, owner_id, replace, priority, programme)
    select ${release}, id, name, owner_id, false, 'normal', '{}' from ads where id = ${AD}`.execute(db);
  await sql`
    insert into release_devices (release_id, device_id, revision)
    select ${release}, d.id, 1 from devices d where substr(d.name, 8)::int % 10 = 0`.execute(db);
}
