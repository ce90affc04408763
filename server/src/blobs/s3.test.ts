import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type App, type MediaFile } from '@ams/contract';
import {
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addApp, readSettingsApk } from '../../test/apk.ts';
import { type HttpRelay, startHttpRelay } from '../../test/http-relay.ts';
import { addFile, failureOf, makeMp4, padVideo, untilFile } from '../../test/media.ts';
import { isRoot } from '../../test/programs.ts';
import { dataOf, type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { startSwift, type Swift } from '../../test/swift.ts';
import { tusAt } from '../../test/tus.ts';
import { readConfig } from '../config.ts';
import type { S3Config } from '../platform/process/config.ts';
import { openStorage } from './storage.ts';
import { makeClient } from './s3.ts';
import { S3Incoming } from './s3-incoming.ts';
import { cleanStrays } from './blobs.service.ts';
import { STORING_AT_ONCE, storingLimit } from './content-lock.ts';
import { tasksOf } from '../features.ts';
import { sha256Of } from '../platform/sandbox/unparsable.ts';

const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };
const PICTURE = { name: 'picture.png', orientation: 'vertical', kind: 1 };
const DAY_MS = 86_400_000;
const MIB = 2 ** 20;

let swift: Swift;
let server: TestServer;
let admin: Session;
let clip: Buffer;
let film: MediaFile;
let picture: MediaFile;

const bodyOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer());

/** A picture that no other one resembles. */
const noise = (): Promise<Buffer> =>
  sharp(randomBytes(90 * 160 * 3), { raw: { width: 90, height: 160, channels: 3 } })
    .png()
    .toBuffer();

/** A relay in front of S3, and a server that reaches S3 through it. */
async function startBehindRelay(): Promise<{ relay: HttpRelay; behind: TestServer }> {
  const relay = await startHttpRelay(swift.endpoint);
  onTestFinished(() => relay.end());
  return { relay, behind: await startTestServer({ ...swift.settings, S3_ENDPOINT: relay.origin }) };
}

/** Has the requests to S3 that `what` matches wait until `goOn`, or the end of the test. */
function hold(relay: HttpRelay, what: RegExp) {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const goOn = () => resolve();
  onTestFinished(goOn);
  const held = { what, until, count: 0 };
  relay.held = held;
  const oneWaits = () => vi.waitFor(() => expect(held.count).toBe(1), { timeout: 20_000, interval: 50 });
  return { oneWaits, goOn };
}

beforeAll(async () => {
  [swift, clip] = await Promise.all([startSwift(), makeMp4(21)]);
  server = await startTestServer(swift.settings);
  admin = await server.login();
  film = await addFile(server, admin, clip, VIDEO);
  picture = await addFile(server, admin, await noise(), PICTURE);
});
afterAll(() => swift.end());

const config = (): S3Config => {
  const { s3 } = server.config;
  if (!s3) throw new Error('no S3');
  return s3;
};

/** Target of a local address. */
async function leads(address: string | null, init: RequestInit = {}): Promise<string> {
  const reply = await fetch(server.url + address, { redirect: 'manual', ...init });
  expect([reply.status, reply.headers.get('cache-control')]).toEqual([302, 'private, max-age=3600']);
  return reply.headers.get('location') ?? '';
}

