import type { DeviceScreen, ServerMessage, StatusMessage } from '@ams/contract';
import { type Connection, makeConnection } from './connection.ts';
import { type Enrolling, enrol, isRefusal } from './enrol.ts';
import { makePlaySender } from './plays.ts';
import type { PlaySigner } from './signing.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Live, MediaStore, PlayStore, StateStore } from '../store/ports.ts';
import type { EnrolRequest, PlayerApi, Socket } from './ports.ts';
import type { Progress } from './fill.ts';
import { type Sync, makeSync } from './sync.ts';
import { makeWaker } from '../platform/waker.ts';
import { withoutProgrammes } from './withdrawn.ts';

export interface DevicePorts {
  api: PlayerApi;
  openSocket: () => Socket;
  store: MediaStore | undefined;
  state: StateStore;
  plays: PlayStore;
  /** Undefined where nothing can be signed. */
  signer: PlaySigner | undefined;
  clock: Clock;
  log: Log;
}

export interface DeviceEvents {
  onEnrolling(enrolling: Enrolling): void;
  onPaired(): void;
  onLive(live: Live): void;
  onProgress(progress: Progress): void;
  onCommand(command: 'restart' | 'screenshot'): void;
  /** The server has another manifest, which many devices ask for within this time. */
  onManifest?(withinMs: number): void;
  /** The current content of the screens. */
  playing(): StatusMessage['playing'];
  /** Problems besides downloads: an item cannot be played, storage is unavailable, an app installation failed. */
  problem(): 'cannotPlay' | 'storage' | 'appFailed' | undefined;
}

export interface Device {
  /** Pairs, then syncs, plays its part on the connection and sends the play log, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
  /** The visible content has changed. */
  changed(): void;
  /** A file would not play or is not there. */
  suspect(sha256: string): void;
  /** Its screens may be others than at the start, which is reported. */
  report(screens: DeviceScreen[]): void;
  /** Looks after its files and asks the server, at once. */
  check(): void;
  /** The network is back. */
  online(): void;
}

const STATUS_EVERY_MS = 25_000;
/** Progress is reported at most this often; a change of state at once. */
const PROGRESS_EVERY_MS = 1000;
/** Changes within this time are one message. */
const GATHER_MS = 50;
/** Free space is reported in whole MiB, so that small changes cause no message. */
const MIB = 2 ** 20;

const forever = new AbortController().signal;

/** A status message when something changed, progress once a second, and every 25 s. `onTaken`: without a connection. */
function makeReporter(
  ports: DevicePorts,
  { player }: EnrolRequest,
  sync: () => Progress,
  events: Pick<DeviceEvents, 'playing' | 'problem'> & { onTaken(): void },
) {
  const { api, clock, store } = ports;
  const waker = makeWaker(clock);
  /** The last failure that was not reported: it is reported even if it is repaired within the second. */
  let untold: Progress | undefined;
  let noted: Progress | undefined;
  let isProgressDue = false;

  async function message(): Promise<StatusMessage> {
    const { manifestVersion, download } = untold ?? sync();
    if (untold) waker.wake();
    untold = undefined;
    const problem = download.state === 'done' ? events.problem() : undefined;
    const freeBytes = await store?.freeBytes().catch(() => undefined);
    return {
      type: 'status',
      manifestVersion,
      // The content is whole and plays although an app failed.
      download: problem
        ? { ...download, state: problem === 'appFailed' ? 'done' : 'failed', reason: problem }
        : download,
      playing: events.playing(),
      freeBytes: freeBytes === undefined ? null : Math.max(0, Math.floor(freeBytes / MIB) * MIB),
      player,
      clockMs: clock.now(),
    };
  }

  return {
    wake: waker.wake,
    note(progress: Progress): void {
      if (progress.download.state === 'failed') untold = progress;
      const isChange =
        progress.manifestVersion !== noted?.manifestVersion || progress.download.state !== noted?.download.state;
      noted = progress;
      if (isChange) waker.wake();
      else if (!isProgressDue) {
        isProgressDue = true;
        void clock.sleep(PROGRESS_EVERY_MS, forever).then(() => {
          isProgressDue = false;
          waker.wake();
        });
      }
    },
    async run(connection: Connection, signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        if (!connection.handedOver()) {
          const status = await message();
          if (!connection.send(status) && (await api.status(status)).kind === 'accepted') events.onTaken();
        }
        await clock.sleep(GATHER_MS, signal);
        await waker.sleep(STATUS_EVERY_MS, signal);
      }
    },
  };
}

