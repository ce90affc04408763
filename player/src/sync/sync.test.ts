import { randomBytes } from 'node:crypto';
import { isTimeZone, type Programme } from '@ams/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failures, type FakeFile, FakeServer } from '../../test/fake-server.ts';
import { MemoryState, MemoryStore, hastyClock } from '../../test/memory.ts';
import { makeProgramme } from '../../test/programme.ts';
import type { Clock } from '../platform/clock.ts';
import { makePlayerApi } from './api.ts';
import { RESERVE_BYTES } from './plan.ts';
import type { Live } from '../store/ports.ts';
import type { Progress } from './fill.ts';
import { type Sync, makeSync } from './sync.ts';

let server: FakeServer;
let store: MemoryStore;
let state: MemoryState;
let sync: Sync;
let lives: Live[];
let reports: Progress[];
let stop: AbortController;
let running: Promise<unknown> | undefined;
let origin: string;
let onScreen: ReadonlySet<string> = new Set();

const programme = (...files: FakeFile[]): Programme =>
  makeProgramme({
    regions: { full: files.map(({ sha256 }) => ({ sha256, kind: 'file', media: 'video', durationMs: 1000 })) },
  });

/** A clock whose five minutes are half a second. */
function shortClock(): Clock {
  const [hasty, patient] = [hastyClock(), hastyClock(500)];
  return { ...hasty, sleep: (ms, signal) => (ms === 300_000 ? patient.sleep(500, signal) : hasty.sleep(ms, signal)) };
}

const build = (withStore: MemoryStore | undefined) => {
  const clock = shortClock();
  const api = makePlayerApi({ origin, secret: 's'.repeat(64), fetch, clock });
  return makeSync(
    { api, store: withStore, state, clock, log: () => undefined, onScreen: () => onScreen },
    { onLive: (live) => lives.push(live), onProgress: (p) => reports.push(p) },
  );
};

const begin = () => {
  running = sync.run(stop.signal);
};

beforeEach(async () => {
  server = new FakeServer();
  origin = await server.listen();
  [store, state, stop, lives, reports] = [new MemoryStore(), new MemoryState(), new AbortController(), [], []];
  sync = build(store);
});

afterEach(async () => {
  stop.abort();
  await running;
  await server.close();
});

const plays = (version: number) => vi.waitFor(() => expect(lives.at(-1)?.manifest.version).toBe(String(version)));

test('a manifest plays only when all its files are whole; the old one plays until then', async () => {
  server.programmes = [programme(server.addFile(randomBytes(1000)))];
  begin();
  await plays(1);
  const [slow, fast] = [server.addFile(randomBytes(200_000)), server.addFile(randomBytes(10))];
  slow.faults = failures(503, 5);
  server.programmes = [programme(slow, fast)];
  server.version = 2;
  sync.wake();
  await vi.waitFor(() => expect(store.whole.has(fast.sha256)).toBe(true));
  expect(lives.at(-1)?.manifest.version).toBe('1');
  await plays(2);
  expect(store.whole.get(slow.sha256)).toEqual(slow.body);
  expect(sync.progress().download).toMatchObject({ state: 'done', doneBytes: 200_010, totalBytes: 200_010 });
  expect(state.kept?.manifest.version).toBe('2');
});

test('an expired address causes a new manifest, and the file resumes', async () => {
  const file = server.addFile(randomBytes(100_000));
  server.programmes = [programme(file)];
  file.faults = [{ kind: 'cutAfter', bytes: 40_000 }];
  const media = file.ranges;
  begin();
  await vi.waitFor(() => expect(media.length).toBeGreaterThan(0));
  server.signature = 2;
  await plays(1);
  expect(store.whole.get(file.sha256)).toEqual(file.body);
});

test.each([404, 410])(
  'a file that the server has lost (%d) is reported, the others are fetched, and a manifest without it plays',
  async (status) => {
    const lost = server.addFile(randomBytes(5000));
    lost.faults = failures(status);
    const others = [200_000, 100_000, 10].map((bytes) => server.addFile(randomBytes(bytes)));
    server.programmes = [programme(lost, ...others)];
    begin();
    await vi.waitFor(() => expect(store.whole.size).toBe(others.length));
    await vi.waitFor(() =>
      expect(reports.at(-1)?.download).toMatchObject({ state: 'failed', reason: 'unreachable', doneBytes: 300_010 }),
    );
    await vi.waitFor(() => expect(server.manifestCalls).toBeGreaterThan(1));
    server.programmes = [programme(...others)];
    server.version = 2;
    // By now the device may wait up to a minute between its tries.
    sync.wake('2');
    await plays(2);
  },
);

