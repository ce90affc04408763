import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { DeleteObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFile, makeMp4, padVideo } from '../../test/media.ts';
import { dataOf, type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { startSwift } from '../../test/swift.ts';
import { type TusClient, tusAt } from '../../test/tus.ts';
import { type RunningServer, startServer } from '../lifecycle.ts';
import { HEAD_BYTES } from '../blobs/purpose.ts';
import { sha256Of } from '../platform/sandbox/unparsable.ts';

const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };
const MIB = 2 ** 20;

const [swift, clip] = await Promise.all([startSwift(), makeMp4()]);
afterAll(() => swift.end());

describe.each(['disk', 's3'] as const)('two server processes on one database, files on %s', (where) => {
  let one: TestServer;
  let two: RunningServer;
  let member: Session;
  let clients: [TusClient, TusClient];

  beforeAll(async () => {
    const settings = where === 's3' ? swift.settings : {};
    one = await startTestServer(settings);
    // Files in S3 need no shared folder.
    const own = where === 's3' ? await mkdtemp(path.join(tmpdir(), 'ams-second-')) : undefined;
    two = await startServer(
      { ...one.config, ...(own && { data: own }) },
      one.connection,
      pino({ level: one.config.logLevel }),
    );
    const address = await two.listen({ port: 0, host: '127.0.0.1' });
    member = await one.createUser('member');
    clients = [tusAt(one.url, member), tusAt(address, member)];
    return async () => {
      await two.stop();
      if (own) await rm(own, { recursive: true, force: true });
    };
  });

  const offsetOf = async (client: TusClient, url: string): Promise<string | null> =>
    (await client.request('HEAD', url)).headers.get('upload-offset');

  /** The storage loses the bytes of an upload that are too few for a part of S3. */
  async function loseAll(id: string): Promise<void> {
    if (where === 'disk') return truncate(path.join(one.config.data, 'uploads', id));
    const rest = { Bucket: swift.bucket, Key: `uploads/${id}.part` };
    await swift.client.send(new DeleteObjectCommand(rest));
  }

  async function expectStored(bytes: Buffer, fileId: string | null): Promise<void> {
    const file = dataOf(await member.calls.files.get({ params: { id: fileId ?? '' } }));
    expect(file).toMatchObject({ sha256: sha256Of(bytes), bytes: bytes.length });
    const stored = await one.deps.blobs.read(file.sha256);
    expect(sha256Of(Buffer.concat(await stored.toArray()))).toBe(file.sha256);
  }

  test('each piece of an upload may arrive at the other process', async () => {
    const bytes = padVideo(clip, 7 * MIB);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    // Smaller and larger than what S3 takes as a part; the first ones are too short to be judged.
    const ends = [5, 10, 65_536, 6 * MIB, 6 * MIB + 1, bytes.length];
    let offset = 0;
    let last: Response | undefined;
    for (const [index, end] of ends.entries()) {
      last = await (index % 2 ? a : b).patch(url, offset, bytes.subarray(offset, end));
      expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(end)]);
      offset = end;
    }
    await expectStored(bytes, last?.headers.get('file-id') ?? null);
    expect((await b.request('HEAD', url)).headers.get('file-id')).toBe(path.basename(url));
    expect(await one.deps.incoming.abandoned(new Date(Date.now() + 1000))).toEqual([]);
  });

  test('a stalled connection at one ends when its client connects to the other', async () => {
    const bytes = padVideo(clip, 100_000);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    await a.patch(url, 0, bytes.subarray(0, 1000));
    const { answer } = a.hang(url, 1000, bytes.subarray(1000, 50_000));
    await expect.poll(() => locked(url)).toBe(true);
    await expect.poll(() => offsetOf(b, url)).toBe('50000');
    expect((await answer).headers.get('upload-offset')).toBe('50000');
    const rest = await b.patch(url, 50_000, bytes.subarray(50_000));
    await expectStored(bytes, rest.headers.get('file-id'));
  });

  const locked = async (url: string): Promise<boolean> => {
    const lock = await one.deps.db
      .selectFrom('upload_locks')
      .select('id')
      .where('id', '=', path.basename(url))
      .executeTakeFirst();
    return lock !== undefined;
  };

  test('a process that stops keeps the received bytes, and the other one continues', async () => {
    const bytes = padVideo(clip, 100_000);
    const [a] = clients;
    const url = await a.create(bytes.length, VIDEO);
    const third = await startServer(one.config, one.connection, pino({ level: 'warn' }));
    const leaving = tusAt(await third.listen({ port: 0, host: '127.0.0.1' }), member);
    const { answer } = leaving.hang(url, 0, bytes.subarray(0, 40_000));
    answer.catch(() => {});
    await expect.poll(() => locked(url)).toBe(true);
    await third.stop();
    const row = await one.deps.db
      .selectFrom('uploads')
      .select(['hashed'])
      .where('id', '=', path.basename(url))
      .executeTakeFirstOrThrow();
    expect(await offsetOf(a, url)).toBe(String(row.hashed));
    expect(await locked(url)).toBe(false);
    await expectStored(bytes, (await a.patch(url, row.hashed, bytes.subarray(row.hashed))).headers.get('file-id'));
  });

  test('an upload interrupted in the middle of its announced bytes resumes', async () => {
    const bytes = padVideo(clip, 100_000);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    await a.patch(url, 0, bytes.subarray(0, 65_536));
    const { end, answer } = a.hang(url, 65_536, bytes.subarray(65_536, 90_000), bytes.length - 65_536);
    await expect.poll(() => locked(url)).toBe(true);
    end();
    await expect(answer).rejects.toThrow('aborted');
    await expect.poll(() => offsetOf(b, url)).toBe('90000');
    await b.patch(url, 90_000, bytes.subarray(90_000, 90_001));
    const last = await a.patch(url, 90_001, bytes.subarray(90_001));
    await expectStored(bytes, last.headers.get('file-id'));
  });

  test('two parallel clients store the same bytes as one after the other', async () => {
    const bytes = padVideo(clip, 300_000);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    const half = Math.floor(bytes.length / 2);
    const replies = await Promise.all([a, b, a, b].map((client) => client.patch(url, 0, bytes.subarray(0, half))));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409, 409, 409]);
    const ends = await Promise.all([a, b].map((client) => client.patch(url, half, bytes.subarray(half))));
    const done = ends.filter(({ status }) => status === 204);
    expect(done.length).toBeGreaterThan(0);
    await expectStored(bytes, done[0]?.headers.get('file-id') ?? null);
    const files = await one.deps.db.selectFrom('files').select('id').where('sha256', '=', sha256Of(bytes)).execute();
    expect(files).toHaveLength(1);
  });

  test('an offset in the past or the future is refused and changes nothing', async () => {
    const bytes = padVideo(clip, 1000);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    await a.patch(url, 0, bytes.subarray(0, 100));
    for (const offset of [0, 99, 101, bytes.length, 10 ** 12]) {
      expect((await b.patch(url, offset, bytes.subarray(0, 10))).status).toBeGreaterThanOrEqual(409);
    }
    expect((await b.patch(url, -1, bytes.subarray(0, 10))).status).toBe(400);
    expect(await offsetOf(b, url)).toBe('100');
    await expectStored(bytes, (await b.patch(url, 100, bytes.subarray(100))).headers.get('file-id'));
  });

  test('a process that died while writing blocks nobody', async () => {
    const bytes = padVideo(clip, 2000);
    const [a] = clients;
    const url = await a.create(bytes.length, VIDEO);
    const lock = { id: path.basename(url), holder: randomUUID(), process: randomUUID() };
    await one.deps.db.insertInto('upload_locks').values(lock).execute();
    await expectStored(bytes, (await a.patch(url, 0, bytes)).headers.get('file-id'));
  });

  test('identical content of two users is stored once, and neither learns of it', async () => {
    const other = await one.createUser('member');
    const bytes = padVideo(clip, 500);
    const first = await addFile(one, member, bytes, VIDEO);
    const before = await one.deps.db.selectFrom('blobs').selectAll().where('sha256', '=', first.sha256).execute();
    const second = await addFile({ url: one.url }, other, bytes, { ...VIDEO, name: 'other.mp4' });
    expect([second.sha256, second.state]).toEqual([first.sha256, 'ready']);
    expect(second).toMatchObject({
      owner: { id: other.user.id },
      name: 'other.mp4',
      uploadedBy: { id: other.user.id },
    });
    expect(dataOf(await other.calls.files.list({ query: {} })).items).toHaveLength(1);
    const after = await one.deps.db.selectFrom('blobs').selectAll().where('sha256', '=', first.sha256).execute();
    expect(after).toEqual(before);
  });

  test('the first bytes are recorded before they are stored, so that the other process can check them', async () => {
    const bytes = padVideo(clip, 3000);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    const { end, answer } = a.hang(url, 0, bytes.subarray(0, 100));
    await expect.poll(() => noted(url)).toEqual(bytes.subarray(0, HEAD_BYTES));
    end();
    await expect(answer).rejects.toThrow('aborted');
    const stored = Number(await offsetOf(b, url));
    await expectStored(bytes, (await b.patch(url, stored, bytes.subarray(stored))).headers.get('file-id'));
  });

  const noted = async (url: string): Promise<Buffer> => {
    const id = path.basename(url);
    const row = await one.deps.db.selectFrom('uploads').select('head').where('id', '=', id).executeTakeFirstOrThrow();
    return row.head;
  };

  test('an upload whose process was killed before it stored the hash is still hashed', async () => {
    const bytes = padVideo(clip, 3000);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    await a.patch(url, 0, bytes.subarray(0, 2000));
    const lost = { hashed: 0, hash_state: null };
    await one.deps.db.updateTable('uploads').set(lost).where('id', '=', path.basename(url)).execute();
    await b.patch(url, 2000, bytes.subarray(2000, 2500));
    await expectStored(bytes, (await a.patch(url, 2500, bytes.subarray(2500))).headers.get('file-id'));
  });

  test.each([
    ['HEAD', (client: TusClient, url: string) => client.request('HEAD', url)],
    ['an empty PATCH', (client: TusClient, url: string, all: number) => client.patch(url, all, Buffer.alloc(0))],
  ])('an upload whose process was killed before it noted the last bytes is kept by %s', async (_what, ask) => {
    const bytes = padVideo(clip, 3000);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    await a.patch(url, 0, bytes.subarray(0, 2000));
    const id = path.basename(url);
    const { size, place } = await one.deps.db
      .selectFrom('uploads')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await one.deps.incoming.append({ id, size, place }, 2000, Readable.from([bytes.subarray(2000)]));
    const reply = await ask(b, url, bytes.length);
    expect([reply.headers.get('upload-offset'), reply.headers.get('file-id')]).toEqual([String(bytes.length), id]);
    await expectStored(bytes, id);
  });

  test('bytes that the storage lost may come again as others', async () => {
    const bytes = padVideo(clip, 4000);
    const others = Buffer.from(bytes);
    others.fill(1, 3000);
    const [a, b] = clients;
    const url = await a.create(bytes.length, VIDEO);
    await a.patch(url, 0, bytes.subarray(0, 3500));
    await loseAll(path.basename(url));
    expect(await offsetOf(b, url)).toBe('0');
    await b.patch(url, 0, others.subarray(0, 2000));
    await a.patch(url, 2000, others.subarray(2000, 3500));
    await expectStored(others, (await b.patch(url, 3500, others.subarray(3500))).headers.get('file-id'));
  });

  test('completed and ended uploads leave nothing behind', async () => {
    const [a, b] = clients;
    const url = await a.create(5000, VIDEO);
    await a.patch(url, 0, clip.subarray(0, 1000));
    expect((await b.request('DELETE', url)).status).toBe(204);
    expect((await a.request('HEAD', url)).status).toBe(404);
    expect(await one.deps.incoming.abandoned(new Date(Date.now() + 1000))).toEqual([]);
    expect(await one.deps.db.selectFrom('upload_locks').select('id').execute()).toEqual([]);
    if (where === 'disk') return;
    const list = { Bucket: swift.bucket, Prefix: 'uploads/' };
    expect((await swift.client.send(new ListObjectsV2Command(list))).Contents ?? []).toEqual([]);
    expect((await swift.client.send(new ListMultipartUploadsCommand(list))).Uploads ?? []).toEqual([]);
  });
});
