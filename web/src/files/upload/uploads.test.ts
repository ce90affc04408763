import { IMAGE_FORMATS, UPLOAD_LIMITS, VIDEO_FORMATS } from '@ams/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Target, UploadItem } from './item.ts';
import type { TransferEvents } from '../../platform/transfer/transfer.ts';
import { type Uploads, makeUploads } from './uploads.ts';

const limits = { ...UPLOAD_LIMITS, maxFiles: 3, imageFormats: [...IMAGE_FORMATS], videoFormats: [...VIDEO_FORMATS] };
const target: Target = { owner: { id: 'owner', username: 'anna' }, orientation: 'vertical', kind: 2, media: 'video' };

let started: Map<string, TransferEvents>;
let stopped: string[];
let discarded: string[];
let unreadable: Set<string>;
let clock: number;
let uploads: Uploads;

beforeEach(() => {
  started = new Map();
  stopped = [];
  discarded = [];
  unreadable = new Set();
  clock = 0;
  uploads = makeUploads({
    start: (item, events) => {
      started.set(item.name, events);
      return { stop: () => void stopped.push(item.name) };
    },
    readable: async (file) => !unreadable.has(file.name),
    now: () => clock,
    onDone: () => undefined,
    discard: async (item) => void discarded.push(item.name),
  });
});

const video = (name: string, bytes = 1000): File => new File([new Uint8Array(bytes)], name, { lastModified: 1 });
const choose = (...names: string[]) =>
  uploads.add(
    names.map((name) => video(name)),
    'me',
    target,
    limits,
  );
const item = (name: string): UploadItem => {
  const found = uploads.snapshot().find((each) => each.name === name);
  if (!found) throw new Error(`No upload named ${name}`);
  return found;
};
const states = () => Object.fromEntries(uploads.snapshot().map(({ name, state }) => [name, state.kind]));

describe('chosen files', () => {
  test('go two at a time, the next when one is done', async () => {
    choose('a.mp4', 'b.mp4', 'c.mp4');
    await expect.poll(states).toEqual({ 'a.mp4': 'uploading', 'b.mp4': 'uploading', 'c.mp4': 'queued' });
    started.get('a.mp4')?.onDone('file-a');
    expect(states()).toEqual({ 'a.mp4': 'done', 'b.mp4': 'uploading', 'c.mp4': 'uploading' });
    expect(item('a.mp4').state).toEqual({ kind: 'done', fileId: 'file-a' });
  });

  test('beyond the limit are refused and may be tried again once there is room', async () => {
    choose('a.mp4', 'b.mp4', 'c.mp4', 'd.mp4');
    await expect.poll(states).toMatchObject({ 'a.mp4': 'uploading', 'd.mp4': 'refused' });
    expect(item('d.mp4').state).toEqual({ kind: 'refused', refusal: { kind: 'count', max: 3 } });
    started.get('a.mp4')?.onDone('file-a');
    uploads.resume(item('d.mp4').id);
    await expect.poll(states).toMatchObject({ 'd.mp4': 'queued' });
  });

  test('that somebody else left unfinished here are taken', async () => {
    choose('a.mp4');
    await expect.poll(states).toEqual({ 'a.mp4': 'uploading' });
    uploads.pauseAll();
    expect(uploads.add([video('a.mp4')], 'a colleague', target, limits)).toBe(0);
    expect(uploads.snapshot().map(({ by }) => by)).toEqual(['me', 'a colleague']);
  });

  test('that are on their way already are not taken twice', async () => {
    choose('a.mp4');
    expect(choose('a.mp4', 'b.mp4')).toBe(1);
    expect(uploads.snapshot()).toHaveLength(2);
  });

  test('that failed and are chosen again are tried again, in their place', async () => {
    choose('a.mp4');
    await expect.poll(states).toEqual({ 'a.mp4': 'uploading' });
    started.get('a.mp4')?.onFailed({ code: 503, error: 'HTTP', message: 'Request failed with status code 503' });
    expect(choose('a.mp4', 'b.mp4')).toBe(0);
    await expect.poll(states).toEqual({ 'a.mp4': 'uploading', 'b.mp4': 'uploading' });
    expect(uploads.snapshot()).toHaveLength(2);
  });

  test('with a forbidden name go once they are renamed', async () => {
    choose('50%.mp4');
    expect(states()).toEqual({ '50%.mp4': 'refused' });
    uploads.rename(item('50%.mp4').id, '50.mp4');
    await expect.poll(states).toEqual({ '50.mp4': 'uploading' });
  });

  test('that cannot be read are refused', async () => {
    unreadable.add('a.mp4');
    choose('a.mp4');
    await expect.poll(() => item('a.mp4').state).toEqual({ kind: 'refused', refusal: { kind: 'unreadable' } });
  });
});