test('a damaged file is reported and fetched until it is right', async () => {
  const file = server.addFile(randomBytes(5000));
  file.faults = [{ kind: 'corrupt' }, { kind: 'corrupt' }];
  server.programmes = [programme(file)];
  begin();
  await plays(1);
  expect(reports.filter((report) => report.download.reason === 'checksum').length).toBeGreaterThanOrEqual(2);
  expect(reports.at(-1)?.download).toMatchObject({ state: 'done', reason: null });
});

test('a newer manifest takes over from one that is still coming', async () => {
  const never = server.addFile(randomBytes(5000));
  never.faults = failures(500);
  server.programmes = [programme(never)];
  begin();
  await vi.waitFor(() => expect(never.ranges.length).toBeGreaterThan(2));
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  server.version = 2;
  sync.wake('2');
  await plays(2);
  expect(lives.map((live) => live.manifest.version)).toEqual(['2']);
});

test('the stored programme plays at once after a start without a network', async () => {
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  begin();
  await plays(1);
  stop.abort();
  await running;
  await server.close();
  [stop, lives] = [new AbortController(), []];
  sync = build(store);
  begin();
  await plays(1);
  expect(sync.progress().download.state).toBe('done');
});

test('an unchanged manifest is answered by its ETag and interrupts nothing', async () => {
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  begin();
  await plays(1);
  sync.wake();
  await vi.waitFor(() => expect(server.manifestCalls).toBeGreaterThan(1));
  expect(lives).toHaveLength(1);
});

test('after an announcement of another manifest, it ignores replies of processes without the announcement', async () => {
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  begin();
  await plays(1);
  [server.version, server.behind] = [2, true];
  sync.wake();
  await vi.waitFor(() => expect(server.manifestCalls).toBe(2));
  expect(lives).toHaveLength(1);
  sync.wake('2');
  await plays(2);
});

test('a withdrawn release disappears at once, even if its replacement is still missing', async () => {
  const [file, never] = [server.addFile(randomBytes(10)), server.addFile(randomBytes(5000))];
  never.faults = failures(500);
  const [taken, before] = [programme(file), programme(never)];
  server.programmes = [taken];
  begin();
  await plays(1);
  // Replaced, it plays on until the new one is whole.
  server.programmes = [before];
  server.version = 2;
  sync.wake('2');
  await vi.waitFor(() => expect(never.ranges.length).toBeGreaterThan(0));
  expect(lives.map((live) => live.manifest.screens.main)).toEqual([[taken]]);
  server.withdrawn = [taken.releaseId];
  server.version = 3;
  sync.wake('3');
  await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toEqual([]));
  expect(state.kept).toMatchObject({ etag: null, manifest: { screens: { main: [] } } });
  never.faults = [];
  await plays(3);
  expect(lives.at(-1)?.manifest.screens.main).toEqual([before]);
});

test('what was taken back leaves the screen even if that cannot be stored', async () => {
  const [file, never] = [server.addFile(randomBytes(10)), server.addFile(randomBytes(5000))];
  never.faults = failures(500);
  const [taken, ended] = [programme(file), makeProgramme({ ...programme(file), priority: 'takeover' })];
  server.programmes = [taken, ended];
  begin();
  await plays(1);
  vi.spyOn(state, 'saveLive').mockRejectedValue(new DOMException('full', 'QuotaExceededError'));
  sync.takeBack(ended.releaseId);
  await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toEqual([taken]));
  server.programmes = [programme(never)];
  server.withdrawn = [taken.releaseId];
  server.version = 2;
  sync.wake('2');
  await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toEqual([]));
  await vi.waitFor(() => expect(never.ranges.length).toBeGreaterThan(0));
});

