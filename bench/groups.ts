import { setTimeout as sleep } from 'node:timers/promises';
import { GroupFilter } from '@ams/contract';
import { sql } from 'kysely';
import { percentile } from '../e2e/percentile.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { changeSettings } from '../server/src/devices/change.service.ts';
import { isShown } from '../server/src/devices/devices.service.ts';
import { PLAYER_LINKS } from '../server/src/features.ts';
import { insertTarget, matchReleases } from '../server/src/releases/standing.service.ts';
import { AREAS, chance, type ModelDevice, NAMES, randomOf, satisfies, TAGS } from '../server/test/filter-model.ts';
import { load, median, verdict } from './figures.ts';
import { makeFleet, startFleets } from './fleets.ts';
import { whileLooking } from './lists.ts';
import { login } from './processes.ts';
import { AD, deviceSecret, fillAd, rowId } from './rows.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 100_000);
const GROUPS = 1000;
const STANDING = 200;
const CHANGES = 200;
const DEFINITIONS = Number(process.env['BENCH_DEFINITIONS'] ?? 10_000);
const MODEL_DEVICES = 200;
/** Definitions that are compared with all devices in one statement. */
const AT_ONCE = 500;
const TAGGED = 10_000;
const GOAL = { change: 5, manifestMs: 1000, listMs: 200 };

/** Tags for all devices, an ad, and groups of 200 devices each, instead of what an earlier run left in a kept folder. */
async function fill(db: Db): Promise<void> {
  for (const table of ['releases', 'groups', 'ads', 'files', 'blobs'])
    await sql`delete from ${sql.table(table)}`.execute(db);
  const { id: owner } = await db
    .selectFrom('users')
    .select('id')
    .where('superior_id', 'is', null)
    .executeTakeFirstOrThrow();
  await sql`update devices set tags = array['site ' || (substr(name, 8)::int % 500), 'wall ' || (substr(name, 8)::int % 50)]
    where name like 'Screen %'`.execute(db);
  await sql`
    insert into groups (id, owner_id, name, filter)
    select ${rowId('0002', 'n')}, ${owner}, 'Group ' || n,
      jsonb_build_object('tags', jsonb_build_object('all', jsonb_build_array('site ' || n % 500)))
    from generate_series(1, ${GROUPS}::int) n`.execute(db);
  await fillAd(db);
  await sql`vacuum analyze`.execute(db);
}

interface Api {
  origin: string;
  token: string;
}

