import '../server/src/platform/mount.ts';
import { withDatabase } from './database.ts';
import { inTurn, load, requestsASecond, verdict } from './figures.ts';
import { startAms, startProgram } from './processes.ts';
import { fillDevices, machineSecret } from './rows.ts';

const ROUNDS = 5;
const SECONDS = 2;
const GOAL = 0.8;

/** A machine asks whether there is something new, and there is not, beside a bare "hello". */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const ams = await startAms(folder);
  ends.defer(() => ams.stop());
  await withDatabase(folder, (db) => fillDevices(db, { users: 20, devices: 1000 }));
  const floor = await startProgram('bench/floor/hello.ts');
  ends.defer(() => floor.stop());
  const url = `${ams.origin}/api/player/manifest`;
  const authorization = `Bearer ${machineSecret(1)}`;
  const first = await fetch(url, { headers: { authorization } });
  const headers = { authorization, 'if-none-match': first.headers.get('etag') ?? '' };
  const { ours, hello } = await inTurn(ROUNDS, {
    ours: () => requestsASecond({ url, headers, status: 304 }, { seconds: SECONDS }),
    hello: () => requestsASecond({ url: floor.origin }, { seconds: SECONDS }),
  });
  const ratio = ours / hello;
  console.log(
    `ours ${ours.toFixed(0)}/s, floor ${hello.toFixed(0)}/s, ratio ${ratio.toFixed(2)}: ${verdict(ratio >= GOAL)} (${load()})`,
  );
}