test('a release that is taken back while a manifest with it becomes whole does not come back', async () => {
  const [file, slow, never] = [10, 20, 5000].map((bytes) => server.addFile(randomBytes(bytes)));
  if (!file || !slow || !never) throw new Error('three files');
  slow.faults = failures(503);
  never.faults = [...slow.faults];
  const taken = programme(file);
  server.programmes = [taken];
  begin();
  await plays(1);
  server.programmes = [taken, programme(slow)];
  server.version = 2;
  sync.wake('2');
  await vi.waitFor(() => expect(slow.ranges.length).toBeGreaterThan(0));
  // The disk is slow: the other manifest becomes whole before it is stored that the release is gone.
  const save = state.saveLive;
  const { promise, resolve } = Promise.withResolvers<void>();
  let queue = promise;
  const saving = vi.spyOn(state, 'saveLive').mockImplementation((live) => (queue = queue.then(() => save(live))));
  server.programmes = [programme(never)];
  server.withdrawn = [taken.releaseId];
  server.version = 3;
  sync.wake('3');
  await vi.waitFor(() => expect(saving).toHaveBeenCalled());
  slow.faults = [];
  await vi.waitFor(() => expect(store.whole.has(slow.sha256)).toBe(true));
  await new Promise(setImmediate);
  resolve();
  await vi.waitFor(() => expect(never.ranges.length).toBeGreaterThan(0));
  expect(lives.at(-1)?.manifest.screens.main).toEqual([]);
  expect(state.kept?.manifest.screens.main).toEqual([]);
});

test('a release that is taken back while a manifest with it is being stored does not come back', async () => {
  const [file, never] = [server.addFile(randomBytes(10)), server.addFile(randomBytes(5000))];
  never.faults = failures(500);
  const taken = programme(file);
  server.programmes = [taken];
  begin();
  await plays(1);
  const save = state.saveLive;
  const stored = Promise.withResolvers<void>();
  const saving = vi.spyOn(state, 'saveLive').mockImplementationOnce(async (live) => {
    await save(live);
    await stored.promise;
  });
  server.programmes = [taken, programme(server.addFile(randomBytes(20)))];
  server.version = 2;
  sync.wake('2');
  await vi.waitFor(() => expect(saving).toHaveBeenCalled());
  server.programmes = [programme(never)];
  server.withdrawn = [taken.releaseId];
  server.version = 3;
  sync.wake('3');
  await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toEqual([]));
  stored.resolve();
  await vi.waitFor(() => expect(never.ranges.length).toBeGreaterThan(0));
  expect(lives.at(-1)?.manifest.screens.main).toEqual([]);
});

test('a time zone that this browser does not know is replaced by one that it knows', async () => {
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  server.settings = { timeZone: 'Mars/Phobos' };
  begin();
  await plays(1);
  expect(isTimeZone(lives[0]?.manifest.timeZone ?? '')).toBe(true);
  expect(isTimeZone(state.kept?.manifest.timeZone ?? '')).toBe(true);
});

test('after a retry command, it fetches failed files at once and restarts those that did not play', async () => {
  const file = server.addFile(randomBytes(100));
  server.programmes = [programme(file)];
  store.free = 10;
  begin();
  await vi.waitFor(() => expect(reports.at(-1)?.download).toMatchObject({ state: 'failed', reason: 'diskFull' }));
  store.free = 10 ** 9;
  const calls = server.manifestCalls;
  sync.retry();
  await plays(1);
  expect(server.manifestCalls).toBeGreaterThan(calls);
  const fetched = file.ranges.length;
  sync.retry();
  await vi.waitFor(() => expect(lives).toHaveLength(2));
  expect(file.ranges).toHaveLength(fetched);
});

test('clearing deletes every file and fetches what is needed', async () => {
  const file = server.addFile(randomBytes(10));
  server.programmes = [programme(file)];
  begin();
  await plays(1);
  sync.clear();
  await vi.waitFor(() => expect(lives).toHaveLength(2));
  expect(store.dropped).toContain(file.sha256);
  expect(store.whole.has(file.sha256)).toBe(true);
});

test('an expired manifest takes effect at once, even with missing files', async () => {
  const never = server.addFile(randomBytes(5000));
  never.faults = failures(500);
  server.programmes = [programme(never)];
  server.expired = true;
  begin();
  await plays(1);
  expect(lives[0]?.manifest.expired).toBe(true);
});

