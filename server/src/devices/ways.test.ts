import { DEVICE_SORTS, type DeviceFilter, type devices, queryOfFilter, sortingOf } from '@ams/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { AREAS, chance, NAMES, randomOf } from '../../test/filter-model.ts';
import { type Session, startTestServer } from '../../test/server.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { listDevices } from './devices.queries.ts';
import { matches, resolveFilter } from './devices.service.ts';
import { BURIAL_LOCK } from './leases.ts';

type DeviceSort = z.output<typeof devices.list.query>['sort'];

/** However devices are found, a list shows those that its condition alone finds. */
const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const { db, signer } = server.deps;

const DEVICES = 1800;
const LISTS = 120;
const { pick, filter } = chance(randomOf(20_261_123));

const admin = await server.login();
const dealer = await server.createUser('leading');
const branch = await server.createUser('leading', dealer);
const member = await server.createUser('member', branch);
const people = [admin, dealer, branch, member];

const viewerOf = ({ user, token }: Session): Viewer => ({
  kind: 'user',
  ...user,
  superior: user.id === admin.user.id ? null : { ...admin.user, phone: null },
  phone: null,
  person: { id: user.id, username: user.username, name: user.username, access: 'holder' },
  tokenHash: Buffer.from(token),
});

/** One that few devices have, one that many have, and one that none has. */
const ADS = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
const GROUPS = ['{"tags": {"all": ["shop"]}}', '{"tags": {"any": ["wall"]}}', '{"q": "gate"}'];

/** What each order compares, of a device `d` and its owner `o`. */
const ORDERS = {
  name: `natural_key(d.name) collate "C"`,
  mac: 'd.mac',
  owner: 'o.username_key',
  area: `natural_key(coalesce(d.area, '')) collate "C"`,
  lastSeenAt: 'd.seen_at',
  expiresAt: `coalesce(d.expires_at, 'infinity')`,
  createdAt: 'd.created_at',
} satisfies Record<(typeof DEVICE_SORTS)[number], string>;

/** The order of a list without one: the newest first. */
const orderOf = (sort: DeviceSort) => {
  const { key, descending } = sortingOf(DEVICE_SORTS, sort) ?? { key: 'createdAt', descending: true };
  const direction = descending ? 'desc' : 'asc';
  return sql.raw(`${ORDERS[key]} ${direction}, d.id ${direction}`);
};

/**
 * Of the random values, some are in most rows, some in few and some in none. Expired devices were told so: the job of each
 * minute has nothing to change.
 */
async function fill(): Promise<void> {
  const owners = people.map(({ user }) => user.id);
  const dead = crypto.randomUUID();
  await sql`insert into server_processes (id, beat_at) values (${dead}, now() - interval '1 minute')`.execute(db);
  await sql`
    insert into devices (id, mac, name, owner_id, area, tags, lease, paired_at, expires_at, expired_told, time_zone,
      working_hours, created_at)
    select gen_random_uuid(), '0b' || lpad(to_hex(n), 10, '0'), (${NAMES}::text[])[1 + n % ${NAMES.length}] || ' ' || n,
      (${owners}::uuid[])[1 + n % 7 % 4], (${AREAS}::text[])[1 + n % 5],
      case when n % 3 = 0 then array['lyon'] when n % 50 = 0 then array['wall'] else '{}' end
        || case when n % 2 = 0 then array['shop'] else '{}' end,
      case when n % 2 = 0 then (select id from living_processes limit 1) when n % 97 = 0 then ${dead}::uuid end,
      case when n % 60 > 0 then now() end,
      case when n % 80 = 0 then now() - interval '1 day' when n % 3 > 0 then now() + n * interval '1 day' end,
      n % 80 = 0, case when n % 2 = 0 then 'UTC' else 'Asia/Tokyo' end,
      case when n % 100 = 0 then '{"weekly": {}, "exceptions": []}'::jsonb end,
      now() - (n / 3) * interval '1 second'
    from generate_series(1, ${DEVICES}::int) n`.execute(db);
  await sql`
    update device_revisions c set revision = 2, done_revision = 2, manifest_revision = 2
    from devices d where d.id = c.device_id and d.name not like '%7'`.execute(db);
  await sql`
    update device_waits w set since = now() - interval '3 hours', failed = d.name like '%17'
    from devices d where d.id = w.device_id and d.name like '%7'`.execute(db);
  await sql`
    insert into ads (id, owner_id, name, orientation, split, dual, play_mode, show_clock, fit)
    select ad, ${admin.user.id}, 'ad', 'vertical', 'full', false, 'sequence', false, 'contain'
    from unnest(${ADS}::uuid[]) ad`.execute(db);
  await sql`
    insert into releases (id, ad_id, ad_name, owner_id, replace, priority, programme)
    select id, id, name, owner_id, false, 'normal', '{}' from ads`.execute(db);
  await sql`
    insert into release_devices (release_id, device_id, revision)
    select (${ADS}::uuid[])[case when n % 7 = 0 then 1 else 2 end], id, 1
    from (select d.id, substring(d.name from '\\d+$')::int as n from devices d) d where n % 7 = 0 or n % 2 = 0`.execute(
    db,
  );
  await sql`
    insert into groups (id, owner_id, name, filter)
    select gen_random_uuid(), o.id, 'group', f.filter
    from unnest(${people.map(({ user }) => user.id)}::uuid[]) o(id), unnest(${GROUPS}::jsonb[]) f(filter)`.execute(db);
}