async function call({ origin, token }: Api, method: string, path: string, body?: unknown): Promise<unknown> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const reply = await fetch(`${origin}/api${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer: unknown = await reply.json();
  if (!reply.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The first account as the operator of changes. */
const rootOf = (db: Db) =>
  db.selectFrom('users').select(['id', 'role']).where('superior_id', 'is', null).executeTakeFirstOrThrow();

const idOf = async (db: Db, n: number): Promise<string> =>
  (await sql<{ id: string }>`select ${rowId('0001', `${n}::int`)} as id`.execute(db)).rows[0]?.id ?? '';

/** A tag that moves a device from one standing release to another, beside a plain update of the row. */
async function changeTags(db: Db, api: Api): Promise<void> {
  const ours: number[] = [];
  const floor: number[] = [];
  const service: number[] = [];
  const quiet: number[] = [];
  const root = await rootOf(db);
  const reached: number[] = [];
  for (let n = 1; n <= CHANGES; n += 1) {
    const id = await idOf(db, n);
    const device = { origin: api.origin, token: deviceSecret(n) };
    const tags = [`site ${(n + 1) % STANDING}`];
    service.push(
      await timed(() =>
        db
          .transaction()
          .execute((trx) =>
            changeSettings(trx, PLAYER_LINKS, root, [id], () => ({ tags: [`site ${(n + 2) % STANDING}`, `own ${n}`] })),
          ),
      ),
    );
    floor.push(
      await timed(() => sql`update devices set tags = tags || ${[`plain ${n}`]}::text[] where id = ${id}`.execute(db)),
    );
    quiet.push(await timed(() => call(api, 'PATCH', `/devices/${id}`, { address: `Street ${n}` })));
    const before = JSON.stringify(await call(device, 'GET', '/player/manifest'));
    const start = performance.now();
    ours.push(await timed(() => call(api, 'PATCH', `/devices/${id}`, { tags })));
    const releaseOf = (text: string) => /"releaseId":"([^"]+)"/.exec(text)?.[1];
    while (releaseOf(JSON.stringify(await call(device, 'GET', '/player/manifest'))) === releaseOf(before))
      await sleep(1);
    reached.push(performance.now() - start);
  }
  const ratio = median(service) / median(floor);
  console.log(
    `a tag change that moves a device between two standing releases: ours ${median(service).toFixed(1)} ms, floor (update of the row) ${median(floor).toFixed(1)} ms, ratio ${ratio.toFixed(1)}, goal ${GOAL.change}: ${verdict(ratio <= GOAL.change)}; ${load()}`,
  );
  console.log(
    `a change of the address, which is compared with ${STANDING} releases too: ${median(quiet).toFixed(1)} ms`,
  );
  const slowest = Math.max(...reached);
  console.log(
    `in the manifest: median ${median(reached).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms, goal ${GOAL.manifestMs} ms: ${verdict(slowest <= GOAL.manifestMs)}`,
  );
}

/** The list of devices while a batch tags many of them, which moves them to a standing release. */
async function tagMany(api: Api): Promise<void> {
  const work = async (): Promise<void> => {
    const body = { filter: { tags: { any: Array.from({ length: (50 * TAGGED) / DEVICES }, (_, n) => `wall ${n}`) } } };
    const answer = await call(api, 'POST', '/devices/batch', { ...body, action: 'tag', add: ['many'] });
    const id = /"job":\{"id":"([^"]+)"/.exec(JSON.stringify(answer))?.[1];
    const isRunning = async () => JSON.stringify(await call(api, 'GET', `/batches/${id}`)).includes('"running"');
    if (id) while (await isRunning()) await sleep(100);
  };
  await call(api, 'POST', '/ads/01900004-0000-7000-8000-000000000001/release', {
    devices: { filter: { tags: { all: ['many'] } } },
    standing: true,
  });
  const start = performance.now();
  const [, times] = await whileLooking(api.origin, api.token, work);
  const took = performance.now() - start;
  const slow = percentile(times, 0.99);
  console.log(
    `a batch that tags ${TAGGED} devices: ${(took / 1000).toFixed(1)} s, p99 of lists ${slow.toFixed(0)} ms, goal ${GOAL.listMs} ms: ${verdict(slow <= GOAL.listMs)}; ${load()}`,
  );
}

const columns = (device: ModelDevice, n: number): object => ({ ...device, owner_id: device.owner.id, n });

/**
 * Random definitions as filters of lists and as standing releases, both against reading them without SQL. It locks whole
 * tables: no server may run beside it.
 */
async function compare(db: Db): Promise<void> {
  const random = randomOf(1);
  const { pick, some, filter } = chance(random);
  const users = await sql<{ id: string; username: string }>`select id, username from users order by id limit 4`.execute(
    db,
  );
  const devices = Array.from({ length: MODEL_DEVICES }, (_, n): ModelDevice => ({
    mac: `0a:00:00:00:00:${n.toString(16).padStart(2, '0')}`,
    name: pick(NAMES),
    area: pick(AREAS),
    tags: some(TAGS.length).toSorted(),
    orientation: pick([null, 'vertical', 'horizontal']),
    paired: random() < 0.5,
    owner: pick(users.rows),
  }));
  const owners = users.rows.map(({ id }) => id);
  const filters = Array.from({ length: DEFINITIONS }, () => GroupFilter.parse(filter(owners)));
  let differences = 0;
  await db
    .transaction()
    .execute(async (trx) => {
      // Deleting 100,000 devices takes minutes.
      await sql`truncate devices, releases cascade`.execute(trx);
      await sql`
        insert into devices (id, mac, name, area, tags, screens, owner_id, paired_at)
        select ${rowId('0009', 'n')}, mac, name, area, tags, case orientation when 'vertical' then '[{"width":1,"height":2}]'
            when 'horizontal' then '[{"width":2,"height":1}]' else '[]' end::jsonb, owner_id, case when paired then now() end
        from jsonb_to_recordset(${JSON.stringify(devices.map(columns))}::jsonb)
          r(n int, mac text, name text, area text, tags text[], orientation text, owner_id uuid, paired boolean)`.execute(
        trx,
      );
      differences = await countDifferences(trx, devices, filters);
      throw new Error('undone');
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== 'undone') throw error;
    });
  console.log(`${DEFINITIONS} random definitions: ${differences} differ, goal 0: ${verdict(differences === 0)}`);
}

async function countDifferences(trx: Db, devices: readonly ModelDevice[], filters: readonly GroupFilter[]) {
  const root = await trx.selectFrom('users').select('id').where('superior_id', 'is', null).executeTakeFirstOrThrow();
  await sql`
    insert into releases (id, ad_id, ad_name, owner_id, operator_id, standing_by, screen, replace, priority, programme)
    select ${rowId('0008', 'n')}, ${AD}, 'ad', ${root.id}, ${root.id}, ${root.id}, null, true, 'normal', '{}'
    from generate_series(0, ${filters.length - 1}::int) n`.execute(trx);
  const { rows: ids } = await sql<{ id: string }>`
    select ${rowId('0008', 'n')} as id from generate_series(0, ${filters.length - 1}::int) n order by n`.execute(trx);
  let differences = 0;
  const expected = filters.map((filter) =>
    devices.flatMap((device, n) => (satisfies(device, filter) ? [n] : [])).join(),
  );
  const place = sql<number>`('x' || right(d.id::text, 12))::bit(48)::bigint::int`;
  for (const [n, filter] of filters.entries()) {
    await insertTarget(trx, ids[n]?.id ?? '', { groupId: null, scopeId: root.id, filter, further: null });
    const { rows } = await sql<{ n: string }>`
      select coalesce(string_agg(${place}::text, ',' order by d.id), '') as n from devices_now d
      where ${isShown(filter)}`.execute(trx);
    if (rows[0]?.n !== expected[n]) differences += 1;
  }
  // The statistics still count rows that were replaced.
  await sql`analyze devices, releases, standing_releases, release_devices`.execute(trx);
  for (let n = 0; n < ids.length; n += AT_ONCE) {
    const some = ids.slice(n, n + AT_ONCE).map(({ id }) => id);
    await matchReleases(trx, sql<boolean>`r.id = any(${some}::uuid[])`);
  }
  const { rows } = await sql<{ n: string }>`
    select coalesce((select string_agg(${place}::text, ',' order by d.id) from release_devices d0
      join devices d on d.id = d0.device_id where d0.release_id = r.id), '') as n from releases r order by r.id`.execute(
    trx,
  );
  return differences + rows.filter((row, n) => row.n !== expected[n]).length;
}

export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const postgres = await startFleets(folder, ends);
  const { db, ams } = await makeFleet(postgres, folder, DEVICES, ends);
  await fill(db);
  const api = { origin: ams.origin, token: await login(ams.origin) };
  const lists = [];
  for (let n = 0; n < 20; n += 1) lists.push(await timed(() => call(api, 'GET', '/groups?limit=100')));
  console.log(
    `a page of 100 of ${GROUPS} groups with their numbers of devices: ${median(lists).toFixed(0)} ms; ${load()}`,
  );
  const standing = [];
  for (let n = 0; n < STANDING; n += 1) {
    const body = { devices: { filter: { tags: { all: [`site ${n}`] } } }, standing: true };
    standing.push(await timed(() => call(api, 'POST', '/ads/01900004-0000-7000-8000-000000000001/release', body)));
  }
  console.log(`a standing release to ${DEVICES / 500} devices: ${median(standing).toFixed(0)} ms`);
  await sql`vacuum analyze`.execute(db);
  await changeTags(db, api);
  await tagMany(api);
  await ams.stop();
  await compare(db);
}
