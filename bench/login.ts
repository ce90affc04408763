import '../server/src/platform/http/mount.ts';
import { withDatabase } from './database.ts';
import { load, median, requestsASecond, verdict } from './figures.ts';
import { percentile } from '../e2e/percentile.ts';
import { whileLooking } from './lists.ts';
import { login, startAms, startProgram, untilIdle } from './processes.ts';
import { fillDevices } from './rows.ts';

const PEOPLE = 50;
const ROUNDS = 5;
const WARM_UP_ROUNDS = 5;
const GOAL_A_SECOND = 60;
/** Of the rate of bare argon2 with the same parameters. */
const RATIO_GOAL = 0.6;
const LIST_GOAL_MS = 100;

/** 50 people sign in at once, beside a bare check of as many passwords, while an operator looks at the list. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const ams = await startAms(folder);
  ends.defer(() => ams.stop());
  await withDatabase(folder, (db) => fillDevices(db, { users: PEOPLE * 2, devices: 1000 }));
  const floor = await startProgram('bench/floor/verify.ts');
  ends.defer(() => floor.stop());
  const token = await login(ams.origin);
  const all = async () => {
    const start = performance.now();
    await Promise.all(Array.from({ length: PEOPLE }, (_, n) => login(ams.origin, `dealer${n + 1}`)));
    return (PEOPLE * 1000) / (performance.now() - start);
  };
  // A server that has run for a while is measured: V8 optimizes what has run often, connections have their statements.
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await whileLooking(ams.origin, token, all);
  const ours: number[] = [];
  const bare: number[] = [];
  const looks: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [rate, times] = await whileLooking(ams.origin, token, all);
    ours.push(rate);
    looks.push(...times);
    bare.push(await requestsASecond({ url: floor.origin }, { seconds: 1, connections: PEOPLE }));
    // It still checks the passwords of requests that nobody waits for.
    await untilIdle(floor.pid);
  }
  const rate = median(ours);
  const ratio = rate / median(bare);
  const p99 = percentile(looks, 0.99);
  console.log(`${PEOPLE} people at once, ${ROUNDS} times (${load()})`);
  console.log(
    `  ours ${rate.toFixed(0)}/s, bare argon2 ${median(bare).toFixed(0)}/s, ratio ${ratio.toFixed(2)}: ${verdict(ratio >= RATIO_GOAL)}; ${GOAL_A_SECOND} a second: ${verdict(rate >= GOAL_A_SECOND)}`,
  );
  console.log(
    `  lists meanwhile: ${looks.length}, median ${median(looks).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms: ${verdict(p99 < LIST_GOAL_MS)}`,
  );
}