/** A takeover of one file as the server pushes it; its manifests have it, too. */
function startTakeover(): Programme {
  const urgent = makeProgramme({ ...programme(server.addFile(randomBytes(1000))), priority: 'takeover' });
  server.programmes = [...server.programmes, urgent];
  return urgent;
}
function push(urgent: Programme): void {
  const needed = new Set(Object.values(urgent.regions).flatMap((items) => items.map(({ sha256 }) => sha256)));
  const files = server.manifest().files.filter(({ sha256 }) => needed.has(sha256));
  sync.takeOver({ screens: { main: [urgent], secondary: [] }, files });
}

/** A file that does not come before it may. */
function slowFile(): FakeFile {
  const file = server.addFile(randomBytes(100_000));
  file.faults = failures(503, 10_000);
  return file;
}

test.each(['a pushed takeover', 'a takeover in a manifest'])(
  '%s does not wait for a missing file of what plays, which comes afterwards',
  async (way) => {
    const [good, big] = [server.addFile(randomBytes(10)), slowFile()];
    const usual = programme(good, big);
    server.programmes = [usual];
    store.whole.set(good.sha256, good.body);
    state.kept = { manifest: server.manifest(), etag: null };
    begin();
    await vi.waitFor(() => expect(big.ranges.length).toBeGreaterThan(0));
    const urgent = startTakeover();
    server.version = 2;
    if (way === 'a pushed takeover') push(urgent);
    else sync.wake('2');
    await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toEqual([usual, urgent]));
    expect(store.whole.has(big.sha256)).toBe(false);
    expect(lives.at(-1)?.manifest.files.map(({ sha256 }) => sha256)).toContain(big.sha256);
    big.faults = [];
    await plays(2);
    expect(store.whole.get(big.sha256)).toEqual(big.body);
  },
);

test.each(['a pushed takeover', 'a takeover in a manifest'])(
  '%s does not wait for the first content of a device',
  async (way) => {
    const big = slowFile();
    const usual = programme(big);
    server.programmes = [usual];
    begin();
    await vi.waitFor(() => expect(big.ranges.length).toBeGreaterThan(0));
    const urgent = startTakeover();
    server.version = 2;
    if (way === 'a pushed takeover') push(urgent);
    else sync.wake('2');
    await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toEqual([urgent]));
    [server.programmes, server.version] = [[usual], 3];
    sync.wake('3');
    sync.takeBack(urgent.releaseId);
    await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toEqual([]));
    big.faults = [];
    await plays(3);
    expect(lives.at(-1)?.manifest.screens.main).toEqual([usual]);
  },
);

test('a takeover in a manifest does not wait for a file that the server has lost', async () => {
  const [good, lost] = [server.addFile(randomBytes(10)), server.addFile(randomBytes(5000))];
  lost.faults = failures(404, 10_000);
  server.programmes = [programme(good)];
  begin();
  await plays(1);
  server.programmes = [programme(lost)];
  server.version = 2;
  sync.wake('2');
  await vi.waitFor(() => expect(lost.ranges.length).toBeGreaterThan(2));
  const urgent = startTakeover();
  server.version = 3;
  sync.wake('3');
  await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toContainEqual(urgent));
});

test.each(['a pushed takeover', 'a takeover in a manifest'])(
  '%s whose file does not come holds up nothing else, and plays as soon as it is there',
  async (way) => {
    const [good, big, other] = [server.addFile(randomBytes(10)), slowFile(), server.addFile(randomBytes(5000))];
    const usual = programme(good);
    server.programmes = [usual];
    begin();
    await plays(1);
    const urgent = startTakeover();
    const late = server.files.get(urgent.regions.full?.[0]?.sha256 ?? '') ?? good;
    late.faults = failures(503, 10_000);
    if (way === 'a pushed takeover') push(urgent);
    await vi.waitFor(() => expect(late.ranges.length > 2 || way === 'a takeover in a manifest').toBe(true));
    server.programmes = [programme(other), programme(big), urgent];
    server.version = 2;
    sync.wake('2');
    await vi.waitFor(() => expect(store.whole.has(other.sha256)).toBe(true));
    expect(lives.at(-1)?.manifest.screens.main).toEqual([usual]);
    late.faults = [];
    await vi.waitFor(() => expect(lives.at(-1)?.manifest.screens.main).toEqual([usual, urgent]));
    big.faults = [];
    await plays(2);
  },
);