/**
 * Nobody buries the process that is dead before all lists are compared: its devices would move between two pages of a
 * list that is sorted by when they were last seen.
 */
const compared = Promise.withResolvers<void>();
let keeping: Promise<unknown>;
beforeAll(async () => {
  const kept = Promise.withResolvers<void>();
  keeping = db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${BURIAL_LOCK})`.execute(connection);
    kept.resolve();
    await compared.promise;
    await sql`select pg_advisory_unlock(${BURIAL_LOCK})`.execute(connection);
  });
  await kept.promise;
  await fill();
});
afterAll(async () => {
  compared.resolve();
  await keeping;
});

const passing: DeviceFilter[] = [
  { online: false },
  { online: true },
  { dark: true },
  { dark: false },
  { expiry: 'expired' },
  { expiry: 'expiring' },
  { expiry: 'valid' },
  { download: 'waiting' },
  { download: 'failed' },
  { download: 'stalled' },
  { download: 'done' },
  {},
];

async function listed(viewer: Viewer, asked: DeviceFilter, sort: DeviceSort): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listDevices(db, viewer, signer, { ...queryOfFilter(asked), sort, limit: 100, cursor });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

test('lists show what their condition alone finds, in its order, page by page', async () => {
  const groups = await db.selectFrom('groups').select(['id', 'owner_id']).execute();
  const sizes = new Set<string>();
  for (let n = 0; n < LISTS; n += 1) {
    const viewer = viewerOf(pick(people));
    const group = pick(groups.filter(({ owner_id: owner }) => owner === viewer.id));
    const sort = n % 4 < 2 ? pick(DEVICE_SORTS.flatMap((key) => [key, `-${key}` as const])) : undefined;
    const query: DeviceFilter = {
      ...pick(passing),
      ...(n % 2 === 0 && pick(passing)),
      ...(n % 3 === 0 && filter(people.map(({ user }) => user.id))),
      ...(n % 5 === 0 && { ad: pick(ADS) }),
      ...(n % 11 === 0 && { releasedAd: pick(ADS) }),
      ...(n % 7 === 0 && { group: group.id }),
    };
    const { rows } = await sql<{ id: string }>`
      select d.id from devices_now d join users o on o.id = d.owner_id
      where ${matches(viewer, await resolveFilter(db, viewer, query))} order by ${orderOf(sort)}`.execute(db);
    sizes.add(rows.length > 250 ? 'many' : rows.length > 0 ? 'few' : 'none');
    const ids = await listed(viewer, query, sort);
    expect({ query, sort, viewer: viewer.username, ids }).toMatchObject({ ids: rows.map(({ id }) => id) });
  }
  expect([...sizes].toSorted()).toEqual(['few', 'many', 'none']);
});