/** Reports the facts about this device until the server answers: its network may come later than the device. */
function makeIntroduction(api: Pick<PlayerApi, 'enrol'>, current: () => EnrolRequest) {
  let answered: EnrolRequest | undefined;
  let telling = Promise.resolve();
  return {
    /** The server has learnt them otherwise, by pairing. */
    learnt(facts: EnrolRequest): void {
      answered = facts;
    },
    /** Tells them unless they were answered; waits for the attempt before. */
    tell(): void {
      telling = telling.then(async () => {
        const facts = current();
        if (facts === answered) return;
        const reply = await api.enrol(facts);
        // A device that the server does not know is about to be paired anew, and tells them again then.
        if (reply.kind === 'paired' || isRefusal(reply)) answered = facts;
      });
    },
  };
}

function obey(message: ServerMessage, sync: Sync, events: DeviceEvents): void {
  switch (message.type) {
    case 'manifest':
      events.onManifest?.(message.withinMs ?? 0);
      return sync.wake(message.version, message.withinMs);
    case 'clear':
      return sync.clear();
    case 'retry':
      return sync.retry();
    case 'takeover':
      return sync.takeOver(message);
    case 'takeoverEnded':
      return sync.takeBack(message.releaseId);
    case 'restart':
    case 'screenshot':
      return events.onCommand(message.type);
  }
}

/** A whole device but for its screen: the player drives a stage with it, the fleet nothing. */
export function makeDevice(facts: EnrolRequest, ports: DevicePorts, events: DeviceEvents): Device {
  const { signer } = ports;
  let request: EnrolRequest = { ...facts, ...(signer && { publicKey: signer.publicKey }) };
  const signing = signer && {
    signer,
    device: async () => (await ports.state.live())?.manifest.device.id,
    register: () => ports.api.enrol(request),
  };
  const sender = makePlaySender({ ...ports, signing });
  const introduction = makeIntroduction(ports.api, () => request);
  const onScreen = () => {
    const { main, secondary } = events.playing() ?? {};
    return new Set([main?.sha256, secondary?.sha256].filter((sha256) => typeof sha256 === 'string'));
  };
  const sync = makeSync(
    { ...ports, onScreen },
    {
      onLive: events.onLive,
      onProgress(progress) {
        events.onProgress(progress);
        reporter.note(progress);
      },
    },
  );
  const reporter = makeReporter(ports, request, sync.progress, { ...events, onTaken: introduction.tell });
  const connection = makeConnection(ports.openSocket, ports, {
    onOpen: () => {
      // The server sends the current version at once: no request is needed.
      sync.online();
      introduction.tell();
      sender.wake();
      reporter.wake();
    },
    onMessage: (message) => obey(message, sync, events),
    onClosed: () => sync.wake(),
  });

  /** Works with the server until it no longer knows the device. */
  async function serve(outer: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([outer, stop.signal]);
    const others = [connection.run(signal), reporter.run(connection, signal), sender.run(signal)];
    await sync.run(signal);
    stop.abort();
    await Promise.all(others);
  }

  /** Takes everything off the screens, because somebody else may pair the device next. */
  async function leave(): Promise<void> {
    const known = await ports.state.live();
    if (known) {
      const live: Live = { manifest: withoutProgrammes(known.manifest), etag: null };
      await ports.state.saveLive(live).catch((error: unknown) => ports.log('error', `storage: ${String(error)}`));
      events.onLive(live);
    }
    await ports.state.savePaired(false);
  }

  return {
    async run(signal) {
      // A start is reported once: screens, time zone and version may be others than at the last one.
      if (await ports.state.paired()) introduction.tell();
      while (!signal.aborted) {
        if (!(await ports.state.paired())) {
          const asked = request;
          if (!(await enrol(asked, ports, events.onEnrolling, signal))) return;
          introduction.learnt(asked);
          await ports.state.savePaired(true);
        }
        events.onPaired();
        await serve(signal);
        if (!signal.aborted) await leave();
      }
    },
    changed: () => reporter.wake(),
    suspect: sync.suspect,
    report(screens) {
      if (JSON.stringify(screens) === JSON.stringify(request.screens)) return;
      request = { ...request, screens };
      introduction.tell();
    },
    check: () => sync.wake(),
    online() {
      connection.renew();
      sync.online();
      sender.wake();
    },
  };
}
