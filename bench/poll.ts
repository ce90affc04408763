import '../server/src/devices/devices.tables.ts';
import '../server/src/platform/http/mount.ts';
import { connect } from 'node:net';
import { withDatabase } from './database.ts';
import { inTurn, load, verdict } from './figures.ts';
import { startAms, startProgram } from './processes.ts';
import { fillDevices, deviceSecret } from './rows.ts';

const DEVICES = 10_000;
const CONNECTIONS = 50;
const ROUNDS = 5;
const SECONDS = 2;
const GOAL = 0.8;

/** Requests for `url` as bytes, by devices that send the version they hold, or none. */
function requestsFor(url: string, versions: readonly (string | null)[]): Buffer[] {
  const { host, pathname } = new URL(url);
  return versions.map((version, index) => {
    const lines = [`GET ${pathname} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${deviceSecret(index + 1)}`];
    if (version !== null) lines.push(`If-None-Match: "${version}"`);
    return Buffer.from([...lines, '', ''].join('\r\n'));
  });
}

/**
 * Sends these requests over one connection, the next when the one before is answered, and answers how many were
 * answered before `until` (`performance.now()`), or once each when that is left out. Only the answers' first lines are
 * read: a client that does more uses up what it measures.
 */
function askInTurn(url: string, requests: readonly Buffer[], status: number, until?: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const wanted = `HTTP/1.1 ${status}`;
  let answered = 0;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    const ask = (): void => {
      const isOver = until === undefined ? answered === requests.length : performance.now() >= until;
      if (isOver) socket.destroy();
      else socket.write(requests[answered % requests.length] ?? '');
    };
    socket.once('connect', ask);
    socket.on('data', (answer) => {
      if (answer.toString('latin1', 0, wanted.length) !== wanted) reject(new Error(answer.toString('latin1')));
      answered += 1;
      ask();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(answered));
  });
}

/** All devices ask in turn, each of the connections for a part of them: answers a second. */
async function askAll(url: string, versions: readonly (string | null)[], status: number, seconds?: number) {
  const requests = requestsFor(url, versions);
  const part = DEVICES / CONNECTIONS;
  const begun = performance.now();
  const until = seconds === undefined ? undefined : begun + seconds * 1000;
  const answered = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) =>
      askInTurn(url, requests.slice(index * part, (index + 1) * part), status, until),
    ),
  );
  return answered.reduce((a, b) => a + b) / ((performance.now() - begun) / 1000);
}

const manifestOf = ({ origin }: { origin: string }): string => `${origin}/api/player/manifest`;

/** Makes every device's manifest once and answers their versions. */
async function firstVersions(folder: string): Promise<(string | null)[]> {
  const ams = await startAms(folder);
  const versions: (string | null)[] = [];
  await withDatabase(folder, async (db) => {
    await fillDevices(db, { users: 20, devices: DEVICES });
    await askAll(
      manifestOf(ams),
      Array.from({ length: DEVICES }, () => null),
      200,
    );
    const rows = await db.selectFrom('device_revisions').select('manifest_version').orderBy('device_id').execute();
    versions.push(...rows.map((row) => row.manifest_version));
  });
  await ams.stop();
  return versions;
}

/** Devices ask whether there is something new, and there is not, beside a bare "hello" that is asked the same way. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const versions = await firstVersions(folder);
  const ams = await startAms(folder);
  ends.defer(() => ams.stop());
  const floor = await startProgram('bench/floor/hello.ts');
  ends.defer(() => floor.stop());
  // A process that has just started recalls nothing: each of these answers is the database's.
  const asked = await askAll(manifestOf(ams), versions, 304);
  const { ours, hello } = await inTurn(ROUNDS, {
    ours: () => askAll(manifestOf(ams), versions, 304, SECONDS),
    hello: () => askAll(floor.origin, versions, 200, SECONDS),
  });
  const ratio = ours / hello;
  console.log(`${DEVICES} devices (${load()})`);
  console.log(`  the first time: ${asked.toFixed(0)}/s`);
  console.log(
    `  again: ours ${ours.toFixed(0)}/s, floor ${hello.toFixed(0)}/s, ratio ${ratio.toFixed(2)}: ${verdict(ratio >= GOAL)}`,
  );
}
