import { promises as fs } from 'node:fs';
import path from 'node:path';
import { EXPIRY_WARNING_DAYS, type HomeSummary } from '@ams/contract';
import fc from 'fast-check';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { FileMigrationProvider } from 'kysely/migration';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { personOf, type Viewer } from '../platform/auth/auth.ts';
import { type Db, makePool, type Tables } from '../platform/database/database.ts';
import { HOME_LINKS, PLAYER_LINKS } from '../features.ts';
import { storePlays } from '../player/plays.service.ts';
import { insertUser } from '../users/users.queries.ts';
import { USER_LINKS } from '../features.ts';
import { deleteUser, rootUser } from '../users/users.service.ts';
import { homeSummary } from './home.queries.ts';
import { foldTallies, samplePresence } from './tallies.service.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations/history');

const server = await startTestServer();
const { db, log } = server.deps;
const root = await rootUser(db);

const viewerOf = (id: string, role: Viewer['role']): Viewer => ({
  kind: 'user',
  id,
  username: 'x',
  role,
  phone: null,
  superior: id === root.id ? null : { id: root.id, username: 'admin', phone: null },
  person: personOf({ id, username: 'x' }),
  tokenHash: Buffer.alloc(32),
});

type Counted = Omit<HomeSummary, 'merchant' | 'history'> & { plays: HomeSummary['history']['plays'] };

/** The same numbers, counted one by one from the tables, with the scope found by walking up the tree. */
async function recount(trx: Db, { id, role }: Viewer): Promise<Counted> {
  const { rows } = await sql<Counted>`
    with recursive scope as (
      select ${id}::uuid as id
      union all
      select u.id from users u join scope on u.superior_id = scope.id where ${role === 'leading'}
    ),
    own as materialized (select d.* from devices_now d join scope on scope.id = d.owner_id),
    played as materialized (select p.day, p.plays, own.time_zone from play_days p join own on own.id = p.device_id)
    select
      (select jsonb_build_object('total', count(*), 'disabled', count(*) filter (where disabled),
        'newThisWeek', count(*) filter (where created_at > now() - interval '7 days'))
        from users join scope using (id)) as users,
      (select jsonb_build_object('total', count(*), 'online', count(*) filter (where online),
        'expired', count(*) filter (where expired), 'expiring', count(*) filter (where expiring),
        'waiting', count(*) filter (where not done),
        'offline', count(*) filter (where paired_at is not null and not online),
        'failed', count(*) filter (where failed),
        'stalled', count(*) filter (where online and not done and not failed
          and waiting_since <= now() - interval '60 minutes')) from own) as devices,
      (select jsonb_build_object('total', count(*), 'released', count(*) filter (where exists (
        select from releases r where r.ad_id = a.id and r.withdrawn_at is null)))
        from ads a join scope on scope.id = a.owner_id) as ads,
      (select jsonb_build_object('videos', count(*) filter (where f.media = 'video'), 'images', count(*) filter (where f.media = 'image'),
        'bytes', coalesce(sum(b.bytes), 0), 'playsToday', (select coalesce(sum(plays), 0) from played
          where day = (now() at time zone time_zone)::date))
        from files f join scope on scope.id = f.owner_id join blobs b using (sha256)) as resources,
      (select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'mac', e.mac, 'name', e.name, 'expiresAt', e.expires_on)
        order by e.expires_at, e.id), '[]')
        from (select * from own where expiring order by expires_at, id limit 20) e) as expiring,
      (select jsonb_agg(jsonb_build_array(d::date, (select coalesce(sum(plays), 0) from played where day = d::date))
        order by d) from (select coalesce(max(day), (now() at time zone 'UTC')::date) as today from played
          where plays > 0 and day = (now() at time zone time_zone)::date) latest,
          generate_series(today - 13, today, interval '1 day') d) as plays,
      (select count(*) from release_requests q where q.requested_by = ${id} and q.state = 'rejected'
        and q.decided_at > now() - interval '14 days'
        and q.requested_at >= all (select requested_at from release_requests where ad_id = q.ad_id)
        and q.requested_at >= all (select released_at from releases where ad_id = q.ad_id)) as "rejectedReleases",
      (select count(*) from campaigns where requested_by = ${id} and state = 'rejected') as "rejectedCampaigns"`.execute(
    trx,
  );
  const [numbers] = rows;
  if (!numbers) throw new Error('no row');
  return numbers;
}