test.each(['begins', 'ends'])(
  'a takeover that %s while an older manifest is on its way is not undone by it',
  async (what) => {
    const usual = programme(server.addFile(randomBytes(10)));
    server.programmes = [usual];
    begin();
    await plays(1);
    const urgent = startTakeover();
    if (what === 'begins') server.programmes = [usual];
    else push(urgent);
    const shown = () => lives.at(-1)?.manifest.screens.main;
    if (what === 'ends') await vi.waitFor(() => expect(shown()).toEqual([usual, urgent]));
    const way = Promise.withResolvers<void>();
    [server.onTheWay, server.version] = [way.promise, 2];
    const calls = server.manifestCalls;
    sync.wake('2');
    await vi.waitFor(() => expect(server.manifestCalls).toBe(calls + 1));
    if (what === 'begins') {
      server.programmes = [usual, urgent];
      push(urgent);
      await vi.waitFor(() => expect(shown()).toEqual([usual, urgent]));
    } else {
      server.programmes = [usual];
      sync.takeBack(urgent.releaseId);
      await vi.waitFor(() => expect(shown()).toEqual([usual]));
    }
    const [after, right] = [lives.length, shown()];
    server.version = 3;
    way.resolve();
    await plays(3);
    expect(lives.slice(after).map(({ manifest }) => manifest.screens.main)).toEqual([right]);
  },
);

test('a device that the server no longer knows stops', async () => {
  server.paired = false;
  begin();
  expect(await running).toBe('unpaired');
});

test.each([
  ['a page of a proxy', '<!doctype html><title>Sign in</title>'],
  ['JSON of a proxy', '{"error":"authentication required"}'],
  ['an envelope with another code', '{"code":503,"message":"busy","error":"BUSY"}'],
])('a device stays paired and plays on when a 401 is %s', async (_, body) => {
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  begin();
  await plays(1);
  let ended: unknown;
  void running?.then((end) => (ended = end));
  server.foreign = body;
  const calls = server.manifestCalls;
  sync.wake();
  await vi.waitFor(() => expect(server.manifestCalls).toBeGreaterThan(calls + 1));
  expect(ended).toBeUndefined();
  server.foreign = undefined;
  server.version = 2;
  await plays(2);
});

test('a full disk is reported after deleting unused files', async () => {
  const [old, file] = [randomBytes(100), server.addFile(randomBytes(5000))];
  store.whole.set('0'.repeat(64), old);
  store.free = 1000;
  server.programmes = [programme(file)];
  begin();
  await vi.waitFor(() => expect(reports.at(-1)?.download).toMatchObject({ state: 'failed', reason: 'diskFull' }));
  expect(store.dropped).toContain('0'.repeat(64));
  store.free = 10 ** 9;
  await plays(1);
});

test('without a store a manifest plays at once', async () => {
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  sync = build(undefined);
  begin();
  await plays(1);
  expect(lives).toHaveLength(1);
});

test('a damaged file on the disk is found when it does not play, reported, and fetched again', async () => {
  const [good, file] = [server.addFile(randomBytes(10)), server.addFile(randomBytes(1000))];
  server.programmes = [programme(good, file)];
  begin();
  await plays(1);
  sync.suspect(good.sha256);
  store.whole.set(file.sha256, randomBytes(1000));
  sync.suspect(file.sha256);
  await vi.waitFor(() => expect(lives).toHaveLength(2));
  expect(store.whole.get(file.sha256)).toEqual(file.body);
  expect(store.dropped).toEqual([file.sha256]);
  expect(reports.some(({ download }) => download.state === 'failed' && download.reason === 'checksum')).toBe(true);
  expect(sync.progress().download.state).toBe('done');
});

