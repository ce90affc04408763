import '../server/src/users/users.tables.ts';
import { sql } from 'kysely';
import { homeSummary } from '../server/src/home/home.queries.ts';
import type { Viewer } from '../server/src/platform/auth.ts';
import { type Db, makeDb, makePool, migrate } from '../server/src/platform/database.ts';
import { startPostgres } from '../server/src/platform/postgres.ts';
import { pino } from 'pino';

const USERS = 10_000;
const DEVICES = 100_000;
const RUNS = 200;
const REPORTERS = 4;

const log = pino({ level: 'error' });

/** A tree of dealers: each user's superior is the one a tenth of its number before it. */
async function fill(db: Db): Promise<void> {
  const id = (prefix: string, n: string) =>
    sql.raw(`('0190${prefix}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`);
  await sql`
    insert into users (id, username, username_key, password_hash, role, superior_id, created_at)
    select ${id('0000', 'n')}, 'user' || n, 'user' || n, '-', case when n <= ${USERS / 10} then 'leading' else 'member' end,
      case when n > 1 then ${id('0000', 'greatest(n / 10, 1)')} end, now() - n * interval '1 hour'
    from generate_series(1, ${USERS}::int) n`.execute(db);
  await sql`
    insert into user_scopes (ancestor_id, user_id)
    with recursive up(user_id, ancestor_id) as (
      select id, id from users union all
      select up.user_id, u.superior_id from up join users u on u.id = up.ancestor_id where u.superior_id is not null
    ) select ancestor_id, user_id from up`.execute(db);
  await sql`insert into server_processes (id, beat_at) values (${id('ffff', '1')}, now() + interval '1 day')`.execute(
    db,
  );
  await sql`
    insert into devices (id, mac, name, owner_id, secret_hash, expires_on, expires_at, lease, revision, done_revision)
    select ${id('0001', 'n')}, lpad(to_hex(n), 12, '0'), 'Screen ' || n, ${id('0000', `1 + n % ${USERS}`)},
      decode(lpad(to_hex(n), 64, '0'), 'hex'), current_date + n % 365 - 20, now() + (n % 365 - 20) * interval '1 day',
      case when n % 5 > 0 then ${id('ffff', '1')} end, 2, 1 + (n % 3 > 0)::int
    from generate_series(1, ${DEVICES}::int) n`.execute(db);
  await sql`
    insert into blobs (sha256, bytes, state) select md5(n::text) || md5(n::text), 1000000, 'ready'
    from generate_series(1, 20000) n`.execute(db);
  await sql`
    insert into files (id, owner_id, name, screen, type, sha256)
    select ${id('0002', 'n')}, ${id('0000', `1 + n % ${USERS}`)}, 'file', 1, 1 + n % 3, md5(n::text) || md5(n::text)
    from generate_series(1, 20000) n`.execute(db);
  await sql`
    insert into ads (id, owner_id, name, screen, split, dual, play_mode, show_clock, fit)
    select ${id('0003', 'n')}, ${id('0000', `1 + n % ${USERS}`)}, 'ad', 1, 'full', false, 'sequence', false, 'contain'
    from generate_series(1, 20000) n`.execute(db);
  await sql`
    insert into play_days (day, device_id, plays, duration_ms)
    select current_date - d, ${id('0001', 'n')}, 1000, 10000000
    from generate_series(1, ${DEVICES}::int) n, generate_series(0, 13) d`.execute(db);
  await sql`
    insert into releases (id, ad_id, ad_name, owner_id, replace, priority, programme, withdrawn_at)
    select ${id('0004', 'n')}, ${id('0003', 'n')}, 'ad', ${id('0000', `1 + n % ${USERS}`)}, true, 'normal', '{}',
      case when n % 4 = 0 then now() end
    from generate_series(1, 20000) n`.execute(db);
  await sql`
    insert into presence_samples (user_id, at, below, online)
    select id, date_trunc('hour', now()) - h * interval '1 hour', below, 8
    from users, generate_series(0, 23) h, (values (true), (false)) b(below)`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

const viewer = async (db: Db, username: string): Promise<Viewer> => {
  const row = await db
    .selectFrom('users')
    .select(['id', 'role'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  return { kind: 'user', username, phone: null, superior: null, tokenHash: Buffer.alloc(32), ...row };
};

const percentile = (sorted: number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

/** Milliseconds of each of `RUNS` summaries, sorted. */
async function timeSummaries(db: Db, who: Viewer): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < RUNS; n += 1) {
    const start = performance.now();
    await homeSummary(db, who);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

/** The first account, a dealer of a tenth, a dealer of ten, a member. */
async function measure(db: Db, when: string): Promise<void> {
  console.log(`${when}, ${RUNS} runs each`);
  for (const name of ['user1', 'user2', 'user500', `user${USERS}`]) {
    const times = await timeSummaries(db, await viewer(db, name));
    console.log(
      `  ${name.padEnd(10)} median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
    );
  }
}

/** Machines that turn from waiting to done and back, as fast as they can on a few connections, while `work` lasts. */
async function whileReporting(db: Db, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  let reports = 0;
  const start = performance.now();
  const report = async (connection: number): Promise<void> => {
    for (let n = connection; !stop.signal.aborted; n += REPORTERS) {
      await sql`update devices set done_revision = 3 - done_revision, playing_at = now()
        where mac = lpad(to_hex(${1 + ((n * 7919) % DEVICES)}::int), 12, '0')`.execute(db);
      reports += 1;
    }
  };
  const reporting = Promise.all(Array.from({ length: REPORTERS }, (_, connection) => report(connection)));
  await work();
  stop.abort();
  await reporting;
  console.log(`  (${Math.round((reports * 1000) / (performance.now() - start))} reports a second meanwhile)`);
}

/** What it costs a write that the numbers are kept, as medians with and without the triggers. */
async function measureWrites(db: Db): Promise<void> {
  const writes: [string, number, (n: number) => ReturnType<typeof sql>][] = [
    ['a status that changes no number', 300, (n) => sql`update devices set playing_at = now() where ${nth(n)}`],
    ['a status that says done', 300, (n) => sql`update devices set done_revision = 3 - done_revision where ${nth(n)}`],
    ['a connection', 300, (n) => sql`update devices set lease = case when lease is null then id end where ${nth(n)}`],
    ['a release to all', 3, () => sql`update devices set revision = revision + 1`],
  ];
  console.log('writes, median without and with the numbers kept');
  for (const [what, runs, write] of writes) {
    const medians: string[] = [];
    for (const state of ['disable', 'enable']) {
      await sql.raw(`alter table devices ${state} trigger user`).execute(db);
      await sql`vacuum analyze devices, tallies`.execute(db);
      const times: number[] = [];
      for (let n = 1; n <= runs; n += 1) {
        const start = performance.now();
        await write(n).execute(db);
        times.push(performance.now() - start);
      }
      medians.push(
        `${percentile(
          times.toSorted((a, b) => a - b),
          0.5,
        ).toFixed(2)} ms`,
      );
    }
    console.log(`  ${what.padEnd(32)} ${medians.join(' → ')}`);
  }
}

const nth = (n: number) => sql`mac = lpad(to_hex(${n}::int), 12, '0')`;

export default async function run(folder: string): Promise<void> {
  const postgres = await startPostgres(folder, log);
  const db = makeDb(makePool(postgres.connection, log));
  try {
    await migrate(db);
    await fill(db);
    console.log(`home: ${DEVICES} devices, ${USERS} users`);
    await measure(db, 'at rest');
    await whileReporting(db, () => measure(db, `while ${REPORTERS} connections write reports`));
    await sql`update devices set expires_at = now() + interval '7 days', expires_on = current_date + 7`.execute(db);
    await measure(db, 'all expire at one instant, just after they were all changed');
    await measureWrites(db);
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}
