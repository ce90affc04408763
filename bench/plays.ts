import '../server/src/users/users.tables.ts';
import { randomUUID } from 'node:crypto';
import type { PlaysFilter, ReportGroup } from '@ams/contract';
import { pino } from 'pino';
import { sql } from 'kysely';
import { personOf, type Viewer } from '../server/src/platform/auth/auth.ts';
import { type Db, makeDb, makePool } from '../server/src/platform/database/database.ts';
import { migrate } from '../server/src/platform/database/migrations.ts';
import { startPostgres } from '../server/src/platform/postgres/postgres.ts';
import { makePlayPartitions } from '../server/src/player/keep-plays.service.ts';
import { PLAYER_LINKS } from '../server/src/features.ts';
import { storePlays } from '../server/src/player/plays.service.ts';
import { coursePlays, listPlays } from '../server/src/reports/reports.queries.ts';

/** Smaller fleets are quicker to fill; sizes and times of the sums grow with the number of devices. */
const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
const ITEMS_A_DEVICE = 10;
const DAYS = 365;
/** Days with their hours; older ones are there as months and as days of devices. */
const ITEM_DAYS = Number(process.env['BENCH_ITEM_DAYS'] ?? 45);
const RUNS = 5;
const BATCHES = 50;

const log = pino({ level: 'error' });
const id = (prefix: string, n: string) =>
  sql.raw(`('0190${prefix}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`);
const ROOT = '01900000-0000-7000-8000-000000000001';
const OWNERS = 500;

/** Ten devices share a release of ten files; every twentieth device is of one owner. */
async function fill(db: Db): Promise<void> {
  const releases = Math.ceil(DEVICES / 10);
  await sql`
    insert into users (id, username, username_key, password_hash, role, superior_id)
    select ${id('0000', 'n')}, 'user' || n, 'user' || n, '-', case n when 1 then 'leading' else 'member' end,
      case when n > 1 then ${id('0000', '1')} end from generate_series(1, ${OWNERS}::int) n`.execute(db);
  await sql`
    insert into user_scopes select ${id('0000', '1')}, id from users
    union select id, id from users`.execute(db);
  await sql`
    insert into devices (id, mac, name, owner_id, time_zone)
    select ${id('0001', 'n')}, lpad(to_hex(n), 12, '0'), 'Screen ' || n, ${id('0000', `2 + n % ${OWNERS - 1}`)},
      'Asia/Shanghai' from generate_series(1, ${DEVICES}::int) n`.execute(db);
  await sql`
    insert into releases (id, ad_id, ad_name, owner_id, replace, priority, programme)
    select ${id('0004', 'n')}, ${id('0003', 'n')}, 'ad ' || n, ${id('0000', '1')}, true, 'normal', '{}'
    from generate_series(0, ${releases}::int) n`.execute(db);
  await sql`
    insert into release_devices (release_id, device_id, revision, started_at)
    select ${id('0004', 'n / 10')}, ${id('0001', 'n')}, 1, now() - interval '2 years'
    from generate_series(1, ${DEVICES}::int) n`.execute(db);
  await sql`
    insert into release_files (release_id, file_id, sha256, bytes, mime, position)
    select r.id, gen_random_uuid(), md5(r.id || f::text) || md5(f::text), 1, 'video/mp4', f
    from releases r, generate_series(1, ${ITEMS_A_DEVICE}::int) f`.execute(db);
  await sql`
    insert into play_items (release_id, sha256, screen, file_id, file_name)
    select release_id, sha256, 'main', file_id, 'file' from release_files`.execute(db);
  await fillSums(db);
  await sql`vacuum analyze`.execute(db);
}

async function fillSums(db: Db): Promise<void> {
  const played = sql`release_devices rd join play_items i on i.release_id = rd.release_id`;
  await sql`alter table play_days disable trigger user`.execute(db);
  await sql`
    insert into play_days (device_id, day, plays, duration_ms)
    select d.id, current_date - n, 5760, 57600000 from generate_series(0, ${DAYS}::int) n, devices d`.execute(db);
  await sql`alter table play_days enable trigger user`.execute(db);
  await sql`
    insert into play_item_months (device_id, item_id, month, plays_to, ms_to)
    select rd.device_id, i.id, month::date, array(select 576 * date from generate_series(1, 31) date),
      array(select 5760000::bigint * date from generate_series(1, 31) date)
    from generate_series(date_trunc('month', current_date - ${DAYS}::int), current_date, interval '1 month') month, ${played}`.execute(
    db,
  );
  await sql`
    insert into play_item_days (device_id, item_id, day, plays, duration_ms, hour_plays, hour_ms)
    select rd.device_id, i.id, current_date - n, 576, 5760000, array_fill(24, array[24]), array_fill(240000, array[24])
    from generate_series(0, ${ITEM_DAYS}::int - 1) n, ${played}`.execute(db);
}

