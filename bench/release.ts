import '../server/src/ads/ads.tables.ts';
import '../server/src/devices/devices.tables.ts';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { releaseAd } from '../server/src/ads/ads.service.ts';
import { readConfig } from '../server/src/config.ts';
import { personOf, type Viewer } from '../server/src/platform/auth/auth.ts';
import { type Db, makeDb, makePool } from '../server/src/platform/database/database.ts';
import { startPostgres } from '../server/src/platform/postgres/postgres.ts';
import { storeStatus, storeVersions } from '../server/src/devices/reports.service.ts';
import { PLAYER_LINKS, RELEASE_LINKS } from '../server/src/features.ts';
import { restoreRelease } from '../server/src/releases/restore.service.ts';
import { withdrawRelease } from '../server/src/releases/withdraw.service.ts';
import { Manifests } from '../server/src/player/manifest.service.ts';
import { type RunningServer, startServer } from '../server/src/lifecycle.ts';
import { load, median, verdict } from './figures.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 100_000);
const RUNS = 3;
const MANIFESTS = 500;
const REPORTS = Math.min(2000, DEVICES);
/** `withdrawnMs`: a fifth of what the app waits; `undoneMs`: what it waits. */
const GOAL = { answerMs: 500, withdrawnMs: 1000, undoneMs: 5000, toldMs: 5000, inPlace: 0.95, manifestMs: 0.8 };

const log = pino({ level: 'error' });

/** One account with devices and an ad of one picture. */
async function fill(db: Db): Promise<{ viewer: Viewer; adId: string }> {
  const owner = await db.selectFrom('users').select(['id', 'role', 'username']).executeTakeFirstOrThrow();
  const id = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  await sql`
    insert into devices (id, mac, owner_id, secret_hash)
    select gen_random_uuid(), lpad(to_hex(n), 12, '0'), ${owner.id}, sha256(n::text::bytea) from generate_series(1, ${DEVICES}::int) n`.execute(
    db,
  );
  const sha256 = randomBytes(32).toString('hex');
  await sql`insert into blobs (sha256, bytes, mime, state) values (${sha256}, 1000000, 'image/png', 'ready')`.execute(
    db,
  );
  await sql`
    insert into files (id, owner_id, name, orientation, kind, sha256)
    values (${id(1)}, ${owner.id}, 'file', 'vertical', 1, ${sha256})`.execute(db);
  await sql`
    insert into ads (id, owner_id, name, orientation, split, dual, play_mode, show_clock, fit)
    values (${id(2)}, ${owner.id}, 'ad', 'vertical', 'full', false, 'sequence', false, 'contain')`.execute(db);
  await sql`
    insert into ad_items (ad_id, region, position, kind, file_id) values (${id(2)}, 'full', 0, 'file', ${id(1)})`.execute(
    db,
  );
  await sql`vacuum analyze`.execute(db);
  const person = personOf(owner);
  const tokenHash = Buffer.alloc(32);
  return { viewer: { kind: 'user', phone: null, superior: null, person, tokenHash, ...owner }, adId: id(2) };
}

/** Updates of the devices' revisions so far, and those that stayed on their page and changed no index. */
async function updates(db: Db): Promise<{ all: number; inPlace: number }> {
  const { rows } = await sql<{ all: number; inPlace: number }>`
    select n_tup_upd as all, n_tup_hot_upd as "inPlace" from pg_stat_user_tables where relname = 'device_revisions'`.execute(
    db,
  );
  return rows[0] ?? { all: 0, inPlace: 0 };
}

/** Each connection counts at its own pace: until `expected` updates are counted. */
async function updatesSince(db: Db, before: { all: number; inPlace: number }, expected: number): Promise<number> {
  for (;;) {
    const now = await updates(db);
    if (now.all - before.all >= expected) return (now.inPlace - before.inPlace) / (now.all - before.all);
    await sleep(200);
  }
}