test('nothing remains on the disk of the server', async () => {
  expect(film.state).toBe('ready');
  // Its content is checked on a copy, after it is ready.
  await vi.waitFor(async () => {
    const files = await readdir(server.config.data, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toEqual([]);
  });
});

test('media and posters redirect to the bucket, with type, caching and ranges', async () => {
  const address = await leads(film.url);
  expect(address.startsWith(`${swift.endpoint}/media/blobs/`)).toBe(true);
  expect(await leads(film.url)).toBe(address);
  const whole = await fetch(address);
  expect(await bodyOf(whole)).toEqual(clip);
  expect(whole.headers.get('content-type')).toBe('video/mp4');
  expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const part = await fetch(server.url + film.url, { headers: { range: 'bytes=5-9' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-9/${clip.length}`]);
  expect(await bodyOf(part)).toEqual(clip.subarray(5, 10));
  const head = await fetch(server.url + film.url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(clip.length)]);
  for (const poster of [film.poster, picture.poster]) {
    const still = await fetch(await leads(poster));
    expect([still.status, still.headers.get('content-type')]).toEqual([200, 'image/webp']);
  }
});

test('an address is stable for a day, valid for a day, and differs tomorrow', async () => {
  const as = { method: 'GET', mime: 'video/mp4', cacheControl: 'no-store' } as const;
  const address = async (now: number): Promise<URL> => {
    const source = await server.deps.blobs.source(film.sha256, as, now);
    if (source.kind !== 'elsewhere') throw new Error(source.kind);
    return new URL(source.url);
  };
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const first = await address(midnight);
  expect((await address(midnight + DAY_MS - 1)).href).toBe(first.href);
  expect((await address(midnight + DAY_MS)).href).not.toBe(first.href);
  expect(Number(first.searchParams.get('X-Amz-Expires'))).toBe(2 * 86_400);
});

test('browsers and devices may use another address of the bucket than the server', async () => {
  const settings = { ...swift.settings, S3_PUBLIC_ENDPOINT: 'https://files.example.com' };
  const { blobs } = await openStorage(readConfig(settings));
  const source = await blobs.source(film.sha256, { method: 'GET', mime: 'video/mp4', cacheControl: 'no-store' });
  expect(source).toMatchObject({ url: expect.stringMatching(/^https:\/\/files\.example\.com\/media\/blobs\//) });
});

test('only clients that may open an address are redirected', async () => {
  const reply = await fetch(`${server.url}/media/${film.sha256}`, { redirect: 'manual' });
  expect([reply.status, reply.headers.get('location')]).toEqual([403, null]);
});

test('pages may show media of the bucket', async () => {
  const reply = await fetch(`${server.url}/api/settings`);
  const policy = reply.headers.get('content-security-policy') ?? '';
  for (const directive of ['img-src', 'media-src', 'connect-src']) {
    expect(policy).toMatch(new RegExp(`${directive} [^;]*${swift.endpoint}`));
  }
});

test('apps and their icons are in the bucket', async () => {
  const apk = await readSettingsApk();
  const app: App = await addApp(server, admin, apk);
  const address = await leads(app.url);
  expect(sha256Of(await bodyOf(await fetch(address)))).toBe(sha256Of(apk));
  const icon = await fetch(await leads(app.icon));
  expect(icon.headers.get('content-type')).toBe('image/webp');
});

test('unused objects are removed from the bucket', async () => {
  const gone = await addFile(server, admin, await makeMp4(22), VIDEO);
  const Key = `blobs/${gone.sha256.slice(0, 2)}/${gone.sha256}`;
  await swift.client.send(new HeadObjectCommand({ Bucket: swift.bucket, Key }));
  dataOf(await admin.calls.files.delete({ params: { id: gone.id } }));
  const tasks = tasksOf(server.deps);
  const clean = tasks['files_clean_blobs'];
  if (typeof clean !== 'function') throw new Error('no such task');
  // Cleaning gives way to whoever is storing just then.
  const stays = async () => {
    await clean({}, new AbortController().signal, false);
    const seen = swift.client.send(new HeadObjectCommand({ Bucket: swift.bucket, Key }));
    return seen.then(
      () => true,
      () => false,
    );
  };
  await expect.poll(stays, { interval: 200 }).toBe(false);
  expect((await fetch(server.url + film.url)).status).toBe(200);
});

test('removes objects from the bucket that a crashed process stored without a row', async () => {
  const stray = randomBytes(1000);
  const Key = `blobs/${sha256Of(stray).slice(0, 2)}/${sha256Of(stray)}`;
  await swift.client.send(new PutObjectCommand({ Bucket: swift.bucket, Key, Body: stray }));
  const stays = async () => {
    await cleanStrays(server.deps, new Date(Date.now() + DAY_MS));
    return server.deps.blobs.size(sha256Of(stray));
  };
  await expect.poll(stays, { interval: 200 }).toBeUndefined();
  expect((await fetch(server.url + film.url)).status).toBe(200);
  expect((await fetch(server.url + film.poster)).status).toBe(200);
});

test('large files are received and copied in pieces', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ams-s3-'));
  const incoming = new S3Incoming(config(), makeClient(config()), folder, 5 * MIB);
  const bytes = randomBytes(12 * MIB);
  const sha256 = sha256Of(bytes);
  const arrival = { id: 'large', size: bytes.length, place: await incoming.begin('large') };
  await incoming.append(arrival, 0, Readable.from([bytes]));
  await incoming.settle(arrival, sha256);
  await incoming.discard(arrival);
  expect(sha256Of(Buffer.concat(await (await server.deps.blobs.read(sha256)).toArray()))).toBe(sha256);

  const file = path.join(folder, 'converted');
  const converted = Buffer.concat([bytes, bytes, bytes]);
  await writeFile(file, converted);
  await server.deps.blobs.adopt(sha256Of(converted), file);
  expect(await server.deps.blobs.size(sha256Of(converted))).toBe(converted.length);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  await rm(folder, { recursive: true });
  const left = await swift.client.send(new ListObjectsV2Command({ Bucket: swift.bucket, Prefix: 'uploads/' }));
  expect(left.Contents ?? []).toEqual([]);
});

test('pieces of a copy that a killed process did not finish are removed', async () => {
  const faulty = await startHttpRelay(swift.endpoint);
  onTestFinished(() => faulty.end());
  const s3 = { ...config(), endpoint: faulty.origin };
  const incoming = new S3Incoming(s3, makeClient(s3), server.config.data, 5 * MIB);
  const bytes = randomBytes(6 * MIB);
  const arrival = { id: 'copied', size: bytes.length, place: await incoming.begin('copied') };
  await incoming.append(arrival, 0, Readable.from([bytes]));
  // After its first piece, S3 answers neither the second nor the end.
  faulty.own = { to: /partNumber=2&|^[^?]*blobs[^?]*\?uploadId=/, status: 500 };
  await expect(incoming.settle(arrival, sha256Of(bytes))).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
  faulty.own = undefined;
  await incoming.discard(arrival);
  const copies = async () => {
    const list = new ListMultipartUploadsCommand({ Bucket: swift.bucket, Prefix: 'blobs/' });
    return (await swift.client.send(list)).Uploads ?? [];
  };
  expect(await copies()).toHaveLength(1);
  await server.deps.incoming.giveUpCopies(new Date(Date.now() - DAY_MS));
  expect(await copies()).toHaveLength(1);
  await server.deps.incoming.giveUpCopies(new Date(Date.now() + DAY_MS));
  expect(await copies()).toEqual([]);
});

test('a part that S3 did not take is sent again, although it took later ones', async () => {
  const { relay: faulty, behind } = await startBehindRelay();
  const session = await behind.login();
  const client = tusAt(behind.url, session);
  const bytes = padVideo(clip, 30 * MIB);
  const url = await client.create(bytes.length, VIDEO);
  await client.patch(url, 0, bytes.subarray(0, 3 * MIB));
  faulty.own = { to: /partNumber=2&/, status: 500 };
  expect((await client.patch(url, 3 * MIB, bytes.subarray(3 * MIB, 27 * MIB))).status).toBeGreaterThanOrEqual(500);
  faulty.own = undefined;
  const offset = async () => Number((await client.request('HEAD', url)).headers.get('upload-offset'));
  // In pieces, of which none ends where a part does.
  for (let at = await offset(); at < bytes.length; at = await offset()) {
    expect((await client.patch(url, at, bytes.subarray(at, at + 9 * MIB + 1))).status).toBe(204);
  }
  const { sha256 } = dataOf(await session.calls.files.get({ params: { id: path.basename(url) } }));
  expect(sha256).toBe(sha256Of(bytes));
  expect(sha256Of(Buffer.concat(await (await behind.deps.blobs.read(sha256)).toArray()))).toBe(sha256);
}, 60_000);

// A file system of its own, which only root can mount.
test.runIf(isRoot)('a full disk refuses what passes through it, and the process lives on', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'ams-s3-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder]);
  try {
    const small = await startTestServer({ ...swift.settings, AMS_DATA: folder });
    const client = tusAt(small.url, await small.login());
    const url = await client.create(6 * MIB, VIDEO);
    const bytes = Buffer.concat([clip, Buffer.alloc(6 * MIB - clip.length)]);
    const reply = await client.patch(url, 0, bytes);
    expect([reply.status, (await failureOf(reply)).error]).toEqual([507, 'STORAGE_FULL']);
    expect(await readdir(path.join(folder, 'staging'))).toEqual([]);
    expect((await client.patch(url, 0, bytes.subarray(0, MIB))).headers.get('upload-offset')).toBe(String(MIB));
    expect((await client.request('DELETE', url)).status).toBe(204);
    // Also while the next bytes are waited for.
    const slow = await client.create(6 * MIB, VIDEO);
    execFileSync('fallocate', ['-l', String(statfsSync(folder).bavail * statfsSync(folder).bsize), `${folder}/filler`]);
    const { end, answer } = client.hang(slow, 0, bytes.subarray(0, 20_000));
    expect((await answer).status).toBe(507);
    end();
  } finally {
    execFileSync('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true });
  }
});

test.each([
  [{ S3_BUCKET: 'other' }, 'Setting S3_BUCKET: there is no such bucket'],
  [{ S3_SECRET_ACCESS_KEY: 'wrong' }, /^Setting S3_BUCKET: cannot be opened: check S3_ACCESS_KEY_ID/],
])('settings that cannot work are named: %o', async (wrong, message) => {
  const { blobs } = await openStorage(readConfig({ ...swift.settings, ...wrong }));
  await expect(blobs.check()).rejects.toThrow(message);
});

test('while S3 takes its time to store what was made of a file, nobody waits who renames the file', async () => {
  const { relay: slow, behind } = await startBehindRelay();
  const session = await behind.login();
  const bytes = await noise();
  // Its poster, not the picture itself.
  const { oneWaits, goOn } = hold(slow, new RegExp(`^PUT (?!.*${sha256Of(bytes)}).*blobs`));
  const client = tusAt(behind.url, session);
  const url = await client.create(bytes.length, PICTURE);
  expect((await client.patch(url, 0, bytes)).status).toBe(204);
  await oneWaits();
  const params = { id: path.basename(url) };
  expect(dataOf(await session.calls.files.update({ params, body: { name: 'Renamed' } }))).toMatchObject({
    name: 'Renamed',
    state: 'processing',
  });
  goOn();
  await untilFile(session, params.id, { state: 'ready', name: 'Renamed' });
}, 60_000);

test('while S3 takes its time to store a content, nobody waits who uploads the same', async () => {
  const { relay: slow, behind } = await startBehindRelay();
  const client = tusAt(behind.url, await behind.login());
  const bytes = await noise();
  const [first, second] = [await client.create(bytes.length, PICTURE), await client.create(bytes.length, PICTURE)];
  const { oneWaits, goOn } = hold(slow, new RegExp(`^PUT .*blobs.* .*${path.basename(first)}`));
  const slowly = client.patch(first, 0, bytes);
  await oneWaits();
  expect((await client.patch(second, 0, bytes)).status).toBe(204);
  goOn();
  expect((await slowly).status).toBe(204);
}, 60_000);

test('while S3 takes its time to store an upload, its user can be disabled, and the upload is then refused', async () => {
  const { relay: slow, behind } = await startBehindRelay();
  const root = await behind.login();
  const member = await behind.createUser('member', root);
  const client = tusAt(behind.url, member);
  const bytes = await noise();
  const url = await client.create(bytes.length, PICTURE);
  const { oneWaits, goOn } = hold(slow, /^PUT .*blobs/);
  const sent = client.patch(url, 0, bytes);
  await oneWaits();
  const params = { id: member.user.id };
  dataOf(await root.calls.users.update({ params, body: { disabled: true, remark: 'unpaid' } }));
  goOn();
  const refused = await sent;
  expect([refused.status, (await failureOf(refused)).error]).toEqual([401, 'FORBIDDEN_USER']);
  expect(dataOf(await root.calls.files.list({ query: { owner: member.user.id } })).items).toEqual([]);
}, 60_000);

test('while S3 does not answer, uploads that wait for it leave operators enough connections to the database', async () => {
  const { relay: silent, behind } = await startBehindRelay();
  const session = await behind.login();
  const client = tusAt(behind.url, session);
  const pictures = await Promise.all(Array.from({ length: 12 }, noise));
  const uploads = await Promise.all(
    pictures.map(async (bytes) => ({ bytes, url: await client.create(bytes.length, PICTURE) })),
  );
  const { goOn } = hold(silent, /^PUT .*blobs/);
  const sent = Promise.all(uploads.map(({ url, bytes }) => client.patch(url, 0, bytes)));
  const others = pictures.length - STORING_AT_ONCE;
  await vi.waitFor(() => expect(storingLimit.pendingCount).toBe(others), { timeout: 60_000, interval: 50 });
  for (let time = 0; time < 20; time += 1) dataOf(await session.calls.files.list({ query: {} }));
  goOn();
  for (const { status } of await sent) expect(status).toBe(204);
}, 120_000);

test('while S3 refuses the credentials, as after a change of keys, clients are asked to come again', async () => {
  const { relay: refusing, behind } = await startBehindRelay();
  const client = tusAt(behind.url, await behind.login());
  const url = await client.create(clip.length, VIDEO);
  refusing.own = { to: /./, status: 403 };
  const refused = await client.patch(url, 0, clip);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await client.request('HEAD', url)).status).toBe(503);
  refusing.own = undefined;
  expect((await client.patch(url, 0, clip)).status).toBe(204);
});

test('while S3 is unavailable, calls that need it fail and the rest works', async () => {
  const client = tusAt(server.url, admin);
  const upload = await client.create(clip.length, { ...VIDEO, name: 'later.mp4' });
  await client.patch(upload, 0, clip.subarray(0, 1000));
  await swift.stop();

  for (const reply of [
    await client.request('HEAD', upload),
    await client.patch(upload, 1000, clip.subarray(1000)),
    await fetch(`${server.url}/ready`),
  ]) {
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    if (reply.body && reply.headers.get('content-type')) expect((await failureOf(reply)).error).toBe('UNAVAILABLE');
  }
  expect(dataOf(await admin.calls.files.list({ query: {} })).items.length).toBeGreaterThan(0);
  await leads(film.url);
  expect((await server.login()).token).not.toBe('');

  await swift.start();
  expect((await client.request('HEAD', upload)).headers.get('upload-offset')).toBe('1000');
  const done = await client.patch(upload, 1000, clip.subarray(1000));
  expect([done.status, done.headers.get('file-id')]).toEqual([204, path.basename(upload)]);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
});
