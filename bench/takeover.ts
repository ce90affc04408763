import '../server/src/platform/http/mount.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevices } from './devices.ts';
import { load, median, verdict } from './figures.ts';
import { COLLECTING, login, startAms } from './processes.ts';
import { AD, fill } from './push.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
const ROUNDS = 5;
const GOAL_MS = 1500;
/** Devices report and request their manifests meanwhile. */
const SETTLE_MS = 4000;
const HOUR_MS = 3_600_000;

const now = (): number => performance.timeOrigin + performance.now();

/** Takeovers of all connected devices: from the request until the last device has the programme. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const ams = await startAms(folder, {}, COLLECTING);
  ends.defer(() => ams.stop());
  await fill(folder);
  const token = await login(ams.origin);
  const call = async (path: string, body: object = {}): Promise<string> => {
    const reply = await fetch(`${ams.origin}/api/takeovers${path}`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(await reply.text());
    const { data } = (await reply.json()) as { data: { id: string } };
    return data.id;
  };
  const until = () => new Date(Date.now() + HOUR_MS).toISOString();
  const order = { adId: AD, devices: { filter: {} } };
  const devices = await startDevices(ams.origin, DEVICES);
  ends.defer(() => devices.stop());
  await devices.online;
  await sleep(SETTLE_MS);

  /** Milliseconds until the request was answered and until the last device was told, of the median round. */
  const measure = async (before: () => Promise<string>, begin: (prepared: string) => Promise<string>) => {
    const rounds: { answered: number; told: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const prepared = await before();
      await sleep(SETTLE_MS);
      const { told } = await devices.mark('takeover');
      const start = now();
      const id = await begin(prepared);
      rounds.push({ answered: now() - start, told: (await told) - start });
      await sleep(SETTLE_MS);
      await call(`/${id}/end`);
      await sleep(SETTLE_MS);
    }
    return {
      answered: median(rounds.map(({ answered }) => answered)),
      told: median(rounds.map(({ told }) => told)),
      worst: Math.max(...rounds.map(({ told }) => told)),
    };
  };
  const atOnce = await measure(
    async () => '',
    () => call('', { ...order, until: until() }),
  );
  const prepared = await measure(
    () => call('', { ...order, prepare: true }),
    (id) => call(`/${id}/start`, { until: until() }),
  );
  console.log(`${DEVICES} devices, median of ${ROUNDS} (${load()})`);
  for (const [what, { answered, told, worst }] of Object.entries({ 'at once': atOnce, prepared })) {
    console.log(
      `  ${what}: answered after ${answered.toFixed(0)} ms, the last told after ${told.toFixed(0)} ms (worst ${worst.toFixed(0)}): ${verdict(told <= GOAL_MS)}`,
    );
  }
}
