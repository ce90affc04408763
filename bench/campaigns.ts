import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { addSeen, type Board, makeShared, nothingSeen, openBoard, type Seen } from './campaigns/board.ts';
import { Planner } from './campaigns/planner.ts';
import { HOURS, makeScenario, type Scenario } from './campaigns/scenario.ts';
import { LOST } from './campaigns/screen.ts';
import type { WorkerTask } from './campaigns/worker.ts';
import { verdict } from './figures.ts';
import { percentile } from '../e2e/percentile.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 1000);
const CAMPAIGNS = Number(process.env['BENCH_CAMPAIGNS'] ?? 200);
/** Campaigns whose devices break for good, so that they cannot be delivered. */
const DOOMED = 5;
const SILENT_HOURS = 24;

/** Starts the threads; each plays an hour on its devices when asked. */
function startWorkers(task: Omit<WorkerTask, 'devices'>) {
  const count = availableParallelism();
  const workers = Array.from({ length: count }, (_, at) => {
    const devices = [...task.scenario.devices.keys()].filter((device) => device % count === at);
    const workerData: WorkerTask = { ...task, devices };
    return new Worker(new URL('./campaigns/worker.ts', import.meta.url), { workerData });
  });
  const playOn = async (worker: Worker, hour: number): Promise<Seen> => {
    const answered = once(worker, 'message');
    worker.postMessage(hour);
    const [seen] = await answered;
    return seen;
  };
  return {
    play: (hour: number) => Promise.all(workers.map((worker) => playOn(worker, hour))),
    stop: () => Promise.all(workers.map((worker) => worker.terminate())),
  };
}

/** What each campaign delivered, in percent of its order. */
const deliveredOf = ({ campaigns }: Scenario, { played }: Board): number[] =>
  campaigns.map(({ ordered, pairs }) => (100 * pairs.reduce((sum, pair) => sum + (played[pair] ?? 0), 0)) / ordered);

function printDelivery(scenario: Scenario, delivered: readonly number[], announced: ReadonlyMap<number, number>): void {
  const feasible = delivered.filter((_, campaign) => !announced.has(campaign));
  const within = feasible.filter((percent) => percent >= 100 && percent <= 101);
  console.log(
    `feasible campaigns: ${feasible.length}, within 100.0 to 101 %: ${within.length} (${verdict(within.length === feasible.length)});`,
    `least ${Math.min(...feasible).toFixed(2)} %, median ${percentile(feasible, 0.5).toFixed(2)} %, most ${Math.max(...feasible).toFixed(2)} %`,
  );
  const undelivered = delivered.filter((percent, campaign) => percent < 100 && !announced.has(campaign)).length;
  console.log(`campaigns that fell short without being announced: ${undelivered} (${verdict(undelivered === 0)})`);
  for (const [campaign, hour] of announced) {
    const deaths = scenario.campaigns[campaign]?.pairs.map((pair) => diesAtOf(scenario, pair)) ?? [];
    // A plan is made after an hour.
    const known = Math.min(...deaths) + SILENT_HOURS - 1;
    const later = Number.isFinite(known) ? `, ${hour - known} h after its devices counted as lost` : '';
    console.log(
      `infeasible: campaign ${campaign}, ${delivered[campaign]?.toFixed(2)} %, announced in hour ${hour}${later} (${verdict(!Number.isFinite(known) || hour - known < 24)})`,
    );
  }
}

const diesAtOf = ({ devices, pairs }: Scenario, pair: number): number =>
  devices[pairs[pair]?.device ?? 0]?.diesAt ?? Infinity;

function printScreens(seen: Seen): void {
  const {
    steadyHours,
    unsteadyHours,
    impossibleHours,
    rushedHours,
    twice,
    spots,
    fills,
    fillMs,
    onMs,
    leastFill,
    furthest,
  } = seen;
  console.log(
    `hours of a campaign on a screen that was on time: ${steadyHours + unsteadyHours}, not within one spot of those due: ${unsteadyHours} (${verdict(unsteadyHours === 0)}); furthest from the rate ${furthest.toFixed(3)}`,
  );
  console.log(`hours of a pace that leaves no time for another item between two spots, not judged: ${impossibleHours}`);
  console.log(`hours of catching up above twice the rate: ${rushedHours} (${verdict(rushedHours === 0)})`);
  console.log(`spots: ${spots}, twice running: ${twice} (${verdict(twice === 0)})`);
  console.log(
    `fill: ${fills} items, ${((100 * fillMs) / onMs).toFixed(1)} % of the time, least in one hour on one screen ${(100 * leastFill).toFixed(1)} %`,
  );
}

/** Campaigns on simulated screens by the player's own rule, re-planned by the server's own rule. */
export default async function benchCampaigns(): Promise<void> {
  const begun = performance.now();
  const scenario = makeScenario(DEVICES, CAMPAIGNS, DOOMED);
  const shared = makeShared(scenario.pairs.length);
  const board = openBoard(shared);
  board.lastMs.fill(-1);
  for (const [pair, { everyMs }] of scenario.pairs.entries()) board.everyMs[pair] = everyMs;
  console.log(
    `${DEVICES} devices, ${CAMPAIGNS} campaigns on ${scenario.pairs.length} screens together, ${HOURS / 24} days, ${100 * LOST} % of device-hours lost`,
  );
  const workers = startWorkers({ scenario, shared });
  const planner = new Planner(scenario, board);
  const seen = nothingSeen();
  for (let hour = 0; hour < HOURS; hour += 1) {
    for (const part of await workers.play(hour)) addSeen(seen, part);
    planner.plan(hour);
  }
  await workers.stop();
  printDelivery(scenario, deliveredOf(scenario, board), planner.announced);
  printScreens(seen);
  console.log(`paces changed: ${planner.changes}, make-goods: ${planner.makeGoods}`);
  console.log(`${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
