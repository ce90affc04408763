import { CHECKSUM_BACKOFF, DOWNLOAD_BACKOFF, FULL_BACKOFF, backoffMs } from './backoff.ts';
import type { DownloadFailure, SeenTags } from './download.ts';
import { Fill } from './fill.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { makeWaker } from '../platform/waker.ts';
import type { Live, MediaStore, StateStore } from '../store/ports.ts';
import { RESERVE_BYTES } from './plan.ts';
import type { PlayerApi } from './ports.ts';
import type { SyncEvent, SyncState } from './state.ts';
import { isWithTakeovers, neededFirst } from './takeover.ts';
import { makeThrottle } from './throttle.ts';

export interface FillerPorts {
  api: Pick<PlayerApi, 'media'>;
  /** Undefined where nothing can be stored: then a manifest plays at once and streams. */
  store: MediaStore | undefined;
  state: Pick<StateStore, 'saveLive'>;
  clock: Clock;
  log: Log;
  /** SHA-256 of what is on the screens at this moment. */
  onScreen(): ReadonlySet<string>;
}

/** Fetches and deletes the files of one device: one thing at a time. */
export interface Filler {
  /** Fetches what `goal` needs, instead of what was being fetched. Resolves when that has begun. */
  start(goal: Live): Promise<void>;
  stop(): Promise<void>;
  deleteAll(): Promise<void>;
  /** Ends a wait for the network. */
  wake(): void;
}

/** The part of the sync state that the filler uses. */
interface StateMachine {
  state(): SyncState;
  dispatch(event: SyncEvent): Promise<void>;
}

const LOOK_FOR_ROOM_MS = 10_000;
/** While takeovers whose files did not come hold up nothing else, these come first again after this time. */
const FIRST_AGAIN_MS = 300_000;

/** How long to wait after a pass that left something missing. */
function waitAfter(reason: DownloadFailure, failures: number, random: () => number): number {
  if (reason === 'diskFull') return backoffMs(FULL_BACKOFF, failures, random);
  // The server's copy is damaged: requesting it every minute would only load the network.
  return backoffMs(reason === 'checksum' ? CHECKSUM_BACKOFF : DOWNLOAD_BACKOFF, failures, random);
}

/** Downloads missing files and sends events to the sync state: `filled`, `refused`, `cleared`, `storageFailed` and every `progress`. */
export function makeFiller(ports: FillerPorts, { state, dispatch }: StateMachine): Filler {
  const { store, clock, log } = ports;
  const tags: SeenTags = new Map();
  const waker = makeWaker(clock);
  const throttle = makeThrottle(clock);
  let filling: { stop: AbortController; done: Promise<void> } | undefined;

  async function stop(): Promise<void> {
    filling?.stop.abort();
    await filling?.done;
    filling = undefined;
  }

  async function passUntilWhole(goal: Live, into: MediaStore, signal: AbortSignal): Promise<boolean> {
    const keep = () => new Set(state().live?.manifest.files.map((file) => file.sha256));
    const fill = new Fill(
      goal,
      neededFirst(goal.manifest, state().live?.manifest),
      {
        ...ports,
        store: into,
        throttle,
        waker,
        keep,
        report: (progress) => void dispatch({ type: 'progress', progress }),
      },
      tags,
    );
    const isFirst = isWithTakeovers(goal.manifest);
    if (state().refusedFirst !== undefined && !isFirst) {
      void clock.sleep(FIRST_AGAIN_MS, signal).then(async () => {
        if (!signal.aborted && state().refusedFirst !== undefined) await dispatch({ type: 'retry' });
      });
    }
    for (let failures = 0; !signal.aborted; failures++) {
      const freeBefore = (await into.freeBytes()) ?? 0;
      const filled = await fill.pass(signal);
      if (signal.aborted) return false;
      switch (filled.kind) {
        case 'whole':
          return true;
        case 'aborted':
          return false;
        case 'refused': {
          const { refusals } = state();
          await clock.sleep(refusals === 0 ? 0 : backoffMs(DOWNLOAD_BACKOFF, refusals, clock.random), signal);
          if (!signal.aborted) await dispatch({ type: 'refused' });
          return false;
        }
        case 'short':
          await waker.sleep(backoffMs(DOWNLOAD_BACKOFF, failures, clock.random), signal);
          break;
        case 'failed':
          if (isFirst && (filled.reason === 'unreachable' || filled.reason === 'checksum')) {
            await dispatch({ type: 'refused' });
            return false;
          }
          // The first sign of life may mean that somebody made room; the network alone makes none, however often it returns.
          if (filled.reason === 'diskFull' && failures > 0)
            await waitForRoom(into, freeBefore, waitAfter(filled.reason, failures, clock.random), signal);
          else await waker.sleep(waitAfter(filled.reason, failures, clock.random), signal);
      }
    }
    return false;
  }

  /** Waits until the disk has clearly more room than `before`, at most for `ms`. */
  async function waitForRoom(into: MediaStore, before: number, ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const end = AbortSignal.any([signal, over.signal]);
    void clock.sleep(ms, end).then(() => over.abort());
    while (!end.aborted) {
      if (((await into.freeBytes()) ?? 0) > before + RESERVE_BYTES) over.abort();
      else await waker.sleep(LOOK_FOR_ROOM_MS, end);
    }
  }

  /** Whether nothing has come in the place of a goal. The order to fetch what has may still be waiting for the disk. */
  function isWanted(goal: Live, signal: AbortSignal): boolean {
    const { files } = state();
    return !signal.aborted && files.kind === 'filling' && files.goal === goal;
  }

  async function fillAndPlay(goal: Live, signal: AbortSignal): Promise<void> {
    // An expired device shows nothing, so there is nothing to wait for.
    if (store && !goal.manifest.expired && !(await passUntilWhole(goal, store, signal))) return;
    // A release of it may have been taken back meanwhile.
    if (!isWanted(goal, signal)) return;
    await ports.state.saveLive(goal);
    if (!isWanted(goal, signal)) return;
    log('info', `manifest ${goal.manifest.version.slice(0, 8)} plays`);
    await dispatch({ type: 'filled', goal });
  }

  return {
    stop,
    wake: waker.wake,
    async start(goal) {
      await stop();
      const { files } = state();
      // Meanwhile a command ordered everything to be deleted.
      if (files.kind !== 'filling' || files.goal !== goal) return;
      const aborting = new AbortController();
      const done = fillAndPlay(goal, aborting.signal).catch(async (error: unknown) => {
        log('error', `storage: ${String(error)}`);
        if (!aborting.signal.aborted) await dispatch({ type: 'storageFailed' });
      });
      filling = { stop: aborting, done };
    },
    async deleteAll() {
      try {
        await stop();
        if (store) for (const { sha256 } of await store.list()) await store.drop(sha256);
        log('info', 'files cleared');
        await dispatch({ type: 'cleared' });
      } catch (error) {
        log('error', `storage: ${String(error)}`);
        await dispatch({ type: 'storageFailed' });
      }
    },
  };
}
