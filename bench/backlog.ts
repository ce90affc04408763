import { setTimeout as sleep } from 'node:timers/promises';
import { addDays, type Play } from '@ams/contract';
import { makePlayerApi } from '@ams/player/api';
import { makeClock } from '@ams/player/clock';
import { sendPlays } from '@ams/player/plays';
import { makeKeyPair, signerOf } from '@ams/player/signing';
import type { ChainEnd, PlayBatch } from '@ams/player/store';
import { sql } from 'kysely';
import { percentile } from '../e2e/percentile.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { usageOf } from '../server/src/platform/sandbox/usage.ts';
import { callersAt, dataOf } from '../server/test/callers.ts';
import { clearCampaigns, TODAY } from './booking/drafts.ts';
import { load, verdict } from './figures.ts';
import { type Fleet, makeFleet, startFleets } from './fleets.ts';
import { whileLooking } from './lists.ts';
import { COLLECTING, cpuSeconds, login, memoryBytes, memoryOf, type Program } from './processes.ts';
import { AD, deviceSecret, fillAd } from './rows.ts';

const DEVICES = 1000;
const PLAYS = Number(process.env['BENCH_PLAYS'] ?? 1_000_000);
const BATCH_PLAYS = 500;
const REPLAYED = 20;
const DAY_MS = 86_400_000;
const AWAY_DAYS = 14;
const IDLE_MS = 5000;
const KIB = 1024;
const TENTHS = 10;
/** Memory that the server holds more when its garbage is collected: a million plays are 200 MB as text. */
const GOAL = { memoryMb: 32, p99Ms: 500 };

/** Megabytes of memory that a process holds now. */
const heldMb = ({ pid }: Program): number => usageOf(pid)?.residentMb ?? Number.NaN;

/** A campaign that device 1 has carried for two weeks. */
async function carry({
  db,
  ams: { origin },
}: Fleet): Promise<{ campaignId: string; mac: string; item: Omit<Play, 'at'> }> {
  await fillAd(db);
  await clearCampaigns(db);
  const { rows } = await sql<{ id: string; mac: string }>`
    update devices set expires_on = null, expires_at = null, owner_id = (select id from users where superior_id is null)
    where id = (select min(id::text)::uuid from devices) returning id, mac`.execute(db);
  const [device] = rows;
  if (!device) throw new Error('no device');
  const { campaigns } = callersAt(origin).as(await login(origin));
  const { id } = dataOf(
    await campaigns.create({
      body: {
        name: 'Backlog',
        adIds: [AD],
        devices: { ids: [device.id] },
        schedule: { from: TODAY, to: addDays(TODAY, 9) },
        goal: { kind: 'share', value: 50 },
        price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
      },
    }),
  );
  const booked = dataOf(await campaigns.book({ params: { id } }));
  const releaseId = booked.creatives[0]?.releaseId;
  if (!releaseId) throw new Error(JSON.stringify(booked));
  await sql`update release_devices set started_at = now() - interval '15 days' where release_id = ${releaseId}`.execute(
    db,
  );
  const { rows: files } = await sql<{ sha256: string }>`
    select sha256 from release_files where release_id = ${releaseId}`.execute(db);
  return {
    campaignId: id,
    mac: device.mac,
    item: { releaseId, sha256: files[0]?.sha256 ?? '', durationMs: 1000, screen: 'main' },
  };
}

/** A play log of the player: what waits, the batch under way, and the end of the chain. */
function makeLog() {
  const waiting: Play[] = [];
  let [batch, end]: [PlayBatch | undefined, ChainEnd | undefined] = [undefined, undefined];
  return {
    append: (play: Play): void => void waiting.push(play),
    take: async (name: string, limit: number) => {
      if (!batch && waiting.length > 0) batch = { batch: name, plays: waiting.splice(0, limit) };
      return batch;
    },
    chainEnd: async () => end,
    rewrite: async (signed: PlayBatch, next: ChainEnd | null | undefined) => {
      [batch, end] = [signed, next ?? end];
    },
    confirm: async () => {
      batch = undefined;
    },
  };
}

/** Sends what has gathered by the player's own code, and its first batches once more. Calls back after each tenth. */
async function send(
  { ams: { origin } }: Fleet,
  mac: string,
  item: Omit<Play, 'at'>,
  onTenth: () => Promise<unknown>,
): Promise<void> {
  const clock = makeClock({ wall: Date.now, monotonic: () => performance.now(), kept: undefined });
  const api = makePlayerApi({ origin, secret: deviceSecret(1), fetch, clock });
  const signer = await signerOf(await makeKeyPair());
  const { publicKey } = signer;
  const register = () =>
    api.enrol({
      mac,
      publicKey,
      screens: [{ name: 'main', width: 1080, height: 1920 }],
      timeZone: 'UTC',
      player: { version: '1.0.0', kind: 'bench' },
    });
  await register();
  const { device } = dataOf(await callersAt(origin).as(deviceSecret(1)).player.manifest());
  const plays = makeLog();
  const sent: Parameters<typeof api.plays>[0][] = [];
  const noting: typeof api.plays = (batch) => {
    if (sent.length < REPLAYED) sent.push(batch);
    return api.plays(batch);
  };
  const problems: string[] = [];
  const ports = {
    ...{ api: { plays: noting }, plays },
    log: (_level: string, text: string) => void problems.push(text),
    signing: { signer, device: async () => device.id, register },
  };
  const [began, stepMs] = [Date.now() - AWAY_DAYS * DAY_MS, Math.floor((AWAY_DAYS * DAY_MS) / PLAYS)];
  for (let n = 0; n < PLAYS; n += BATCH_PLAYS) {
    for (let at = n; at < Math.min(n + BATCH_PLAYS, PLAYS); at += 1) {
      plays.append({ ...item, at: new Date(began + at * stepMs).toISOString() });
    }
    while ((await sendPlays(ports)) === 'failed') await sleep(1000);
    if ((n + BATCH_PLAYS) % (PLAYS / TENTHS) === 0) await onTenth();
  }
  for (const batch of sent) await api.plays(batch);
  if (problems.length > 0) throw new Error(problems.slice(0, 3).join('\n'));
}