/** Versions of all devices' manifests are noted, and some devices report that they have the content. */
async function reportSome(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string; revision: number; secretHash: string }>`
    select c.device_id as id, c.revision, encode(d.secret_hash, 'hex') as "secretHash"
    from device_revisions c join devices d on d.id = c.device_id order by c.device_id`.execute(db);
  for (let start = 0; start < rows.length; start += 200) {
    await storeVersions(
      db,
      rows.slice(start, start + 200).map(({ id, revision }) => ({ id, revision, version: `v${revision}` })),
    );
  }
  for (const { id, revision, secretHash } of rows.slice(0, REPORTS)) {
    const download = { state: 'done' as const, doneBytes: 1, totalBytes: 1 };
    await storeStatus(db, { id, secretHash }, { type: 'status', manifestVersion: `v${revision}`, download });
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Does something, and the milliseconds until it was answered and until so many devices were told since. */
async function untilTold(server: RunningServer, devices: number, work: () => Promise<unknown>) {
  const told = new Set<string>();
  const all = Promise.withResolvers<void>();
  const off = server.deps.events.on('manifest', ({ ids }) => {
    for (const id of ids) told.add(id);
    if (told.size >= devices) all.resolve();
  });
  const start = performance.now();
  const answered = await timed(work);
  await all.promise;
  off();
  return { answered, told: performance.now() - start };
}

export default async function run(folder: string): Promise<void> {
  const postgres = await startPostgres(folder, log);
  const config = readConfig({ PORT: '0', AMS_DATA: folder, AMS_ADMIN_PASSWORD: 'password1', LOG_LEVEL: 'error' });
  const server = await startServer(config, postgres.connection, log);
  const db = makeDb(makePool(postgres.connection, log));
  try {
    const { viewer, adId } = await fill(db);
    const order = {
      devices: { filter: {} },
      replace: true,
      priority: 'normal' as const,
      standing: false,
      goOnAt: 90,
      stopAbove: 10,
    };
    const stages = [{ percent: 5 }, { percent: 25 }, { percent: 100 }];
    const shares: number[] = [];
    const answered: number[] = [];
    const told: number[] = [];
    const inSteps: number[] = [];
    const withdrawn: Awaited<ReturnType<typeof untilTold>>[] = [];
    const undone: number[] = [];
    for (let n = 0; n < RUNS; n += 1) {
      const before = await updates(db);
      let id = '';
      const took = await untilTold(server, DEVICES, async () => {
        ({ id } = await releaseAd(server.deps, viewer, adId, order));
      });
      answered.push(took.answered);
      told.push(took.told);
      await reportSome(db);
      shares.push(await updatesSince(db, before, 2 * DEVICES + REPORTS));
      inSteps.push(await timed(() => releaseAd(server.deps, viewer, adId, { ...order, stages })));
      const withdraw = () => withdrawRelease(db, RELEASE_LINKS, viewer, id);
      withdrawn.push(await untilTold(server, DEVICES, withdraw));
      undone.push(await timed(() => restoreRelease(db, viewer, id)));
      withdrawn.push(await untilTold(server, DEVICES, withdraw));
    }
    const slowest = Math.max(...answered);
    console.log(
      `a release to ${DEVICES} devices: answered in ${median(answered).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms, goal ${GOAL.answerMs} ms: ${verdict(slowest <= GOAL.answerMs)}; ${load()}`,
    );
    const last = Math.max(...told);
    console.log(
      `all notified in ${median(told).toFixed(0)} ms, slowest ${last.toFixed(0)} ms, goal ${GOAL.toldMs} ms: ${verdict(last <= GOAL.toldMs)}`,
    );
    const share = Math.min(...shares);
    console.log(
      `revisions raised, made and reported: ${(100 * share).toFixed(1)} % of the updates are HOT, goal ${100 * GOAL.inPlace} %: ${verdict(share >= GOAL.inPlace)}`,
    );
    if (share < GOAL.inPlace) throw new Error('updates of revisions touch indexes');
    console.log(`in steps: ${median(inSteps).toFixed(0)} ms`);
    const slowestAnswer = Math.max(...withdrawn.map((each) => each.answered));
    const lastTold = Math.max(...withdrawn.map((each) => each.told));
    console.log(
      `withdrawn: answered in ${median(withdrawn.map((each) => each.answered)).toFixed(0)} ms, slowest ${slowestAnswer.toFixed(0)} ms, goal ${GOAL.withdrawnMs} ms: ${verdict(slowestAnswer <= GOAL.withdrawnMs)}`,
    );
    console.log(
      `all notified in ${median(withdrawn.map((each) => each.told)).toFixed(0)} ms, slowest ${lastTold.toFixed(0)} ms, goal ${GOAL.toldMs} ms: ${verdict(lastTold <= GOAL.toldMs)}`,
    );
    const slowestUndo = Math.max(...undone);
    console.log(
      `the withdrawal undone: ${median(undone).toFixed(0)} ms, slowest ${slowestUndo.toFixed(0)} ms, goal ${GOAL.undoneMs} ms: ${verdict(slowestUndo <= GOAL.undoneMs)}`,
    );
    const manifests = new Manifests(server.deps, PLAYER_LINKS);
    const devices = await db.selectFrom('devices').select('id').limit(MANIFESTS).execute();
    const each = async (): Promise<number> => {
      const took = await timed(async () => {
        for (const { id } of devices) await manifests.whole(id);
      });
      return took / MANIFESTS;
    };
    const [first, again] = [await each(), await each()];
    console.log(
      `${MANIFESTS} manifests one after the other: ${first.toFixed(2)} ms each, again ${again.toFixed(2)} ms, goal ${GOAL.manifestMs} ms: ${verdict(again <= GOAL.manifestMs)}`,
    );
  } finally {
    await db.destroy();
    await server.stop();
    await postgres.stop();
  }
}