test('files that the browser has cleared are missed at the next question, reported, and fetched again', async () => {
  const file = server.addFile(randomBytes(1000));
  server.programmes = [programme(file)];
  begin();
  await plays(1);
  store.whole.clear();
  sync.wake();
  await vi.waitFor(() => expect(lives).toHaveLength(2));
  expect(store.whole.get(file.sha256)).toEqual(file.body);
  expect(reports.some(({ download }) => download.state === 'failed' && download.reason === 'storage')).toBe(true);
});

test('if both programmes do not fit, the old one loses files that are not visible and plays the rest', async () => {
  const [big, small] = [server.addFile(randomBytes(3000)), server.addFile(randomBytes(1000))];
  server.programmes = [programme(big, small)];
  begin();
  await plays(1);
  onScreen = new Set([small.sha256]);
  store.free = RESERVE_BYTES;
  const file = server.addFile(randomBytes(2500));
  server.programmes = [programme(file)];
  server.version = 2;
  sync.wake('2');
  await plays(2);
  expect(store.dropped).toEqual([big.sha256]);
});

test('a disk that is full despite the estimate deletes unused files, and the download continues', async () => {
  store.whole.set('0'.repeat(64), randomBytes(50 * 2 ** 20));
  store.free = 10 ** 9;
  store.disk = 50 * 2 ** 20 + 1000;
  const file = server.addFile(randomBytes(5000));
  server.programmes = [programme(file)];
  begin();
  await plays(1);
  expect(store.dropped).toEqual(['0'.repeat(64)]);
  expect(reports.some(({ download }) => download.reason === 'diskFull')).toBe(true);
});

test('a programme that turns out too big for the disk leaves the reserve free, and is not fetched again and again', async () => {
  const old = server.addFile(randomBytes(1000));
  server.programmes = [programme(old)];
  begin();
  await plays(1);
  const [small, big] = [server.addFile(randomBytes(3000)), server.addFile(randomBytes(RESERVE_BYTES + 200_000))];
  // An earlier process had fetched most of it: the disk is nearly full.
  store.parts.set(big.sha256, big.body.subarray(0, RESERVE_BYTES));
  store.free = 10 ** 9;
  store.disk = store.usedBytes() + 100_000;
  server.programmes = [programme(small, big)];
  server.version = 2;
  sync.wake('2');
  await vi.waitFor(() => expect(store.disk - store.usedBytes()).toBeGreaterThanOrEqual(RESERVE_BYTES));
  await vi.waitFor(() => expect(reports.at(-1)?.download).toMatchObject({ state: 'failed', reason: 'diskFull' }));
  expect([...store.whole.keys()]).toEqual([old.sha256, small.sha256]);
  const first = big.ranges.length;
  // The first sign of life may mean that somebody made room.
  sync.online();
  await vi.waitFor(() => expect(big.ranges.length).toBeGreaterThan(first));
  // Both at once: only when the second try is over.
  await vi.waitFor(() => {
    expect(reports.at(-1)?.download).toMatchObject({ state: 'failed', reason: 'diskFull' });
    expect(store.disk - store.usedBytes()).toBeGreaterThanOrEqual(RESERVE_BYTES);
  });
  const fetched = big.ranges.length;
  for (let sign = 0; sign < 5; sign += 1) {
    sync.online();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(big.ranges).toHaveLength(fetched);
  expect(store.disk - store.usedBytes()).toBeGreaterThanOrEqual(RESERVE_BYTES);
  // Somebody made room and says so.
  store.disk = Infinity;
  sync.retry();
  await plays(2);
});

test('a programme that was too big for the disk is fetched once the disk has room again', async () => {
  const file = server.addFile(randomBytes(5000));
  server.programmes = [programme(file)];
  store.free = 10 ** 9;
  store.disk = 1000;
  begin();
  await vi.waitFor(() => expect(reports.at(-1)?.download).toMatchObject({ state: 'failed', reason: 'diskFull' }));
  // The next try would follow after minutes; any sign of life makes the device look.
  store.disk = Infinity;
  store.free = 2 * 10 ** 9;
  const looking = setInterval(() => sync.online(), 50);
  await plays(1);
  clearInterval(looking);
});

test('many devices that are notified at once ask at different moments', async () => {
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  begin();
  await plays(1);
  const before = server.manifestCalls;
  sync.wake('2', 10 ** 9);
  sync.wake('1', 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(server.manifestCalls).toBe(before);
});