/** Compares for every user, at one instant and in one state of the database. */
const expectTruth = (): Promise<void> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const users = await trx.selectFrom('users').select(['id', 'role']).execute();
      for (const { id, role } of users) {
        const viewer = viewerOf(id, role);
        const { merchant: _merchant, history, ...numbers } = await homeSummary(trx, HOME_LINKS, viewer);
        expect({ ...numbers, plays: history.plays }).toEqual(await recount(trx, viewer));
        expect(history.online).toHaveLength(25);
        expect(history.online.at(-1)?.[1]).toBe(numbers.devices.online);
      }
    });

const ZONES = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Shanghai'];
/** Seconds from now at which devices expire, around every border. */
const EXPIRIES = [null, -86_400 * 40, -1, 1, 3600, ...[-1, 1].map((side) => EXPIRY_WARNING_DAYS * 86_400 + side)];
const PLAYED_HOURS_AGO = [0, 5, 13, 26, 24 * 12, 24 * 13, 24 * 14, 24 * 60];
const SHA = ['a', 'b', 'c'].map((letter) => letter.repeat(64));

/** Objects of one run. Deleted ones remain listed: operations on them must change nothing. */
interface World {
  users: string[];
  devices: string[];
  files: string[];
  ads: string[];
  processes: string[];
  /** A release that all devices have, for their plays. */
  played: string;
}

const TREE: { role: Viewer['role']; above: number }[] = [
  { role: 'leading', above: 0 },
  { role: 'leading', above: 1 },
  { role: 'member', above: 2 },
  { role: 'member', above: 2 },
  { role: 'member', above: 1 },
  { role: 'member', above: 0 },
];

async function makeWorld(): Promise<World> {
  for (const table of ['devices', 'files', 'ads', 'releases'] as const) await db.deleteFrom(table).execute();
  await db.deleteFrom('users').where('id', '!=', root.id).execute();
  await foldTallies(db);
  expect((await sql`select * from tallies`.execute(db)).rows).toEqual([]);
  const users = [root.id];
  for (const { role, above } of TREE) {
    const id = uuidv7();
    const username = `t${id.slice(-12)}`;
    await insertUser(db, { id, username, passwordHash: '-', role, superiorId: users[above] ?? root.id });
    users.push(id);
  }
  const played = uuidv7();
  await sql`insert into releases (id, ad_id, ad_name, owner_id, replace, priority, programme)
    values (${played}, ${uuidv7()}, 'ad', ${root.id}, true, 'normal', '{}')`.execute(db);
  await sql`insert into release_files (release_id, file_id, sha256, bytes, mime, position)
    select ${played}, gen_random_uuid(), sha256, 1000, 'video/mp4', n from unnest(${SHA}::text[]) with ordinality as s(sha256, n)`.execute(
    db,
  );
  return { users, devices: [], files: [], ads: [], processes: [uuidv7(), uuidv7()], played };
}

interface Step {
  what: keyof typeof OPERATIONS;
  user: number;
  choice: number;
  picks: number[];
}

const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index % Math.max(list.length, 1)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};
const some = (list: string[], picks: number[]): string[] =>
  list.length === 0 ? [] : [...new Set(picks.map((pick) => at(list, pick)))];
const after = (seconds: number | null) => sql`now() + make_interval(secs => ${seconds}::float8)`;