const viewer = (userId: string, role: Viewer['role']): Viewer => ({
  kind: 'user',
  id: userId,
  username: 'x',
  role,
  phone: null,
  superior: null,
  person: personOf({ id: userId, username: 'x' }),
  tokenHash: Buffer.alloc(32),
});

const median = (times: number[]): string =>
  `${(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN).toFixed(1)} ms`;

async function timed(runs: number, work: (turn: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < runs; turn += 1) {
    const start = performance.now();
    await work(turn);
    times.push(performance.now() - start);
  }
  return times;
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

async function measureReports(db: Db): Promise<void> {
  const root = viewer(ROOT, 'leading');
  const member = viewer('01900000-0000-7000-8000-000000000002', 'member');
  const year: PlaysFilter = { from: daysAgo(364), to: daysAgo(0) };
  const month: PlaysFilter = { days: 30 };
  const device = '01900001-0000-7000-8000-000000000001';
  const ad = '01900003-0000-7000-8000-000000000001';
  const cases: [string, Viewer, PlaysFilter][] = [
    ['all, a year', root, year],
    ['all, 30 days', root, month],
    ['all, today', root, { days: 1 }],
    ['a member, a year', member, year],
    ['one ad, 30 days', root, { ...month, ad }],
    ['one device, a year', root, { ...year, device }],
  ];
  for (const [what, who, filter] of cases) {
    const groups: ReportGroup[] = ['ad', 'device', 'file'];
    const parts = [`course ${median(await timed(RUNS, () => coursePlays(db, who, filter, 'day')))}`];
    for (const group of groups) {
      parts.push(
        `${group} ${median(await timed(RUNS, () => listPlays(db, who, { ...filter, group }, { limit: 21 })))}`,
      );
    }
    console.log(`  ${what.padEnd(22)} ${parts.join(', ')}`);
  }
}

async function measureBatches(db: Db): Promise<void> {
  await makePlayPartitions(db);
  for (const size of [10, 100, 1000]) {
    const times = await timed(BATCHES, async (turn) => {
      const n = 1 + turn;
      const { rows } = await sql<{ sha256: string; release: string; device: string }>`
        select f.sha256, f.release_id as release, ${id('0001', String(n))} as device
        from release_files f where f.release_id = ${id('0004', `${n} / 10`)}`.execute(db);
      const plays = Array.from({ length: size }, (_, play) => ({
        releaseId: rows[play % rows.length]?.release ?? '',
        sha256: rows[play % rows.length]?.sha256 ?? '',
        at: new Date(Date.now() - (size * 10 + play) * 1000 - turn).toISOString(),
        durationMs: 10_000,
        screen: 'main' as const,
      }));
      await storePlays(db, PLAYER_LINKS, rows[0]?.device ?? '', { batch: randomUUID(), plays });
    });
    console.log(`  a batch of ${String(size).padEnd(4)} ${median(times)}`);
  }
}

async function printSizes(db: Db): Promise<void> {
  for (const table of ['play_days', 'play_item_months', 'play_item_days']) {
    const { rows } = await sql<{ rows: number; bytes: number }>`
      select (select count(*) from ${sql.table(table)}) as rows, pg_total_relation_size(${table}) as bytes`.execute(db);
    const [size] = rows;
    if (!size) continue;
    const each = Math.round(size.bytes / size.rows);
    console.log(`  ${table.padEnd(18)} ${size.rows} rows, ${Math.round(size.bytes / 2 ** 20)} MiB, ${each} bytes each`);
  }
}

export default async function run(folder: string): Promise<void> {
  const postgres = await startPostgres(folder, log);
  const db = makeDb(makePool(postgres.connection, log));
  try {
    await migrate(db);
    await fill(db);
    console.log(`plays: ${DEVICES} devices, ${ITEMS_A_DEVICE} items each, ${DAYS} days (${ITEM_DAYS} with hours)`);
    await printSizes(db);
    await measureReports(db);
    await measureBatches(db);
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}
