import '../server/src/devices/devices.tables.ts';
import '../server/src/platform/mount.ts';
import autocannon from 'autocannon';
import { withDatabase } from './database.ts';
import { inTurn, load, requestsASecond, verdict } from './figures.ts';
import { startAms, startProgram } from './processes.ts';
import { fillDevices, machineSecret } from './rows.ts';

const MACHINES = 10_000;
const CONNECTIONS = 50;
const ROUNDS = 5;
const SECONDS = 2;
const GOAL = 0.8;

interface Asking {
  headers: Record<string, string>;
}

/** Machines that say which manifest they hold, or that they hold none. */
const machinesWith = (versions: readonly (string | null)[]): Asking[] =>
  versions.map((version, index) => ({
    headers: {
      authorization: `Bearer ${machineSecret(index + 1)}`,
      ...(version !== null && { 'if-none-match': `"${version}"` }),
    },
  }));

/** All machines ask in turn, each of the connections for a part of them: answers a second. */
async function askAll(
  origin: string,
  machines: Asking[],
  often: { amount: number } | { duration: number },
  status: number,
) {
  const part = machines.length / CONNECTIONS;
  let clients = 0;
  const result = await autocannon({
    url: `${origin}/api/player/manifest`,
    connections: CONNECTIONS,
    ...often,
    setupClient: (client) => {
      client.setRequests(machines.slice(clients * part, (clients + 1) * part));
      clients += 1;
    },
  });
  const good = result.statusCodeStats?.[`${status}`]?.count ?? 0;
  if (good < result.requests.total || result.errors > 0) throw new Error(JSON.stringify(result.statusCodeStats));
  return result.requests.total / result.duration;
}

/** Makes every machine's manifest once and answers their versions. */
async function firstVersions(folder: string): Promise<(string | null)[]> {
  const ams = await startAms(folder);
  const versions: (string | null)[] = [];
  await withDatabase(folder, async (db) => {
    await fillDevices(db, { users: 20, devices: MACHINES });
    await askAll(ams.origin, machinesWith(Array.from({ length: MACHINES }, () => null)), { amount: MACHINES }, 200);
    const rows = await db.selectFrom('devices').select('manifest_version').orderBy('id').execute();
    versions.push(...rows.map((row) => row.manifest_version));
  });
  await ams.stop();
  return versions;
}

/** Machines ask whether there is something new, and there is not, beside a bare "hello". */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const machines = machinesWith(await firstVersions(folder));
  const ams = await startAms(folder);
  ends.defer(() => ams.stop());
  const floor = await startProgram('bench/floor/hello.ts');
  ends.defer(() => floor.stop());
  // A process that has just started recalls nothing: each of these answers is the database's.
  const asked = await askAll(ams.origin, machines, { amount: MACHINES }, 304);
  const { ours, hello } = await inTurn(ROUNDS, {
    ours: () => askAll(ams.origin, machines, { duration: SECONDS }, 304),
    hello: () => requestsASecond({ url: floor.origin }, { seconds: SECONDS, connections: CONNECTIONS }),
  });
  const ratio = ours / hello;
  console.log(`${MACHINES} machines (${load()})`);
  console.log(`  the first time: ${asked.toFixed(0)}/s`);
  console.log(
    `  again: ours ${ours.toFixed(0)}/s, floor ${hello.toFixed(0)}/s, ratio ${ratio.toFixed(2)}: ${verdict(ratio >= GOAL)}`,
  );
}