const OPERATIONS = {
  addDevices: async (world: World, { user, choice, picks }: Step) => {
    for (const pick of picks) {
      const id = uuidv7();
      world.devices.push(id);
      const expiry = after(at(EXPIRIES, pick));
      await sql`with device as (
          insert into devices (id, mac, owner_id, time_zone, expires_at, expires_on)
          values (${id}, ${id}, ${at(world.users, user)}, ${at(ZONES, choice)}, ${expiry}, (${expiry})::date) returning id)
        insert into release_devices (release_id, device_id, revision, started_at)
        select ${world.played}, id, 1, now() - interval '1 year' from device`.execute(db);
    }
  },
  giveDevices: (world: World, { user, picks }: Step) =>
    sql`update devices set owner_id = ${at(world.users, user)} where id = any(${some(world.devices, picks)})`.execute(
      db,
    ),
  deleteDevices: (world: World, { picks }: Step) =>
    sql`delete from devices where id = any(${some(world.devices, picks.slice(1))})`.execute(db),
  moveZone: (world: World, { choice, picks }: Step) =>
    sql`update devices set time_zone = ${at(ZONES, choice)} where id = any(${some(world.devices, picks)})`.execute(db),
  expire: (world: World, { choice, picks }: Step) =>
    sql`update devices set expires_at = ${after(at(EXPIRIES, choice))}, expires_on = ${after(at(EXPIRIES, choice))}
      where id = any(${some(world.devices, picks)})`.execute(db),
  connect: (world: World, { choice, picks }: Step) =>
    sql`update devices set lease = ${at([...world.processes, null], choice)}
      where id = any(${some(world.devices, picks)})`.execute(db),
  beat: (world: World, { choice }: Step) =>
    sql`insert into server_processes (id, beat_at) values (${at(world.processes, choice)}, now() + interval '4 seconds')
      on conflict (id) do update set beat_at = excluded.beat_at`.execute(db),
  die: (world: World, { choice }: Step) =>
    sql`update server_processes set beat_at = now() - interval '16 seconds'
      where id = ${at(world.processes, choice)}`.execute(db),
  change: (world: World, { picks }: Step) =>
    sql`update device_revisions set revision = revision + 1 where device_id = any(${some(world.devices, picks)})`.execute(
      db,
    ),
  report: (world: World, { picks }: Step) =>
    sql`update device_revisions set done_revision = revision where device_id = any(${some(world.devices, picks)})`.execute(
      db,
    ),
  fail: (world: World, { picks }: Step) =>
    sql`update device_revisions set reported_revision = revision, download = '{"state": "failed"}'
      where device_id = any(${some(world.devices, picks)})`.execute(db),
  wait: (world: World, { picks }: Step) =>
    sql`update device_waits set since = now() - interval '2 hours'
      where device_id = any(${some(world.devices, picks)})`.execute(db),
  pair: (world: World, { picks }: Step) =>
    sql`update devices set paired_at = now() where id = any(${some(world.devices, picks)})`.execute(db),
  play: async (world: World, { choice, picks }: Step) => {
    for (const device of some(world.devices, picks)) {
      const plays = picks.map((pick) => ({
        releaseId: world.played,
        sha256: at(SHA, pick),
        at: new Date(Date.now() - at(PLAYED_HOURS_AGO, pick + choice) * 3_600_000).toISOString(),
        durationMs: 1000,
        screen: 'main' as const,
      }));
      await storePlays(db, PLAYER_LINKS, device, { batch: uuidv7(), plays });
    }
  },
  addFiles: async (world: World, { user, picks }: Step) => {
    for (const pick of picks) {
      const id = uuidv7();
      world.files.push(id);
      await sql`insert into files (id, owner_id, name, orientation, kind, sha256)
        values (${id}, ${at(world.users, user)}, 'f', 'vertical', ${1 + (pick % 3)}, ${at(SHA, pick)})`.execute(db);
    }
  },
  deleteFiles: (world: World, { picks }: Step) =>
    sql`delete from files where id = any(${some(world.files, picks)})`.execute(db),
  addAd: async (world: World, { user }: Step) => {
    const id = uuidv7();
    world.ads.push(id);
    await sql`insert into ads (id, owner_id, name, orientation, split, dual, play_mode, show_clock, fit)
      values (${id}, ${at(world.users, user)}, 'ad', 'vertical', 'full', false, 'sequence', false, 'contain')`.execute(
      db,
    );
  },
  release: async (world: World, { user, picks }: Step) => {
    for (const ad of some(world.ads, picks)) {
      // Only what is there can be released, and it stays until it is.
      await sql`insert into releases (id, ad_id, ad_name, owner_id, replace, priority, programme)
        select ${uuidv7()}, a.id, 'ad', ${at(world.users, user)}, true, 'normal', '{}'
        from ads a where a.id = ${ad} for key share`.execute(db);
    }
  },
  withdraw: (world: World, { picks }: Step) =>
    sql`update releases set withdrawn_at = now()
      where withdrawn_at is null and ad_id = any(${some(world.ads, picks)})`.execute(db),
  deleteAds: (world: World, { picks }: Step) =>
    sql`delete from ads where id = any(${some(world.ads, picks.slice(1))})`.execute(db),
  forbid: (world: World, { user }: Step) =>
    sql`update users set disabled = not disabled where id = ${at(world.users, user)} and superior_id is not null`.execute(
      db,
    ),
  changeRole: (world: World, { user }: Step) =>
    sql`update users set role = case role when 'member' then 'leading' else 'member' end
      where id = ${at(world.users, user)} and superior_id is not null`.execute(db),
  deleteUser: (world: World, { user }: Step) =>
    deleteUser(db, USER_LINKS, viewerOf(root.id, 'leading'), at(world.users.slice(1), user)),
  fold: () => foldTallies(db),
} satisfies Record<string, (world: World, step: Step) => Promise<unknown>>;