/** As many rows by bare statements, each committed: a table with the indexes of the record, and nothing else. */
async function floorSeconds(db: Db): Promise<number> {
  await sql`drop table if exists floor_plays`.execute(db);
  await sql`create table floor_plays (like plays including defaults including indexes)`.execute(db);
  const start = performance.now();
  for (let n = 0; n < PLAYS; n += BATCH_PLAYS) {
    await sql`
      insert into floor_plays (device_id, at, item_id, duration_ms, nth)
      select '01900001-0000-7000-8000-000000000001', now() + k * interval '1 second', 1, 1000, 1
      from generate_series(${n}::int, ${Math.min(n + BATCH_PLAYS, PLAYS) - 1}::int) k`.execute(db);
  }
  const seconds = (performance.now() - start) / 1000;
  await sql`drop table floor_plays`.execute(db);
  return seconds;
}

/** A device that comes back after two weeks reports all its plays, while an operator works. */
export default async function backlog(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const fleet = await makeFleet(await startFleets(folder, ends), folder, DEVICES, ends, { args: COLLECTING });
  const { db, ams } = fleet;
  const { campaignId, mac, item } = await carry(fleet);
  const token = await login(ams.origin);
  const [, idle] = await whileLooking(ams.origin, token, () => sleep(IDLE_MS));
  const before = { held: await memoryBytes(ams), mb: heldMb(ams), cpu: cpuSeconds(ams.pid) };
  let mostMb = before.mb;
  const memory = setInterval(() => (mostMb = Math.max(mostMb, heldMb(ams))), 100);
  const start = performance.now();
  /** Of objects, after each tenth of the plays. */
  const heaps: number[] = [];
  const note = async (): Promise<unknown> => heaps.push((await memoryOf(ams)).heap / KIB ** 2);
  const [, busy] = await whileLooking(ams.origin, token, () => send(fleet, mac, item, note)).finally(() =>
    clearInterval(memory),
  );
  const seconds = (performance.now() - start) / 1000;
  const cpu = cpuSeconds(ams.pid) - before.cpu;
  const moreMb = ((await memoryBytes(ams)) - before.held) / KIB ** 2;
  const { rows } = await sql<{ record: number; sums: number; spots: number }>`
    select (select count(*) from plays k join play_items i on i.id = k.item_id where i.release_id = ${item.releaseId}) as record,
      (select sum(d.plays) from play_item_days d join play_items i on i.id = d.item_id
        where i.release_id = ${item.releaseId})::float8 as sums,
      (select sum(spots) from campaign_hours where campaign_id = ${campaignId}) as spots`.execute(db);
  const [counted = { record: 0, sums: 0, spots: 0 }] = rows;
  const isExact = Object.values(counted).every((count) => count === PLAYS);
  const floor = await floorSeconds(db);
  console.log(
    `${PLAYS} plays of one device in batches of ${BATCH_PLAYS}, signed, ${REPLAYED} of them twice: ${seconds.toFixed(0)} s (${(PLAYS / seconds).toFixed(0)} a second), ${cpu.toFixed(0)} s of processor time; ${load()}`,
  );
  console.log(`floor, bare statements with as many rows: ${floor.toFixed(0)} s, ratio ${(floor / seconds).toFixed(2)}`);
  console.log(`counted: ${JSON.stringify(counted)}, each exactly once: ${verdict(isExact)}`);
  console.log(
    `memory of the server: ${moreMb.toFixed(0)} MB more when its garbage is collected, goal ${GOAL.memoryMb} MB: ${verdict(moreMb <= GOAL.memoryMb)}; with garbage ${before.mb.toFixed(0)} MB before, ${mostMb.toFixed(0)} MB at most`,
  );
  console.log(`objects in memory after each tenth: ${heaps.map((mb) => mb.toFixed(1)).join(', ')} MB`);
  const p99 = percentile(busy, 0.99);
  console.log(
    `list of devices meanwhile: median ${percentile(busy, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${busy.length} (before: median ${percentile(idle, 0.5).toFixed(0)} ms), goal ${GOAL.p99Ms} ms: ${verdict(p99 <= GOAL.p99Ms)}`,
  );
}
