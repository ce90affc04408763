import type { ManifestFile } from '@ams/contract';
import { CALL_BACKOFF, CHECKSUM_BACKOFF, DOWNLOAD_BACKOFF, backoffMs } from './backoff.ts';
import type { DownloadFailure, SeenTags } from './download.ts';
import { type Progress, makeFill } from './fill.ts';
import { isComplete } from './plan.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { withoutReleases } from './withdrawn.ts';
import type { Live, MediaStore, PlayerApi, StateStore } from './ports.ts';
import { makeThrottle } from './throttle.ts';
import { makeWaker } from './waker.ts';

export interface SyncPorts {
  api: Pick<PlayerApi, 'manifest' | 'media'>;
  /** Undefined where nothing can be stored: then a manifest plays at once and streams. */
  store: MediaStore | undefined;
  state: Pick<StateStore, 'live' | 'saveLive'>;
  clock: Clock;
  log: Log;
  /** SHA-256 of what is on the screens at this moment. */
  onScreen(): ReadonlySet<string>;
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
  /** The network is back: what waits for it goes on. */
  online(): void;
  /** Deletes every file and fetches them again. */
  clear(): void;
  /** A file would not play or is not there: it is hashed again, and fetched again when it is damaged. */
  suspect(sha256: string): void;
  /** Tries at once what failed: missing files are fetched, those that would not play are played again. */
  retry(): void;
  progress(): Progress;
}

const POLL_MS = 180_000;
/** A device that has something to play takes its time with its first question: many start at the same hour. */
const START_SPREAD_MS = 3000;

/**
 * Keeps the device's files as the server wants them. The manifest that plays (`live`) changes only
 * when every file of the new one is on disk and checked; the old one plays until then.
 */
