import type { ManifestFile, StatusMessage } from '@ams/contract';
import { CALL_BACKOFF, DOWNLOAD_BACKOFF, backoffMs } from './backoff.ts';
import { type DownloadFailure, type SeenTags, downloadOnce } from './download.ts';
import { isComplete, plan } from './plan.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Live, MediaStore, PlayerApi, StateStore } from './ports.ts';

/** How the newest manifest stands, as the status message says it. */
export interface Progress {
  manifestVersion: string | undefined;
  download: StatusMessage['download'];
}

export interface SyncPorts {
  api: Pick<PlayerApi, 'manifest' | 'media'>;
  /** Undefined where nothing can be stored: then a manifest plays at once and streams. */
  store: MediaStore | undefined;
  state: Pick<StateStore, 'live' | 'saveLive'>;
  clock: Clock;
  log: Log;
}

export interface SyncEvents {
  /** A manifest whose files are whole. */
  onLive(live: Live): void;
  onProgress(progress: Progress): void;
}

export interface Sync {
  /** Runs until the signal aborts or the server no longer knows the machine. */
  run(signal: AbortSignal): Promise<'unpaired' | 'stopped'>;
  /** The server has a manifest of this version, or nobody knows (undefined): ask now. */
  wake(version?: string): void;
  /** Deletes every file and fetches them again. */
  clear(): void;
  progress(): Progress;
}

const POLL_MS = 180_000;
const LANES = 2;
/** After so many attempts without a byte a file lets the next one try. */
const PATIENCE = 5;

type Filled = 'whole' | 'refused' | 'failed' | 'aborted';

