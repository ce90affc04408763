import '../server/src/platform/http/mount.ts';
import { withDatabase } from './database.ts';
import { load, verdict } from './figures.ts';
import { percentile } from '../e2e/percentile.ts';
import { whileLooking } from './lists.ts';
import { startDevices } from './devices.ts';
import { login, startAms } from './processes.ts';
import { fillDevices } from './rows.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
const ONLINE_GOAL_MS = 10_000;
const OPERATOR_GOAL_MS = 500;

/** All devices come at once to a server that has just started, while an operator looks at the list. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  {
    await using filled = new AsyncDisposableStack();
    const before = await startAms(folder);
    filled.defer(() => before.stop());
    await withDatabase(folder, (db) => fillDevices(db, { users: 100, devices: DEVICES }));
  }
  const ams = await startAms(folder);
  ends.defer(() => ams.stop());
  const token = await login(ams.origin);
  const start = performance.timeOrigin + performance.now();
  const [online, looks] = await whileLooking(ams.origin, token, async () => {
    const devices = await startDevices(ams.origin, DEVICES, DEVICES);
    ends.defer(() => devices.stop());
    return devices.online;
  });
  const took = online - start;
  const p99 = percentile(looks, 0.99);
  console.log(`${DEVICES} devices at once (${load()})`);
  console.log(`  all online after ${(took / 1000).toFixed(1)} s: ${verdict(took < ONLINE_GOAL_MS)}`);
  console.log(
    `  lists meanwhile: ${looks.length}, median ${percentile(looks, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms: ${verdict(p99 < OPERATOR_GOAL_MS)}`,
  );
}
