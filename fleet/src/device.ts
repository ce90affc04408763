import { type ManifestFile, VERSION, ownTimeZone } from '@ams/contract';
import { type Clock, makeClock } from '@ams/player/clock';
import { makePlayerApi } from '@ams/player/api';
import { type Device, makeDevice } from '@ams/player/device';
import { makeSpots } from '@ams/player/spots';
import { makeKeyPair, signerOf } from '@ams/player/signing';
import type { MediaStore } from '@ams/player/store';
import type { PlayerApi } from '@ams/player/ports';
import { type Faults, faultyApi, faultyStore } from './faults.ts';
import { plainFetch } from './fetch.ts';
import { makeLine } from './line.ts';
import { makePlayLog, makeState } from './memory.ts';
import type { Operator } from './operator.ts';
import type { Member } from './roster.ts';
import { type Now, SimulatedScreen } from './screen.ts';
import { drawScreen } from './screenshot.ts';

const PLAYER = { version: VERSION, kind: 'fleet' };
const UPRIGHT = { width: 1080, height: 1920 };

/** State of a simulated device, for the status line. */
export interface Gauge {
  pairing: { state: 'unknown' } | { state: 'waiting'; code: string | undefined } | { state: 'paired' };
  online: boolean;
  /** All it should hold is whole. */
  done: boolean;
  /** Bytes downloaded since the start. */
  bytes: number;
  /** Plays that the server has taken. */
  plays: number;
  /** Plays that were sent and not answered yet; the server may have taken them. */
  unanswered: number;
  /** The last thing that went wrong. */
  problem: string | undefined;
}

export interface Setup {
  server: string;
  enrolmentKey: string | undefined;
  operator: Operator | undefined;
  faults: Faults;
  /** Pixels of its screen; upright Full HD when left out. */
  screen?: { width: number; height: number };
  openStore(member: Member, onBytes: (count: number) => void): Promise<MediaStore>;
}

export interface SimulatedDevice {
  readonly mac: string;
  readonly gauge: Readonly<Gauge>;
  /** Runs until the signal aborts. A failure is shown in the gauge and does not affect other devices. */
  run(signal: AbortSignal): Promise<void>;
}

/** Counts the plays that the server has taken, and those it may have taken. */
const counting = (api: PlayerApi, gauge: Gauge): PlayerApi => ({
  ...api,
  async plays(batch) {
    gauge.unanswered = batch.plays.length;
    const reply = await api.plays(batch);
    if (reply.kind === 'accepted') gauge.plays += batch.plays.length;
    if (reply.kind !== 'failed') gauge.unanswered = 0;
    return reply;
  },
});

function makeApi(member: Member, setup: Setup, clock: Clock, gauge: Gauge): PlayerApi {
  const plain = makePlayerApi({
    origin: setup.server,
    secret: member.secret,
    fetch: plainFetch,
    clock,
  });
  return faultyApi(counting(plain, gauge), setup.faults, clock);
}

/** Opens the parts that a device uses in all its runs. */
async function assemble(member: Member, setup: Setup, gauge: Gauge) {
  const { faults, screen = UPRIGHT } = setup;
  const wall = () => Date.now() + (faults.clockSkewMs ?? 0);
  const clock = makeClock({ wall, monotonic: () => performance.now(), kept: undefined });
  const line = makeLine(member.secret, { server: setup.server, flapMs: faults.flapMs }, clock, (online) => {
    gauge.online = online;
  });
  const store = await setup.openStore(member, (count) => {
    gauge.bytes += count;
  });
  const ports = {
    api: makeApi(member, setup, clock, gauge),
    openSocket: line.open,
    store: faultyStore(store, faults),
    state: makeState(),
    plays: makePlayLog(),
    signer: await signerOf(await makeKeyPair()),
    clock,
    log: (level: string, text: string) => {
      if (level !== 'info') gauge.problem = text;
    },
  };
  const request = {
    mac: member.mac,
    ...(setup.enrolmentKey !== undefined && { enrolmentKey: setup.enrolmentKey }),
    screens: [{ name: 'main' as const, ...screen }],
    timeZone: ownTimeZone(),
    player: PLAYER,
  };
  const pair = async (code: string): Promise<void> => {
    gauge.problem = (await setup.operator?.pair(member.mac, code)) ?? gauge.problem;
  };
  const spots = makeSpots({}, () => undefined);
  return { ports, request, line, screen, origin: setup.server, seed: member.number, spots, pair };
}

type Parts = Awaited<ReturnType<typeof assemble>>;

/** Runs a device from its start until the signal aborts or it restarts. */
async function runOnce(parts: Parts, gauge: Gauge, outer: AbortSignal) {
  const { ports, request, line, screen: size, origin, seed, spots, pair } = parts;
  const restart = new AbortController();
  const signal = AbortSignal.any([outer, restart.signal]);
  let now: Now | undefined;
  let files: readonly ManifestFile[] = [];
  const screen = new SimulatedScreen({
    clock: ports.clock,
    seed,
    spots,
    onPlay: (play) => void ports.plays.append(play),
    onNow(next) {
      now = next;
      device.changed();
    },
  });
  const sendScreenshot = async () => {
    const picture = await drawScreen(size, screen.showing(), origin, (sha256) =>
      fetchFile(ports.api, files, sha256, signal),
    );
    await ports.api.screenshot('main', picture);
  };
  const device: Device = makeDevice(request, ports, {
    ...gaugeEvents(gauge),
    onEnrolling({ pairing, problem }) {
      gauge.pairing = { state: 'waiting', code: pairing?.code };
      gauge.problem = problem ?? gauge.problem;
      screen.show(undefined);
      if (pairing) void pair(pairing.code);
    },
    onLive({ manifest }) {
      ({ files } = manifest);
      screen.show(manifest);
    },
    onCommand(command) {
      if (command === 'restart') restart.abort();
      else sendScreenshot().catch((error: unknown) => ports.log('warn', `screenshot: ${String(error)}`));
    },
    playing: () => ({ main: now ?? null }),
    problem: () => undefined,
  });
  await Promise.all([device.run(signal), screen.run(signal)]);
  await line.closed();
}

/** The events of a device that only change its gauge. */
const gaugeEvents = (gauge: Gauge): Pick<Parameters<typeof makeDevice>[2], 'onPaired' | 'onProgress'> => ({
  onPaired() {
    gauge.pairing = { state: 'paired' };
  },
  onProgress({ download }) {
    gauge.done = download.state === 'done';
  },
});

async function fetchFile(
  api: PlayerApi,
  files: readonly ManifestFile[],
  sha256: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const url = files.find((file) => file.sha256 === sha256)?.url;
  const reply = url === undefined ? undefined : await api.media(url, {}, signal);
  return reply?.ok ? Buffer.from(await reply.arrayBuffer()) : undefined;
}

/** A device that does everything a real one does except decoding videos. */
export function makeSimulatedDevice(member: Member, setup: Setup): SimulatedDevice {
  const gauge: Gauge = {
    pairing: { state: 'unknown' },
    online: false,
    done: false,
    bytes: 0,
    plays: 0,
    unanswered: 0,
    problem: undefined,
  };
  return {
    mac: member.mac,
    gauge,
    async run(signal) {
      try {
        const parts = await assemble(member, setup, gauge);
        while (!signal.aborted) await runOnce(parts, gauge, signal);
      } catch (error) {
        gauge.problem = `broke down: ${String(error)}`;
      }
    },
  };
}
