import { type ManifestFile, VERSION } from '@ams/contract';
import { type Clock, makeClock } from '@ams/player/clock';
import { makePlayerApi } from '@ams/player/api';
import { type Device, makeDevice } from '@ams/player/device';
import type { MediaStore } from '@ams/player/store';
import type { PlayerApi } from '@ams/player/ports';
import { type Faults, faultyApi, faultyStore } from './faults.ts';
import { plainFetch } from './fetch.ts';
import { makeLine } from './line.ts';
import { makePlayLog, makeState } from './memory.ts';
import type { Operator } from './operator.ts';
import type { Member } from './roster.ts';
import { type Now, makeScreen } from './screen.ts';
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
  /** Until the signal aborts; a device that breaks down says so in its gauge and leaves the others alone. */
  run(signal: AbortSignal): Promise<void>;
}

/** Counts the plays that the server has taken. */
const counting = (api: PlayerApi, gauge: Gauge): PlayerApi => ({
  ...api,
  async plays(batch) {
    const reply = await api.plays(batch);
    if (reply.kind === 'accepted') gauge.plays += batch.plays.length;
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

/** One run of a device, from its start until the signal aborts or it restarts. */
type Live = (signal: AbortSignal) => Promise<void>;

async function assemble(member: Member, setup: Setup, gauge: Gauge): Promise<Live> {
  const { faults, screen: size = UPRIGHT } = setup;
  const wall = () => Date.now() + (faults.clockSkewMs ?? 0);
  const clock = makeClock({ wall, monotonic: () => performance.now(), kept: undefined });
  const plays = makePlayLog();
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
    plays,
    clock,
    log: (level: string, text: string) => {
      if (level !== 'info') gauge.problem = text;
    },
  };
  const request = {
    mac: member.mac,
    ...(setup.enrolmentKey !== undefined && { enrolmentKey: setup.enrolmentKey }),
    screens: [{ name: 'main' as const, ...size }],
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    player: PLAYER,
  };

  async function pair(code: string): Promise<void> {
    gauge.problem = (await setup.operator?.pair(member.mac, code)) ?? gauge.problem;
  }

  return async (outer) => {
    const restart = new AbortController();
    const signal = AbortSignal.any([outer, restart.signal]);
    let now: Now | undefined;
    let files: readonly ManifestFile[] = [];
    const pictureOf = async (sha256: string) => {
      const url = files.find((file) => file.sha256 === sha256)?.url;
      const reply = url === undefined ? undefined : await ports.api.media(url, {}, signal);
      return reply?.ok ? Buffer.from(await reply.arrayBuffer()) : undefined;
    };
    const sendScreenshot = async () => {
      const picture = await drawScreen(size, screen.showing(), pictureOf);
      await ports.api.screenshot('main', picture);
    };
    const screen = makeScreen({
      clock,
      seed: member.number,
      onPlay: (play) => void plays.append(play),
      onNow(next) {
        now = next;
        device.changed();
      },
    });
    const device: Device = makeDevice(request, ports, {
      onEnrolling({ pairing, problem }) {
        gauge.pairing = { state: 'waiting', code: pairing?.code };
        gauge.problem = problem ?? gauge.problem;
        screen.show(undefined);
        if (pairing) void pair(pairing.code);
      },
      onPaired() {
        gauge.pairing = { state: 'paired' };
      },
      onLive({ manifest }) {
        ({ files } = manifest);
        screen.show(manifest);
      },
      onProgress({ download }) {
        gauge.done = download.state === 'done';
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
  };
}

/** A device that does all a real one does but decode films. */
export function makeSimulatedDevice(member: Member, setup: Setup): SimulatedDevice {
  const gauge: Gauge = {
    pairing: { state: 'unknown' },
    online: false,
    done: false,
    bytes: 0,
    plays: 0,
    problem: undefined,
  };
  return {
    mac: member.mac,
    gauge,
    async run(signal) {
      try {
        const live = await assemble(member, setup, gauge);
        while (!signal.aborted) await live(signal);
      } catch (error) {
        gauge.problem = `broke down: ${String(error)}`;
      }
    },
  };
}
