import '../server/src/platform/http/mount.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { withDatabase } from './database.ts';
import { load, median, verdict } from './figures.ts';
import { startDevices } from './devices.ts';
import { COLLECTING, login, memoryBytes, type Program, startAms, startProgram } from './processes.ts';
import { fillDevices, rowId } from './rows.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
const ROUNDS = 3;
const GOAL = 1.5;
const MEMORY_GOAL_BYTES = 12_000;
const SETTLE_MS = 3000;
const FIRST_DEVICES = 100;

const now = (): number => performance.timeOrigin + performance.now();
export const AD = '01900003-0000-7000-8000-000000000001';

/** Paired devices and an ad of the first account with one file. */
export const fill = (folder: string, count = DEVICES): Promise<void> =>
  withDatabase(folder, async (db) => {
    await fillDevices(db, { users: 100, devices: count });
    const sha = sql`repeat('a', 64)`;
    const root = sql`(select id from users where username = 'admin')`;
    await sql`insert into blobs (sha256, bytes, state, mime) values (${sha}, 1000, 'ready', 'image/png')`.execute(db);
    await sql`insert into files (id, owner_id, name, orientation, kind, sha256)
      values (${rowId('0002', '1')}, ${root}, 'file', 'vertical', 1, ${sha})`.execute(db);
    await sql`insert into ads (id, owner_id, name, orientation, split, dual, play_mode, show_clock, fit)
      values (${AD}, ${root}, 'ad', 'vertical', 'full', false, 'sequence', false, 'contain')`.execute(db);
    await sql`insert into ad_items (ad_id, region, position, kind, file_id)
      values (${AD}, 'full', 0, 'file', ${rowId('0002', '1')})`.execute(db);
  });

async function post(url: string, token: string): Promise<void> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ devices: { filter: {} } }),
  });
  if (!reply.ok) throw new Error(await reply.text());
}

interface Figures {
  /** Milliseconds until the request was answered, and until the last device was notified. */
  answered: number;
  told: number;
  bytesEach: number;
}

/** Memory for code that is loaded with the first devices is not counted per device. */
async function warmUp(origin: string): Promise<void> {
  const devices = await startDevices(origin, FIRST_DEVICES);
  await devices.online;
  await devices.stop();
  await sleep(SETTLE_MS);
}

async function measure(program: Program, url: string, token: string): Promise<Figures> {
  await warmUp(program.origin);
  const before = await memoryBytes(program);
  const devices = await startDevices(program.origin, DEVICES);
  await devices.online;
  await sleep(SETTLE_MS);
  const bytesEach = ((await memoryBytes(program)) - before) / DEVICES;
  const rounds: { answered: number; told: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { told } = await devices.mark();
    const start = now();
    await post(url, token);
    rounds.push({ answered: now() - start, told: (await told) - start });
    await sleep(SETTLE_MS);
  }
  await devices.stop();
  return {
    answered: median(rounds.map(({ answered }) => answered)),
    told: median(rounds.map(({ told }) => told)),
    bytesEach,
  };
}

/** A release to all devices until the last one is notified, compared with bare `ws`. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const ams = await startAms(folder, {}, COLLECTING);
  ends.defer(() => ams.stop());
  await fill(folder);
  const bare = await startProgram('bench/floor/broadcast.ts', {}, COLLECTING);
  ends.defer(() => bare.stop());
  const floor = await measure(bare, bare.origin, '');
  const ours = await measure(ams, `${ams.origin}/api/ads/${AD}/release`, await login(ams.origin));
  const beyond = Math.max(0, ours.told - ours.answered);
  console.log(`${DEVICES} devices (${load()})`);
  console.log(
    `  floor: the last is notified after ${floor.told.toFixed(0)} ms, ${floor.bytesEach.toFixed(0)} bytes a device`,
  );
  console.log(
    `  ours: released after ${ours.answered.toFixed(0)} ms, the last told after ${ours.told.toFixed(0)} ms: ${beyond.toFixed(0)} ms later, ratio ${(beyond / floor.told).toFixed(2)}: ${verdict(beyond <= GOAL * floor.told)}`,
  );
  console.log(`  ours: ${ours.bytesEach.toFixed(0)} bytes a device: ${verdict(ours.bytesEach <= MEMORY_GOAL_BYTES)}`);
}
