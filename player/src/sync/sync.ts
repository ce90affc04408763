import type { Manifest } from '@ams/contract';
import { CALL_BACKOFF, backoffMs } from './backoff.ts';
import type { Progress } from './fill.ts';
import { type FillerPorts, makeFiller } from './filler.ts';
import { isComplete } from './plan.ts';
import { makeWaker } from '../platform/waker.ts';
import type { Live, StateStore } from '../store/ports.ts';
import type { PlayerApi } from './ports.ts';
import {
  type SyncEffect,
  type SyncEvent,
  etagOf,
  initialState,
  isOfAnother,
  mayLoseFiles,
  transition,
} from './state.ts';

interface SyncPorts extends FillerPorts {
  api: Pick<PlayerApi, 'manifest' | 'media'>;
  state: Pick<StateStore, 'live' | 'saveLive'>;
}

export interface SyncEvents {
  /** A manifest whose files are whole. */
  onLive(live: Live): void;
  onProgress(progress: Progress): void;
}

export interface Sync {
  /** Runs until the signal aborts or the server no longer knows the device. */
  run(signal: AbortSignal): Promise<'unpaired' | 'stopped'>;
  /** The server has a manifest of this version, or nobody knows (undefined): ask, at a moment within `withinMs`. */
  wake(version?: string, withinMs?: number): void;
  /** The server pushed takeovers: they play as soon as their files are there. */
  takeOver(takeovers: Pick<Manifest, 'screens' | 'files'>): void;
  /** A takeover has ended. */
  takeBack(releaseId: string): void;
  /** The network is back: waiting work resumes. */
  online(): void;
  /** Deletes every file and fetches them again. */
  clear(): void;
  /** A file would not play or is not there: it is hashed again, and fetched again when it is damaged. */
  suspect(sha256: string): void;
  /** Retries at once what failed: missing files are fetched, those that would not play are played again. */
  retry(): void;
  progress(): Progress;
}

const POLL_MS = 180_000;
/** A device that has something to play takes its time with its first question: many start at the same hour. */
const START_SPREAD_MS = 3000;

/**
 * Keeps the device's files as the server wants them. The manifest that plays (`live`) changes only
 * when every file of the new one is on disk and checked; the old one plays until then. Transitions are decided in
 * `state.ts`; here is what touches the world.
 */
export function makeSync(ports: SyncPorts, events: SyncEvents): Sync {
  const { api, store, clock, log } = ports;
  const asking = makeWaker(clock);
  const filler = makeFiller(ports, { state: () => state, dispatch });
  let running = AbortSignal.abort();
  let state = initialState(store !== undefined);

  /** Effects that take no time happen before this returns, unless one before them takes time. */
  async function dispatch(event: SyncEvent): Promise<void> {
    const step = transition(state, event);
    ({ state } = step);
    for (const effect of step.effects) {
      const pending = perform(effect);
      if (pending) await pending;
    }
  }

  /** Dispatches an event without waiting for its effects. */
  function tell(event: SyncEvent): void {
    dispatch(event).catch((error: unknown) => log('error', `storage: ${String(error)}`));
  }

  function perform(effect: SyncEffect): Promise<unknown> | undefined {
    switch (effect.type) {
      case 'keep':
        // A release that was taken back leaves the screen even if that cannot be stored.
        return ports.state.saveLive(effect.live).catch((error: unknown) => log('error', `storage: ${String(error)}`));
      case 'play':
        events.onLive(effect.live);
        return undefined;
      case 'report':
        events.onProgress(effect.progress);
        return undefined;
      case 'fill':
        return filler.start(effect.goal);
      case 'deleteAll':
        return filler.deleteAll();
      case 'check':
        return store?.check(effect.file.sha256).then((found) => {
          if (found !== 'sound') log('error', `${effect.file.sha256.slice(0, 8)}: ${found} on disk`);
          return dispatch({ type: 'checked', file: effect.file, found });
        });
      case 'drop':
        return store?.drop(effect.sha256);
      case 'ask':
        asking.wake();
        return undefined;
      case 'goOnFilling':
        filler.wake();
        return undefined;
    }
  }

  const isMissing = async ({ manifest: { files } }: Live): Promise<boolean> =>
    store !== undefined && !isComplete(files, await store.list());

  /** Takes up where the last run ended. Whether it has all it needs to play. */
  async function begin(): Promise<boolean> {
    const live = await ports.state.live();
    const complete = live !== undefined && (live.manifest.expired || !(await isMissing(live)));
    await dispatch({ type: 'begun', live, isComplete: complete });
    return complete;
  }

  /** Notices that the browser has cleared what it stored. */
  async function checkStore(): Promise<void> {
    const { live } = state;
    if (!live || !mayLoseFiles(state) || !(await isMissing(live))) return;
    log('error', 'files are gone from the disk');
    await dispatch({ type: 'filesGone' });
  }

  /** Requests the manifest once. Returns how long to wait before the next request, or that the pairing is over. */
  async function ask(): Promise<number | 'unpaired'> {
    await checkStore();
    const etag = etagOf(state);
    await dispatch({ type: 'asked' });
    const reply = await api.manifest(etag);
    switch (reply.kind) {
      case 'unpaired':
        return 'unpaired';
      case 'fresh': {
        const next = { manifest: reply.manifest, etag: reply.etag };
        const { withdrawn, screens } = reply.manifest;
        const isUrgent =
          withdrawn.length > 0 ||
          isOfAnother(state.live?.manifest, reply.manifest) ||
          [...screens.main, ...screens.secondary].some(({ priority }) => priority === 'takeover');
        await dispatch({ type: 'fresh', next, isMissing: isUrgent && (await isMissing(next)) });
        return POLL_MS;
      }
      case 'same':
        await dispatch({ type: 'same' });
        return POLL_MS;
      case 'failed': {
        log('warn', `manifest: ${reply.reason}`);
        const { failures } = state.question;
        await dispatch({ type: 'unanswered' });
        return reply.retryAfterMs ?? backoffMs(CALL_BACKOFF, failures, clock.random);
      }
    }
  }

  return {
    async run(signal) {
      running = signal;
      if (await begin()) await asking.sleep(clock.random() * START_SPREAD_MS, signal);
      let end: 'unpaired' | 'stopped' = 'stopped';
      while (!signal.aborted) {
        const answer = await ask();
        if (answer === 'unpaired') {
          end = answer;
          break;
        }
        await asking.sleep(answer, signal);
      }
      await filler.stop();
      await dispatch({ type: 'ended' });
      return end;
    },
    wake(version, withinMs = 0) {
      const waitMs = clock.random() * withinMs;
      if (waitMs === 0) tell({ type: 'told', version });
      else void clock.sleep(waitMs, running).then(() => tell({ type: 'told', version }));
    },
    takeOver: (takeovers) => tell({ type: 'tookOver', takeovers }),
    takeBack: (releaseId) => tell({ type: 'takenBack', releaseId }),
    online: () => tell({ type: 'online' }),
    clear: () => tell({ type: 'clear' }),
    suspect: (sha256) => tell({ type: 'suspected', sha256 }),
    retry: () => tell({ type: 'retry' }),
    progress: () => state.progress,
  };
}
