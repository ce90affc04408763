import { type DeviceFilter, queryOfFilter } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { AREAS, chance, NAMES, randomOf } from '../../test/filter-model.ts';
import { type Session, startTestServer } from '../../test/server.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { listDevices } from './devices.queries.ts';
import { matches, resolveFilter } from './devices.service.ts';

/** However devices are found, a list shows those that its condition alone finds. */
const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const { db, signer } = server.deps;

const DEVICES = 700;
const LISTS = 100;
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

/** Of the random values, some are in most rows, some in few and some in none. */
async function fill(): Promise<void> {
  const owners = people.map(({ user }) => user.id);
  const dead = crypto.randomUUID();
  await sql`insert into server_processes (id, beat_at) values (${dead}, now() - interval '1 minute')`.execute(db);
  await sql`
    insert into devices (id, mac, name, owner_id, area, tags, lease, paired_at, expires_at, time_zone, working_hours,
      created_at)
    select gen_random_uuid(), '0b' || lpad(to_hex(n), 10, '0'), (${NAMES}::text[])[1 + n % ${NAMES.length}] || ' ' || n,
      (${owners}::uuid[])[1 + n % 7 % 4], (${AREAS}::text[])[1 + n % 5],
      case when n % 3 = 0 then array['lyon'] when n % 50 = 0 then array['wall'] else '{}' end,
      case when n % 2 = 0 then (select id from living_processes limit 1) when n % 97 = 0 then ${dead}::uuid end,
      case when n % 60 > 0 then now() end,
      case when n % 80 = 0 then now() - interval '1 day' when n % 3 > 0 then now() + n * interval '1 day' end,
      case when n % 2 = 0 then 'UTC' else 'Asia/Tokyo' end,
      case when n % 100 = 0 then '{"weekly": {}, "exceptions": []}'::jsonb end,
      now() - (n / 3) * interval '1 second'
    from generate_series(1, ${DEVICES}::int) n`.execute(db);
  await sql`
    update device_revisions c set revision = 2, done_revision = 2, manifest_revision = 2
    from devices d where d.id = c.device_id and d.name not like '%7'`.execute(db);
  await sql`
    update device_waits w set since = now() - interval '3 hours', failed = d.name like '%17'
    from devices d where d.id = w.device_id and d.name like '%7'`.execute(db);
}

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

async function listed(viewer: Viewer, asked: DeviceFilter): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listDevices(db, viewer, signer, { ...queryOfFilter(asked), limit: 40, cursor });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

test('lists show what their condition alone finds, in its order, page by page', async () => {
  await fill();
  const sizes = new Set<string>();
  for (let n = 0; n < LISTS; n += 1) {
    const viewer = viewerOf(pick(people));
    const query: DeviceFilter = {
      ...pick(passing),
      ...(n % 2 === 0 && pick(passing)),
      ...(n % 3 === 0 && filter(people.map(({ user }) => user.id))),
    };
    const { rows } = await sql<{ id: string }>`
      select d.id from devices_now d where ${matches(viewer, await resolveFilter(db, viewer, query))}
      order by d.created_at desc, d.id desc`.execute(db);
    sizes.add(rows.length > 250 ? 'many' : rows.length > 0 ? 'few' : 'none');
    const ids = await listed(viewer, query);
    expect({ query, viewer: viewer.username, ids }).toMatchObject({ ids: rows.map(({ id }) => id) });
  }
  expect([...sizes].toSorted()).toEqual(['few', 'many', 'none']);
});