/** Downloads what a manifest needs, two files at a time. One instance lives as long as its manifest. */
function makeFill(goal: Live, ports: SyncPorts & { store: MediaStore }, tags: SeenTags, report: (p: Progress) => void) {
  const { store, clock, log } = ports;
  const bytes = new Map<string, number>();
  const { files, version } = goal.manifest;
  const totalBytes = [...new Map(files.map((file) => [file.sha256, file.bytes])).values()].reduce((a, b) => a + b, 0);

  const say = (state: Progress['download']['state'], reason?: DownloadFailure) => {
    const doneBytes = [...bytes.values()].reduce((a, b) => a + b, 0);
    report({ manifestVersion: version, download: { state, doneBytes, totalBytes, reason: reason ?? null } });
  };

  /** One file until it is done or another should have a turn. */
  async function fetchFile(file: ManifestFile, signal: AbortSignal): Promise<'done' | Exclude<Filled, 'whole'>> {
    let failures = 0;
    while (!signal.aborted) {
      const onBytes = (count: number) => {
        bytes.set(file.sha256, count);
        say('downloading');
      };
      const attempt = await downloadOnce(file, ports, tags, onBytes, signal);
      switch (attempt.kind) {
        case 'done':
        case 'refused':
        case 'aborted':
          return attempt.kind;
        case 'failed':
          if (attempt.reason === 'checksum') bytes.set(file.sha256, 0);
          log('error', `${file.sha256.slice(0, 8)}: ${attempt.reason}`);
          say('failed', attempt.reason);
          return 'failed';
        case 'retry':
          failures = attempt.gained ? 0 : failures + 1;
          if (failures > 1) say('failed', 'unreachable');
          if (failures >= PATIENCE) return 'failed';
          await clock.sleep(attempt.retryAfterMs ?? backoffMs(DOWNLOAD_BACKOFF, failures, clock.random), signal);
      }
    }
    return 'aborted';
  }

  /** Goes once over all that is missing. `keep`: what plays now. */
  return async function pass(keep: ReadonlySet<string>, outer: AbortSignal): Promise<Filled> {
    const stored = await store.list();
    const todo = plan({ files, stored, keep, freeBytes: await store.freeBytes() });
    for (const sha256 of todo.drop) await store.drop(sha256);
    const missing = new Map(todo.fetch.map((file) => [file.sha256, file]));
    const onDisk = new Map(stored.filter(({ sha256 }) => !todo.drop.includes(sha256)).map((s) => [s.sha256, s.bytes]));
    for (const file of files) bytes.set(file.sha256, Math.min(onDisk.get(file.sha256) ?? 0, file.bytes));
    if (missing.size === 0) return 'whole';
    if (todo.shortBytes > 0) {
      say('failed', 'diskFull');
      return 'failed';
    }
    say('downloading');
    const stop = new AbortController();
    const signal = AbortSignal.any([outer, stop.signal]);
    const queue = [...missing.values()];
    const results: Awaited<ReturnType<typeof fetchFile>>[] = [];
    const lane = async () => {
      for (let file = queue.shift(); file && !signal.aborted; file = queue.shift()) {
        const result = await fetchFile(file, signal);
        results.push(result);
        if (result === 'refused') stop.abort();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (outer.aborted) return 'aborted';
    if (results.includes('refused')) return 'refused';
    return results.every((result) => result === 'done') ? 'whole' : 'failed';
  };
}

/**
 * Keeps the machine's files as the server wants them. The manifest that plays (`live`) changes only
 * when every file of the new one is on disk and checked; the old one plays until then.
 */
export function makeSync(ports: SyncPorts, events: SyncEvents): Sync {
  const { api, state, store, clock, log } = ports;
  const tags: SeenTags = new Map();
  let live: Live | undefined;
  let target: Live | undefined;
  let progress: Progress = { manifestVersion: undefined, download: { state: 'waiting', doneBytes: 0, totalBytes: 0 } };
  let wakeUp = new AbortController();
  let filling: { stop: AbortController; done: Promise<void> } | undefined;
  /** The manifest must be asked for afresh, as its signed addresses are no longer good. */
  let addressesOld = false;
  let refusals = 0;
  let clearing = false;

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
    log('info', `manifest ${next.manifest.version.slice(0, 8)} plays`);
    events.onLive(next);
    reportDone(next.manifest.version, next.manifest.files);
  }

  async function fillUntilWhole(goal: Live, signal: AbortSignal): Promise<void> {
    if (!store) return makeLive(goal);
    // An expired machine shows nothing, so there is nothing to wait for.
    if (goal.manifest.expired) return makeLive(goal);
    const pass = makeFill(goal, { ...ports, store }, tags, report);
    for (let failures = 0; !signal.aborted; failures++) {
      const keep = new Set(live?.manifest.files.map((file) => file.sha256));
      const filled = await pass(keep, signal);
      if (signal.aborted || filled === 'aborted') return;
      if (filled === 'whole') return makeLive(goal);
      if (filled === 'refused') {
        await clock.sleep(refusals === 0 ? 0 : backoffMs(DOWNLOAD_BACKOFF, refusals, clock.random), signal);
        refusals += 1;
        addressesOld = true;
        wakeUp.abort();
        return;
      }
      await clock.sleep(backoffMs(DOWNLOAD_BACKOFF, failures, clock.random), signal);
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
    filling = { stop, done };
  }

  async function dropEverything(): Promise<void> {
    clearing = false;
    await stopFilling();
    if (store) for (const { sha256 } of await store.list()) await store.drop(sha256);
    addressesOld = true;
    log('info', 'files cleared');
  }

  async function onFresh(next: Live): Promise<void> {
    const sameGoal = target?.manifest.version === next.manifest.version;
    target = next;
    // Without a store the addresses are what plays, so newer ones are always better.
    if (sameGoal && !addressesOld && store) return;
    addressesOld = false;
    await startFilling(next);
  }

  async function begin(): Promise<void> {
    live = await state.live();
    target = live;
    if (!live) return;
    events.onLive(live);
    const complete = !store || live.manifest.expired || isComplete(live.manifest.files, await store.list());
    // With files missing, addresses are needed that are still good.
    addressesOld = !complete;
    if (complete) reportDone(live.manifest.version, live.manifest.files);
  }

  /** One question to the server; answers how long to wait before the next, or that the pairing is over. */
  async function ask(failures: number): Promise<{ waitMs: number; failed: boolean } | 'unpaired'> {
    const reply = await api.manifest(addressesOld || !store ? null : (target?.etag ?? null));
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

  return {
    async run(signal) {
      await begin();
      let failures = 0;
      while (!signal.aborted) {
        wakeUp = new AbortController();
        if (clearing) await dropEverything();
        const answer = await ask(failures);
        if (answer === 'unpaired') {
          await stopFilling();
          return 'unpaired';
        }
        failures = answer.failed ? failures + 1 : 0;
        await clock.sleep(answer.waitMs, AbortSignal.any([signal, wakeUp.signal]));
      }
      await stopFilling();
      return 'stopped';
    },
    wake(version) {
      if (version === undefined || version !== target?.manifest.version) wakeUp.abort();
    },
    clear() {
      clearing = true;
      wakeUp.abort();
    },
    progress: () => progress,
  };
}