describe('an upload', () => {
  beforeEach(async () => {
    choose('a.mp4');
    await vi.waitUntil(() => started.has('a.mp4'));
  });

  test('tells how far and how fast it is', () => {
    started.get('a.mp4')?.onProgress(100);
    clock = 1000;
    started.get('a.mp4')?.onProgress(600);
    expect(item('a.mp4')).toMatchObject({ sent: 600, state: { kind: 'uploading', pace: { bytesPerSecond: 500 } } });
  });

  test('does not count what was sent before a reload as its speed', () => {
    clock = 1000;
    started.get('a.mp4')?.onProgress(40_000_000);
    expect(item('a.mp4')).toMatchObject({ sent: 40_000_000, state: { pace: { bytesPerSecond: undefined } } });
    clock = 2000;
    started.get('a.mp4')?.onProgress(40_000_500);
    expect(item('a.mp4').state).toMatchObject({ pace: { bytesPerSecond: 500 } });
  });

  test('says that it waits for the network, and continues', () => {
    started.get('a.mp4')?.onInterrupted();
    expect(item('a.mp4').state).toMatchObject({ kind: 'uploading', interrupted: true });
    started.get('a.mp4')?.onProgress(10);
    expect(item('a.mp4').state).toMatchObject({ kind: 'uploading', interrupted: false });
  });

  test('is paused and resumed, and keeps what it sent', async () => {
    started.get('a.mp4')?.onProgress(400);
    uploads.pause(item('a.mp4').id);
    expect([states(), stopped]).toEqual([{ 'a.mp4': 'paused' }, ['a.mp4']]);
    uploads.resume(item('a.mp4').id);
    expect(item('a.mp4')).toMatchObject({ sent: 400, state: { kind: 'uploading' } });
  });

  test('that the server refuses says why', () => {
    started.get('a.mp4')?.onFailed({ code: 415, error: 'UNSUPPORTED_FORMAT', message: 'Please upload files in …' });
    expect(item('a.mp4').state).toEqual({ kind: 'failed', message: 'Please upload files in …', final: true });
  });

  test('whose file was changed meanwhile says so, may be tried again, and keeps no other file waiting', async () => {
    choose('b.mp4', 'c.mp4');
    await expect.poll(states).toEqual({ 'a.mp4': 'uploading', 'b.mp4': 'uploading', 'c.mp4': 'queued' });
    started.get('a.mp4')?.onUnreadable();
    expect(item('a.mp4').state).toMatchObject({ kind: 'failed', final: false });
    expect(states()).toMatchObject({ 'c.mp4': 'uploading' });
  });

  test('that was removed is taken off the server', async () => {
    await uploads.remove(item('a.mp4').id);
    expect([uploads.snapshot(), stopped, discarded]).toEqual([[], ['a.mp4'], ['a.mp4']]);
  });

  test('rests when the session ends', () => {
    uploads.pauseAll();
    started.get('a.mp4')?.onFailed({ code: 401, error: 'UNAUTHENTICATED', message: 'Please log in' });
    expect(states()).toEqual({ 'a.mp4': 'paused' });
  });
});
