import '../server/src/platform/http/mount.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevices } from './devices.ts';
import { load, median, verdict } from './figures.ts';
import { COLLECTING, login, startAms } from './processes.ts';
import { AD, fill } from './push.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
/** All devices: those that are not connected come after the others. */
const FLEET = Number(process.env['BENCH_FLEET'] ?? DEVICES);
const ROUNDS = 5;
const GOAL_MS = 1500;
/** Devices report and request their manifests meanwhile. */
const SETTLE_MS = 4000 + FLEET / 10;
const HOUR_MS = 3_600_000;

const now = (): number => performance.timeOrigin + performance.now();

/** Takeovers of all devices: from the request until the last connected one has the programme, or knows of the end. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const ams = await startAms(folder, {}, COLLECTING);
  ends.defer(() => ams.stop());
  await fill(folder, FLEET);
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

  /** A call, and the milliseconds until it was answered and until the last device had a message of a type. */
  const untilTold = async (type: string, begin: () => Promise<string>) => {
    const { told } = await devices.mark(type);
    const start = now();
    const id = await begin();
    return { id, answered: now() - start, told: (await told) - start };
  };
  type Round = Omit<Awaited<ReturnType<typeof untilTold>>, 'id'>;
  const ended: Round[] = [];
  const measure = async (before: () => Promise<string>, begin: (prepared: string) => Promise<string>) => {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const prepared = await before();
      await sleep(SETTLE_MS);
      const { id, ...begun } = await untilTold('takeover', () => begin(prepared));
      rounds.push(begun);
      await sleep(SETTLE_MS);
      ended.push(await untilTold('takeoverEnded', () => call(`/${id}/end`)));
      await sleep(SETTLE_MS);
    }
    return rounds;
  };
  const atOnce = await measure(
    async () => '',
    () => call('', { ...order, until: until() }),
  );
  const prepared = await measure(
    () => call('', { ...order, prepare: true }),
    (id) => call(`/${id}/start`, { until: until() }),
  );
  console.log(`${FLEET} devices, ${DEVICES} of them connected, median of ${ROUNDS} (${load()})`);
  for (const [what, rounds] of Object.entries({ 'at once': atOnce, prepared, ended })) {
    const of = (key: keyof Round) => rounds.map((round) => round[key]);
    const [answered, told] = [median(of('answered')), median(of('told'))];
    console.log(
      `  ${what}: answered after ${answered.toFixed(0)} ms (worst ${Math.max(...of('answered')).toFixed(0)}), the last told after ${told.toFixed(0)} ms (worst ${Math.max(...of('told')).toFixed(0)}): ${verdict(told <= GOAL_MS)}`,
    );
  }
}
