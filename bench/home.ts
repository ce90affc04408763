import '../server/src/users/users.tables.ts';
import { sql } from 'kysely';
import { homeSummary } from '../server/src/home/home.queries.ts';
import type { Viewer } from '../server/src/platform/auth.ts';
import { type Db, makeDb, makePool, migrate } from '../server/src/platform/database.ts';
import { startPostgres } from '../server/src/platform/postgres.ts';
import { pino } from 'pino';

const USERS = 10_000;
const DEVICES = 100_000;
const RUNS = 50;

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

export default async function run(folder: string): Promise<void> {
  const postgres = await startPostgres(folder, log);
  const db = makeDb(makePool(postgres.connection, log));
  try {
    await migrate(db);
    await fill(db);
    console.log(`home: ${DEVICES} devices, ${USERS} users, ${RUNS} runs each`);
    // The first account, a dealer of a tenth, a dealer of ten, a member.
    for (const name of ['user1', 'user2', 'user500', `user${USERS}`]) {
      const who = await viewer(db, name);
      const times: number[] = [];
      for (let n = 0; n < RUNS; n += 1) {
        const start = performance.now();
        await homeSummary(db, who);
        times.push(performance.now() - start);
      }
      times.sort((a, b) => a - b);
      console.log(
        `  ${name.padEnd(10)} median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms`,
      );
    }
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}
