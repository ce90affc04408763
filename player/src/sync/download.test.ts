import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeFile, FakeServer } from '../../test/fake-server.ts';
import { MemoryStore, hastyClock } from '../../test/memory.ts';
import { makePlayerApi } from './api.ts';
import { type Attempt, downloadOnce } from './download.ts';
import { makeThrottle } from './throttle.ts';

const SIZE = 300_000;

let server: FakeServer;
let store: MemoryStore;
let file: FakeFile;
let attempt: (signal?: AbortSignal) => Promise<Attempt>;

beforeEach(async () => {
  server = new FakeServer();
  const origin = await server.listen();
  const clock = hastyClock();
  const api = makePlayerApi({ origin, secret: 's'.repeat(64), fetch, clock });
  store = new MemoryStore();
  file = server.addFile(randomBytes(SIZE));
  const tags = new Map<string, string>();
  attempt = (signal = new AbortController().signal) => {
    const { sha256 } = file;
    const wanted = { sha256, bytes: SIZE, mime: 'video/mp4', url: `/media/${sha256}?s=1` };
    return downloadOnce(
      wanted,
      { api, store, clock, throttle: makeThrottle(clock), bandwidth: null },
      tags,
      () => undefined,
      signal,
    );
  };
});

afterEach(() => server.close());

const onDisk = () => store.whole.get(file.sha256);
const partBytes = () => store.parts.get(file.sha256)?.length ?? 0;

test('a file comes whole and is committed', async () => {
  expect(await attempt()).toEqual({ kind: 'done' });
  expect(onDisk()).toEqual(file.body);
  expect(file.ranges).toEqual(['']);
});

test('a download resumes from the bytes on disk after three broken connections', async () => {
  file.faults = [100_000, 50_000, 1].map((bytes) => ({ kind: 'cutAfter', bytes }));
  for (const bytes of [100_000, 150_000, 150_001]) {
    expect(await attempt()).toEqual({ kind: 'retry', gained: true });
    expect(partBytes()).toBe(bytes);
  }
  expect(await attempt()).toEqual({ kind: 'done' });
  expect(onDisk()).toEqual(file.body);
  expect(file.ranges).toEqual(['', 'bytes=100000-', 'bytes=150000-', 'bytes=150001-']);
});

test('a damaged file is deleted and reported, then fetched again', async () => {
  file.faults = [{ kind: 'corrupt' }];
  expect(await attempt()).toEqual({ kind: 'failed', reason: 'checksum' });
  expect(onDisk()).toBeUndefined();
  expect(partBytes()).toBe(0);
  expect(await attempt()).toEqual({ kind: 'done' });
});

test('damage on the disk is found although the rest came well', async () => {
  store.parts.set(file.sha256, randomBytes(1000));
  expect(await attempt()).toEqual({ kind: 'failed', reason: 'checksum' });
  expect(await attempt()).toEqual({ kind: 'done' });
});

test('a server that ignores the range restarts the file', async () => {
  store.parts.set(file.sha256, file.body.subarray(0, 1234));
  file.faults = [{ kind: 'ignoreRange' }];
  expect(await attempt()).toEqual({ kind: 'done' });
  expect(onDisk()).toEqual(file.body);
});

test('a range that begins elsewhere is never appended', async () => {
  store.parts.set(file.sha256, file.body.subarray(0, 1234));
  file.faults = [{ kind: 'wrongRange' }];
  expect(await attempt()).toEqual({ kind: 'retry', gained: false });
  expect(await attempt()).toEqual({ kind: 'done' });
});

test('416 throws the odd part away and begins again', async () => {
  store.parts.set(file.sha256, file.body.subarray(0, 1234));
  file.faults = [{ kind: 'status', status: 416, headers: { 'content-range': `bytes */${SIZE}` } }];
  expect(await attempt()).toEqual({ kind: 'retry', gained: false });
  expect(await attempt()).toEqual({ kind: 'done' });
});

test('416 with another size is a wrong file', async () => {
  store.parts.set(file.sha256, file.body.subarray(0, 1234));
  file.faults = [{ kind: 'status', status: 416, headers: { 'content-range': 'bytes */99' } }];
  expect(await attempt()).toEqual({ kind: 'failed', reason: 'checksum' });
});

test('a part that is complete is checked without asking the server', async () => {
  store.parts.set(file.sha256, file.body);
  expect(await attempt()).toEqual({ kind: 'done' });
  expect(file.ranges).toEqual([]);
});

test('a part that is too long is downloaded again', async () => {
  store.parts.set(file.sha256, Buffer.concat([file.body, Buffer.from('x')]));
  expect(await attempt()).toEqual({ kind: 'done' });
});

test('more bytes than promised are a wrong file', async () => {
  file.faults = [{ kind: 'tooLong' }];
  expect(await attempt()).toEqual({ kind: 'failed', reason: 'checksum' });
  expect(partBytes()).toBe(0);
});

test('an address that is too old asks for a new manifest and keeps the bytes', async () => {
  store.parts.set(file.sha256, file.body.subarray(0, 1234));
  server.signature = 2;
  expect(await attempt()).toEqual({ kind: 'refused' });
  expect(partBytes()).toBe(1234);
});

test('a file that the server does not have is gone, and its bytes are kept', async () => {
  store.parts.set(file.sha256, file.body.subarray(0, 1234));
  file.faults = [404, 410].map((status) => ({ kind: 'status', status }));
  expect([await attempt(), await attempt()]).toEqual([{ kind: 'gone' }, { kind: 'gone' }]);
  expect(partBytes()).toBe(1234);
});

test('a busy server is asked again after the time it gives', async () => {
  file.faults = [{ kind: 'status', status: 503, headers: { 'retry-after': '7' } }];
  expect(await attempt()).toEqual({ kind: 'retry', gained: false, retryAfterMs: 7000 });
});

test('a server that is away is asked again', async () => {
  await server.close();
  expect(await attempt()).toEqual({ kind: 'retry', gained: false });
});

test.each([0, 1234])('a page of a proxy does not become part of a file of which %d bytes are there', async (bytes) => {
  store.parts.set(file.sha256, file.body.subarray(0, bytes));
  file.faults = [{ kind: 'page' }];
  expect(await attempt()).toEqual({ kind: 'retry', gained: false });
  expect(partBytes()).toBe(bytes);
  expect(await attempt()).toEqual({ kind: 'done' });
});

test('a full disk is reported and its files are kept', async () => {
  store.capacity = 100_000;
  expect(await attempt()).toEqual({ kind: 'failed', reason: 'diskFull' });
  store.capacity = Infinity;
  expect(await attempt()).toEqual({ kind: 'done' });
});

test('an aborted download keeps its bytes for the next', async () => {
  const stop = new AbortController();
  stop.abort();
  expect(await attempt(stop.signal)).toEqual({ kind: 'aborted' });
});