const isOperation = (name: string): name is Step['what'] => name in OPERATIONS;

const steps = fc.array(
  fc.record<Step>({
    what: fc.constantFrom(...Object.keys(OPERATIONS).filter(isOperation)),
    user: fc.nat(6),
    choice: fc.nat(11),
    picks: fc.array(fc.nat(11), { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Refused calls change nothing: those for a deleted user, or one of two that lock devices crosswise. */
function expectRefusals(results: PromiseSettledResult<unknown>[]): void {
  for (const result of results) {
    if (result.status === 'fulfilled') continue;
    expect(result.reason).toSatisfy(
      (error: unknown) =>
        error instanceof Error &&
        (error.name === 'AppError' || ('code' in error && (error.code === '23503' || error.code === '40P01'))),
    );
  }
}

/** Something of everything, so that operations find what to act on. */
const FIRST: Step[] = (['addDevices', 'addFiles', 'addAd', 'beat'] as const).flatMap((what) =>
  [2, 3, 6].map((user) => ({ what, user, choice: user, picks: [user, user + 1, 5] })),
);

test('after any parallel or serial changes, the summary equals a full count', async () => {
  for (const sha256 of SHA) await db.insertInto('blobs').values({ sha256, bytes: 1000, state: 'ready' }).execute();
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 6 }), fc.boolean(), async (rounds, atOnce) => {
      const world = await makeWorld();
      const act = (step: Step) => OPERATIONS[step.what](world, step);
      for (const step of FIRST) await act(step);
      await expectTruth();
      for (const round of rounds) {
        if (atOnce) expectRefusals(await Promise.allSettled(round.map(act)));
        else for (const step of round) expectRefusals(await Promise.allSettled([act(step)]));
        await expectTruth();
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test('two transactions that update the same count do not wait for each other', async () => {
  const world = await makeWorld();
  const [, , , owner = ''] = world.users;
  await OPERATIONS.addDevices(world, { what: 'addDevices', user: 3, choice: 0, picks: [0, 0, 0] });
  const report = (trx: Db, index: number) =>
    sql`update device_revisions set done_revision = revision where device_id = ${world.devices[index]}`.execute(trx);
  await db.transaction().execute(async (trx) => {
    await report(trx, 0);
    await report(db, 1);
    expect((await homeSummary(db, HOME_LINKS, viewerOf(owner, 'member'))).devices.waiting).toBe(2);
  });
  await expectTruth();
  expect((await homeSummary(db, HOME_LINKS, viewerOf(owner, 'member'))).devices).toMatchObject({
    total: 3,
    waiting: 1,
  });
  await foldTallies(db);
  await expectTruth();
});

test('plays that arrive while their device changes hands go with it', async () => {
  const world = await makeWorld();
  await OPERATIONS.addDevices(world, { what: 'addDevices', user: 3, choice: 0, picks: [0] });
  const played = await db.transaction().execute(async (trx) => {
    await sql`update devices set owner_id = ${world.users[6]}`.execute(trx);
    const playing = OPERATIONS.play(world, { what: 'play', user: 0, choice: 0, picks: [0] });
    await waiting(playing);
    return { playing };
  });
  await played.playing;
  await expectTruth();
  expect((await homeSummary(db, HOME_LINKS, viewerOf(world.users[6] ?? '', 'member'))).resources.playsToday).toBe(1);
});

/** Until somebody in this database waits for a lock; `work` must not end before. */
async function waiting(work: Promise<unknown>): Promise<void> {
  let ended = false;
  void work.finally(() => (ended = true));
  const blocked = sql<{ n: number }>`select count(*) as n from pg_locks l join pg_stat_activity a using (pid)
    where not l.granted and a.datname = current_database()`;
  while ((await blocked.execute(db)).rows[0]?.n === 0) expect(ended).toBe(false);
}

test('over the largest scopes the devices that expire soonest are found in turn', async () => {
  const world = await makeWorld();
  const [, dealer = ''] = world.users;
  await sql`insert into users (id, username, username_key, password_hash, role, superior_id)
    select gen_random_uuid(), 'many' || n, 'many' || n, '-', 'member', ${dealer} from generate_series(1, 600) n`.execute(
    db,
  );
  await sql`insert into user_scopes (ancestor_id, user_id)
    select unnest(array[${root.id}::uuid, ${dealer}::uuid, id]), id from users where username like 'many%'`.execute(db);
  await sql`insert into devices (id, mac, owner_id, expires_on, expires_at)
    select gen_random_uuid(), n, case when n % 3 = 0 then ${root.id}::uuid else owners[1 + n % 600] end,
      current_date + n % 40, date_trunc('day', now()) + (n % 40 - 3) * interval '1 day'
    from generate_series(1, 300) n, (select array_agg(id) as owners from users where username like 'many%') o`.execute(
    db,
  );
  await expectTruth();
});

test('the page is one statement', async () => {
  const statements: string[] = [];
  const counting = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: makePool(server.connection, log) }),
    log: (event) => void statements.push(event.query.sql),
  });
  await homeSummary(counting, HOME_LINKS, viewerOf(root.id, 'leading'));
  await counting.destroy();
  expect(statements).toHaveLength(1);
});

test('rows from before the introduction of tallies are counted', async () => {
  const world = await makeWorld();
  const act = (what: Step['what'], user: number) =>
    OPERATIONS[what](world, { what, user, choice: user, picks: [0, 1, 2] });
  for (const what of ['addDevices', 'addFiles', 'addAd', 'release', 'beat', 'connect', 'play'] as const) {
    for (const user of [2, 3, 6]) await act(what, user);
  }
  const inFolder = (migrationFolder: string) =>
    new FileMigrationProvider({ fs, path, migrationFolder }).getMigrations();
  const migration = { ...(await inFolder(MIGRATIONS)), ...(await inFolder(path.dirname(MIGRATIONS))) };
  const kept = sql`select user_id, below, subject, part, at, sum(n) as n from tallies
    group by user_id, below, subject, part, at having sum(n) <> 0 order by 1, 2, 3, 4, 5`;
  const before = (await kept.execute(db)).rows;
  await db.transaction().execute(async (trx) => {
    await undo(trx);
    for (const name of ['0005_home', '0029_vocabulary', '0035_attention', '0072_device_revisions'])
      await migration[name]?.up(trx);
  });
  expect((await kept.execute(db)).rows).toEqual(before);
  await expectTruth();
});

/** Reverts the migrations; the result equals a database that never had them. */
async function undo(trx: Db): Promise<void> {
  const { rows } = await sql<{ signature: string }>`
    select oid::regprocedure::text as signature from pg_proc
    where pronamespace = 'public'::regnamespace and (proname like '%\\_tally\\_%' or proname = 'devices_forget_plays')`.execute(
    trx,
  );
  for (const { signature } of rows) await sql.raw(`drop function ${signature} cascade`).execute(trx);
  await undoRevisions(trx);
  await sql`
    drop function add_tallies; drop type tally_delta; drop table tallies; drop table presence_samples;
    alter table ads drop column live_releases; drop index users_disabled; drop index devices_expires; drop index devices_owner_expires;
    create table presence_samples (at timestamptz not null, owner_id uuid not null references users, online integer);
    alter table files drop column media;
    alter table files rename column kind to type;
    alter table files rename column orientation to screen;
    alter table files alter column screen type smallint using case screen when 'vertical' then 1 else 2 end;
    alter table ads rename column orientation to screen;
    alter table ads alter column screen type smallint using case screen when 'vertical' then 1 else 2 end;
    alter table ad_items drop column kind, alter column file_id set not null;
    alter table uploads rename column purpose to kind;
  `.execute(trx);
}

/** Revisions as they were in the rows of devices. */
const undoRevisions = (trx: Db) =>
  sql`
    drop view devices_now;
    alter table devices add revision bigint default 1 not null, add manifest_revision bigint default 0 not null,
      add manifest_version text, add reported_revision bigint default 0 not null, add reported_version text,
      add done_revision bigint default 0 not null, add download jsonb, add operator_id uuid,
      add waiting_since timestamptz default now() not null;
    update devices d set revision = c.revision, manifest_revision = c.manifest_revision,
      manifest_version = c.manifest_version, reported_revision = c.reported_revision,
      reported_version = c.reported_version, done_revision = c.done_revision, download = c.download,
      operator_id = c.operator_id, waiting_since = coalesce(w.since, now())
      from device_revisions c left join device_waits w using (device_id) where d.id = c.device_id;
    drop function devices_add_revisions, devices_end_waits cascade;
    drop table device_revisions, device_waits;
    drop function device_revisions_begin_waits, device_revisions_note_waits, device_revisions_note_failures;
    create function devices_note_failures() returns trigger language plpgsql as $$ begin return new; end $$;
    alter table devices add failed boolean not null generated always as (
      done_revision < revision and reported_revision >= revision
        and coalesce(download ->> 'state' = 'failed', false)) stored;
    create index devices_waiting on devices (created_at desc, id desc) where done_revision < revision;
    create index devices_failed on devices (created_at desc, id desc) where failed;
    create function devices_note_waiting() returns trigger language plpgsql as $$ begin return new; end $$;
    create trigger devices_note_waiting before update on devices for each row execute function devices_note_waiting();
    create view devices_now as select from devices;
  `.execute(trx);

test('the page agrees with the list of devices, for those above, beside and below', async () => {
  await makeWorld();
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  const stranger = await server.createUser('member');
  const device = await pairedDevice(server, member);
  await pairedDevice(server, boss);
  const channel = await device.open();
  // It receives its version once it counts as online.
  await channel.next();
  const total = async (who: Session, query: object) =>
    dataOf(await who.calls.devices.list({ query: { ...query, total: 'true' } })).total;
  for (const [who, expected] of [
    [boss, { total: 2, online: 1 }],
    [member, { total: 1, online: 1 }],
    [stranger, { total: 0, online: 0 }],
  ] as const) {
    const { devices, merchant } = dataOf(await who.calls.home.summary());
    expect(devices).toEqual({
      total: await total(who, {}),
      online: await total(who, { online: 'true' }),
      expired: await total(who, { expiry: 'expired' }),
      expiring: await total(who, { expiry: 'expiring' }),
      waiting: await total(who, { download: 'waiting' }),
      offline: await total(who, { online: 'false', paired: 'true' }),
      failed: await total(who, { download: 'failed' }),
      stalled: await total(who, { download: 'stalled' }),
    });
    expect(devices).toMatchObject(expected);
    expect(merchant?.username).toBe(who === member ? boss.user.username : 'admin');
  }

  await samplePresence(db);
  const lastHour = async (who: Session) => dataOf(await who.calls.home.summary()).history.online.at(-2)?.[1];
  expect([await lastHour(boss), await lastHour(member), await lastHour(stranger)]).toEqual([1, 1, 0]);
  dataOf(await (await server.login()).calls.users.delete({ params: { id: boss.user.id } }));
  await expectTruth();
  expect([await lastHour(await server.login()), await lastHour(member)]).toEqual([1, 1]);
  await channel.close();
});
