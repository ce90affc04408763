import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { makeDiscardingStore } from './discard.ts';
import { openDiskStore } from './disk.ts';
import type { Faults } from './faults.ts';
import { type Gauge, type Setup, type SimulatedDevice, makeSimulatedDevice } from './device.ts';
import { signIn } from './operator.ts';
import type { Options } from './options.ts';
import { type Member, openRoster } from './roster.ts';

export interface Counts {
  devices: number;
  paired: number;
  online: number;
  done: number;
  bytes: number;
  plays: number;
  /** Plays that were sent and not answered yet. */
  unanswered: number;
}

/** A device that nobody has paired yet, and the code it shows. */
export interface Unpaired {
  mac: string;
  code: string | undefined;
}

export interface Fleet {
  counts(): Counts;
  unpaired(): Unpaired[];
  /** One of the last problems, with the device's MAC; each is shown once. */
  problem(): string | undefined;
  /** Ends every device; resolves when the last call has been answered. */
  stop(): Promise<void>;
}

/** Devices start one after the other: a morning's power-on, not a stampede. */
const STARTS_A_SECOND = 50;
const PAIRING_AT_ONCE = 30;
const PAIRING_CHECK_MS = 200;

function openStoreFor({ keep, stateFile }: Options): Setup['openStore'] {
  if (!keep) return async (_, onBytes) => makeDiscardingStore(onBytes);
  const folder = stateFile.replace(/(\.json)?$/, '-files');
  return ({ mac }, onBytes) => openDiskStore(path.join(folder, mac.replaceAll(':', '')), onBytes);
}

/** Of devices whose clocks are wrong every other one is behind. */
const faultsOf = ({ number }: Member, faults: Faults): Faults => ({
  ...faults,
  clockSkewMs: faults.clockSkewMs && (number % 2 === 0 ? -faults.clockSkewMs : faults.clockSkewMs),
});

/** Adds the devices' gauges up. */
function count(gauges: readonly Gauge[]): Counts {
  const sum = (value: (gauge: Gauge) => number) => gauges.reduce((total, gauge) => total + value(gauge), 0);
  return {
    devices: gauges.length,
    paired: sum((gauge) => Number(gauge.pairing.state === 'paired')),
    online: sum((gauge) => Number(gauge.online)),
    done: sum((gauge) => Number(gauge.done)),
    bytes: sum((gauge) => gauge.bytes),
    plays: sum((gauge) => gauge.plays),
    unanswered: sum((gauge) => gauge.unanswered),
  };
}

type Start = () => Promise<void>;

/** Starts one after the other, each when it may; resolves when the last one has ended. */
async function startInTurn(starts: readonly Start[], mayStart: () => boolean, signal: AbortSignal): Promise<void> {
  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => undefined);
  const ended: Promise<void>[] = [];
  for (const start of starts) {
    while (!signal.aborted && !mayStart()) await pause(PAIRING_CHECK_MS);
    if (signal.aborted) break;
    ended.push(start());
    await pause(1000 / STARTS_A_SECOND);
  }
  await Promise.all(ended);
}

/** Reads the identities of the devices, signs the operator in, and starts the devices. Throws `UsageError`. */
export async function startFleet(options: Options): Promise<Fleet> {
  const roster = await openRoster(options.stateFile, options.devices, options.first);
  const operator = options.operator && (await signIn(options.server, options.operator));
  const { server, enrolmentKey, faults } = options;
  const setup = { server, enrolmentKey, operator, openStore: openStoreFor(options) };
  const devices = roster.map((member) => makeSimulatedDevice(member, { ...setup, faults: faultsOf(member, faults) }));
  // The operator pairs devices one after the other. Waiting devices poll every two seconds; a thousand of them would leave
  // the server no time for pairing.
  const isWaiting = ({ gauge }: SimulatedDevice) => gauge.pairing.state === 'waiting';
  const mayStart = () => !operator || devices.filter(isWaiting).length < PAIRING_AT_ONCE;
  const stopping = new AbortController();
  const runs = devices.map((device) => ({ device, stop: new AbortController() }));
  const starts = runs.map(
    ({ device, stop }) =>
      () =>
        device.run(stop.signal),
  );
  const ended = startInTurn(starts, mayStart, stopping.signal);
  const told = new Map<string, string>();

  return {
    counts: () => count(devices.map(({ gauge }) => gauge)),
    unpaired: () =>
      devices.flatMap(({ mac, gauge: { pairing } }) =>
        pairing.state === 'waiting' ? [{ mac, code: pairing.code }] : [],
      ),
    problem() {
      const found = devices.find(({ mac, gauge }) => gauge.problem !== undefined && told.get(mac) !== gauge.problem);
      if (found?.gauge.problem === undefined) return undefined;
      told.set(found.mac, found.gauge.problem);
      return `${found.mac}: ${found.gauge.problem}`;
    },
    async stop() {
      stopping.abort();
      for (const { stop } of runs) stop.abort();
      await ended;
    },
  };
}