export function makeSync(ports: SyncPorts, events: SyncEvents): Sync {
  const { api, state, store, clock, log } = ports;
  const tags: SeenTags = new Map();
  const asking = makeWaker(clock);
  const filler = makeWaker(clock);
  const throttle = makeThrottle(clock);
  let running = AbortSignal.abort();
  let live: Live | undefined;
  let target: Live | undefined;
  let progress: Progress = { manifestVersion: undefined, download: { state: 'waiting', doneBytes: 0, totalBytes: 0 } };
  let filling: { stop: AbortController; done: Promise<void>; over: boolean } | undefined;
  /** The manifest must be asked for afresh, as its signed addresses are no longer good. */
  let addressesOld = false;
  /**
   * There is another manifest, somebody said: only the whole one is an answer. Whoever is asked may not have heard of
   * it yet, and would take the one that is held here for the newest.
   */
  let told = false;
  let refusals = 0;
  let clearing = false;
  let unheard = false;
  /** Files that would not play although every byte is right. */
  const sound = new Set<string>();

  const report = (next: Progress) => {
    progress = next;
    events.onProgress(next);
  };

  const reportDone = (version: string, files: readonly ManifestFile[]) => {
    const totalBytes = [...new Map(files.map((f) => [f.sha256, f.bytes])).values()].reduce((a, b) => a + b, 0);
    report({ manifestVersion: version, download: { state: 'done', doneBytes: totalBytes, totalBytes, reason: null } });
  };

  async function makeLive(next: Live): Promise<void> {
    await state.saveLive(next);
    live = next;
    refusals = 0;
    sound.clear();
    log('info', `manifest ${next.manifest.version.slice(0, 8)} plays`);
    events.onLive(next);
    reportDone(next.manifest.version, next.manifest.files);
  }

  function waitAfter(reason: DownloadFailure, failures: number): number {
    // What the server has is wrong itself: asking for it every minute would only load the network.
    const backoff = reason === 'checksum' ? CHECKSUM_BACKOFF : DOWNLOAD_BACKOFF;
    return backoffMs(backoff, failures, clock.random);
  }

  async function fillUntilWhole(goal: Live, signal: AbortSignal): Promise<void> {
    if (!store) return makeLive(goal);
    // An expired device shows nothing, so there is nothing to wait for.
    if (goal.manifest.expired) return makeLive(goal);
    const keep = () => new Set(live?.manifest.files.map((file) => file.sha256));
    const pass = makeFill(goal, { ...ports, store, throttle, waker: filler, keep, report }, tags);
    for (let failures = 0; !signal.aborted; failures++) {
      const filled = await pass(signal);
      if (signal.aborted || filled.kind === 'aborted') return;
      if (filled.kind === 'whole') return makeLive(goal);
      if (filled.kind === 'refused') {
        await clock.sleep(refusals === 0 ? 0 : backoffMs(DOWNLOAD_BACKOFF, refusals, clock.random), signal);
        refusals += 1;
        addressesOld = true;
        asking.wake();
        return;
      }
      await filler.sleep(waitAfter(filled.reason, failures), signal);
    }
  }

  async function stopFilling(): Promise<void> {
    filling?.stop.abort();
    await filling?.done;
    filling = undefined;
  }

  async function startFilling(goal: Live): Promise<void> {
    await stopFilling();
    const stop = new AbortController();
    const done = fillUntilWhole(goal, stop.signal).catch((error: unknown) => {
      log('error', `storage: ${String(error)}`);
      const download = { ...progress.download, state: 'failed' as const, reason: 'storage' };
      report({ manifestVersion: goal.manifest.version, download });
      // Without its files the manifest is asked for again at the next poll.
      addressesOld = true;
    });
    const mine = { stop, done, over: false };
    filling = mine;
    void done.then(() => {
      mine.over = true;
    });
  }

  async function dropEverything(): Promise<void> {
    clearing = false;
    await stopFilling();
    if (store) for (const { sha256 } of await store.list()) await store.drop(sha256);
    addressesOld = true;
    log('info', 'files cleared');
  }

  const isFilling = () => filling !== undefined && !filling.over;

  /** Something that should be on disk is not as it should be: says so, and fetches it. */
  function repair(reason: 'checksum' | 'storage', bytes: number): void {
    if (!live) return;
    const { doneBytes, totalBytes } = progress.download;
    const download = { state: 'failed' as const, doneBytes: Math.max(0, doneBytes - bytes), totalBytes, reason };
    report({ manifestVersion: live.manifest.version, download });
    addressesOld = true;
    asking.wake();
  }

  async function checkFile(sha256: string): Promise<void> {
    const file = live?.manifest.files.find((entry) => entry.sha256 === sha256);
    // What is missing while files come is missing for their sake.
    if (!store || !file || sound.has(sha256) || isFilling()) return;
    const found = await store.check(sha256);
    if (found === 'sound') {
      sound.add(sha256);
      return;
    }
    log('error', `${sha256.slice(0, 8)}: ${found} on disk`);
    await store.drop(sha256);
    repair(found === 'damaged' ? 'checksum' : 'storage', file.bytes);
  }

  /** Notices that the browser has cleared what it stored. */
  async function checkStore(): Promise<void> {
    if (!store || !live || live.manifest.expired || addressesOld || isFilling()) return;
    if (isComplete(live.manifest.files, await store.list())) return;
    log('error', 'files are gone from the disk');
    repair('storage', progress.download.totalBytes);
  }

  /** What was taken back leaves the screen before what comes instead is whole. */
  async function dropWithdrawn(next: Live): Promise<void> {
    const rest = live && withoutReleases(live.manifest, next.manifest.withdrawn);
    if (!rest || !store || isComplete(next.manifest.files, await store.list())) return;
    // Without its tag: after a restart the whole manifest is asked for again.
    live = { manifest: rest, etag: null };
    await state.saveLive(live);
    events.onLive(live);
  }

  async function onFresh(next: Live): Promise<void> {
    await dropWithdrawn(next);
    const sameGoal = target?.manifest.version === next.manifest.version;
    target = next;
    // Without a store the addresses are what plays, so newer ones are always better.
    if (sameGoal && !addressesOld && store) return;
    addressesOld = false;
    await startFilling(next);
  }

  /** Takes up where the last run ended. Whether it has all it needs to play. */
  async function begin(): Promise<boolean> {
    live = await state.live();
    target = live;
    if (!live) return false;
    events.onLive(live);
    const complete = !store || live.manifest.expired || isComplete(live.manifest.files, await store.list());
    // With files missing, addresses are needed that are still good.
    addressesOld = !complete;
    if (complete) reportDone(live.manifest.version, live.manifest.files);
    return complete;
  }

  /** One question to the server; answers how long to wait before the next, or that the pairing is over. */
  async function ask(failures: number): Promise<{ waitMs: number; failed: boolean } | 'unpaired'> {
    await checkStore();
    const wasTold = told;
    told = false;
    const reply = await api.manifest(wasTold || addressesOld || !store ? null : (target?.etag ?? null));
    // What comes during the question is told again.
    if (reply.kind === 'failed') told ||= wasTold;
    switch (reply.kind) {
      case 'unpaired':
        return 'unpaired';
      case 'fresh':
        await onFresh({ manifest: reply.manifest, etag: reply.etag });
        return { waitMs: POLL_MS, failed: false };
      case 'same':
        return { waitMs: POLL_MS, failed: false };
      case 'failed':
        log('warn', `manifest: ${reply.reason}`);
        return { waitMs: reply.retryAfterMs ?? backoffMs(CALL_BACKOFF, failures, clock.random), failed: true };
    }
  }

  /** Asks, unless it is about the manifest that is known already. */
  function hear(version: string | undefined): void {
    if (version !== undefined && version === target?.manifest.version) return;
    told ||= version !== undefined;
    asking.wake();
  }

  return {
    async run(signal) {
      running = signal;
      if (await begin()) await asking.sleep(clock.random() * START_SPREAD_MS, signal);
      let failures = 0;
      while (!signal.aborted) {
        if (clearing) await dropEverything();
        const answer = await ask(failures);
        if (answer === 'unpaired') {
          await stopFilling();
          return 'unpaired';
        }
        unheard = answer.failed;
        failures = answer.failed ? failures + 1 : 0;
        await asking.sleep(answer.waitMs, signal);
      }
      await stopFilling();
      return 'stopped';
    },
    wake(version, withinMs = 0) {
      const waitMs = clock.random() * withinMs;
      if (waitMs === 0) hear(version);
      else void clock.sleep(waitMs, running).then(() => hear(version));
    },
    online() {
      filler.wake();
      if (unheard || addressesOld) asking.wake();
    },
    clear() {
      clearing = true;
      asking.wake();
    },
    suspect(sha256) {
      checkFile(sha256).catch((error: unknown) => log('error', `storage: ${String(error)}`));
    },
    retry() {
      addressesOld = true;
      asking.wake();
    },
    progress: () => progress,
  };
}
