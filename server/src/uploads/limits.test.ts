import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UNFINISHED_UPLOADS_MAX } from '@ams/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFile, failureOf, makeMp4 } from '../../test/media.ts';
import { isRoot } from '../../test/programs.ts';
import { dataOf, type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { metadataOf, tusAt } from '../../test/tus.ts';
import { cleanUploads } from './clean-uploads.ts';

const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };
const MIB = 2 ** 20;

let clip: Buffer;
beforeAll(async () => {
  clip = await makeMp4(41);
});

/** A video with zeros behind it. */
const padded = (bytes: number): Buffer => Buffer.concat([clip, Buffer.alloc(bytes - clip.length)]);

const begin = (server: TestServer, session: Session, size: number, wishes: object = VIDEO): Promise<Response> =>
  tusAt(server.url, session).request('POST', '/api/uploads', {
    'accept-language': 'en',
    'upload-length': String(size),
    'upload-metadata': metadataOf(wishes),
  });

describe('uploads that are begun and never finished', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });

  const rowsOf = async ({ user }: Session): Promise<number> =>
    (await server.deps.db.selectFrom('uploads').select('id').where('uploader_id', '=', user.id).execute()).length;

  test('are limited per user with a clear message, and are removed after a day', async () => {
    const [greedy, other] = [await server.createUser('member'), await server.createUser('member')];
    // Many at once: none slips through between counting and beginning.
    const replies = await Promise.all(
      Array.from({ length: UNFINISHED_UPLOADS_MAX + 20 }, () => begin(server, greedy, 1000)),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(UNFINISHED_UPLOADS_MAX);
    expect(await rowsOf(greedy)).toBe(UNFINISHED_UPLOADS_MAX);
    const refused = await begin(server, greedy, 1000);
    expect(refused.status).toBe(422);
    expect(await failureOf(refused)).toMatchObject({
      error: 'TOO_MANY_UPLOADS',
      message: `You have ${UNFINISHED_UPLOADS_MAX} unfinished uploads. Finish or cancel some, or try again tomorrow.`,
    });
    expect((await begin(server, other, 1000)).status).toBe(201);
    const folder = path.join(server.config.data, 'uploads');
    expect(await readdir(folder)).toHaveLength(UNFINISHED_UPLOADS_MAX + 1);

    // Ending one makes room for one.
    const url = replies.find(({ status }) => status === 201)?.headers.get('location') ?? '';
    expect((await tusAt(server.url, greedy).request('DELETE', url)).status).toBe(204);
    expect((await begin(server, greedy, 1000)).status).toBe(201);

    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await server.deps.db
      .updateTable('uploads')
      .set({ touched_at: yesterday })
      .where('uploader_id', '=', greedy.user.id)
      .execute();
    await cleanUploads(server.deps);
    expect([await rowsOf(greedy), await rowsOf(other)]).toEqual([0, 1]);
    expect(await readdir(folder)).toHaveLength(1);
    expect((await begin(server, greedy, 1000)).status).toBe(201);
  });
});

/** Metadata that lies, and names that deceive. */
describe('metadata of an upload', () => {
  let server: TestServer;
  let member: Session;
  beforeAll(async () => {
    server = await startTestServer();
    member = await server.createUser('member');
  });

  test.each([
    ['121 characters', `${'n'.repeat(117)}.mp4`],
    ['a right-to-left override', 'invoice\u202e4pm.mp4'],
    ['an isolate', 'a\u2067b.mp4'],
    ['a control character', 'a\u0007b.mp4'],
    ['a line break', 'a\nb.mp4'],
    ['a NUL', 'a\0.mp4'],
    ['a path', '../../etc/passwd.mp4'],
  ])('a name with %s is refused', async (_what, name) => {
    const reply = await begin(server, member, 1000, { ...VIDEO, name });
    expect(reply.status).toBe(400);
    expect((await failureOf(reply)).details).toMatchObject({ fields: [{ path: 'name' }] });
  });

  test('a name of 120 characters in any script is kept as it is', async () => {
    for (const name of [`${'广'.repeat(116)}.mp4`, 'إعلان الخريف.mp4', '👩‍👩‍👧 autumn.mp4']) {
      const file = await addFile(server, member, clip, { ...VIDEO, name });
      expect(file.name).toBe(name);
    }
  });

  test('cannot set its creator, content or completion', async () => {
    const other = await server.createUser('member');
    const forged = { uploader: other.user.id, sha256: 'a'.repeat(64), purpose: 'app', id: crypto.randomUUID() };
    const reply = await begin(server, member, clip.length, { ...VIDEO, ...forged });
    const url = reply.headers.get('location') ?? '';
    expect(path.basename(url)).not.toBe(forged.id);
    expect((await tusAt(server.url, other).request('HEAD', url)).status).toBe(404);
    const head = await tusAt(server.url, member).request('HEAD', url);
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '0']);
    const done = await tusAt(server.url, member).patch(url, 0, clip);
    const file = dataOf(await member.calls.files.get({ params: { id: done.headers.get('file-id') ?? '' } }));
    expect([file.owner.id, file.uploadedBy?.id]).toEqual([member.user.id, member.user.id]);
    expect(file.sha256).not.toBe(forged.sha256);
  });

  test.each([
    ['no length', {}],
    ['a length of minus one', { 'upload-length': '-1' }],
    ['a length that is none', { 'upload-length': 'NaN' }],
    ['a length that comes later', { 'upload-defer-length': '1' }],
    ['two of them', { 'upload-length': '5', 'upload-defer-length': '1' }],
    ['metadata that is no Base64', { 'upload-length': '5', 'upload-metadata': 'name ***' }],
  ])('%s is refused', async (_what, headers: Record<string, string>) => {
    const all = { 'upload-metadata': metadataOf(VIDEO), ...headers };
    const reply = await tusAt(server.url, member).request('POST', '/api/uploads', all);
    expect(reply.status).toBe(400);
    await failureOf(reply);
  });

  test('keeps the received bytes if a request sends fewer than announced', async () => {
    const client = tusAt(server.url, member);
    const url = await client.create(clip.length, VIDEO);
    const { end, answer } = client.hang(url, 0, clip.subarray(0, 700), clip.length);
    answer.catch(() => {});
    await expect.poll(async () => (await client.request('HEAD', url)).headers.get('upload-offset')).toBe('700');
    end();
    expect((await client.patch(url, 700, clip.subarray(700))).headers.get('file-id')).toBe(path.basename(url));
  });
});

describe('a disk', () => {
  test('below its reserve takes no upload, and refuses before a byte is sent', async () => {
    const server = await startTestServer({ AMS_DISK_RESERVE_MB: '1000000' });
    const member = await server.createUser('member');
    const reply = await begin(server, member, 1000);
    expect([reply.status, (await failureOf(reply)).message]).toEqual([
      507,
      'Server storage is full. Nothing was saved.',
    ]);
    expect(await readdir(path.join(server.config.data, 'uploads'))).toEqual([]);
    expect(await server.deps.db.selectFrom('uploads').select('id').execute()).toEqual([]);
  });

  test('that falls below its reserve takes no part whose checksum is to be compared', async () => {
    const server = await startTestServer();
    const client = tusAt(server.url, await server.createUser('member'));
    const url = await client.create(clip.length, VIDEO);
    server.config.diskReserveBytes = 1e15;
    const reply = await client.patch(url, 0, clip, { 'upload-checksum': `md5 ${Buffer.alloc(16).toString('base64')}` });
    expect([reply.status, (await failureOf(reply)).error]).toEqual([507, 'STORAGE_FULL']);
    expect(await readdir(path.join(server.config.data, 'staging'))).toEqual([]);
    expect((await client.request('HEAD', url)).status).toBe(404);
  });

  // A file system of its own, which only root can mount.
  describe.runIf(isRoot)('that fills up', () => {
    let folder: string;
    let server: TestServer;
    let member: Session;

    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'ams-small-'));
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder]);
      server = await startTestServer({ AMS_DATA: path.join(folder, 'data'), AMS_DISK_RESERVE_MB: '0' });
      member = await server.createUser('member');
    });
    afterAll(async () => {
      execFileSync('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true, force: true });
    });

    test('in mid-upload refuses that upload, keeps nothing of it, and others continue', async () => {
      const client = tusAt(server.url, member);
      const [small, large] = [await client.create(4 * MIB, VIDEO), await client.create(24 * MIB, VIDEO)];
      const bytes = padded(4 * MIB);
      await client.patch(small, 0, bytes.subarray(0, 2 * MIB));
      // Somebody else fills the disk meanwhile.
      execFileSync('fallocate', ['-l', String(12 * MIB), path.join(folder, 'filler')]);
      const reply = await client.patch(large, 0, padded(24 * MIB), { 'accept-language': 'en' });
      expect([reply.status, (await failureOf(reply)).error]).toEqual([507, 'STORAGE_FULL']);
      expect((await client.request('HEAD', large)).status).toBe(404);
      expect(await readdir(path.join(folder, 'data/uploads'))).toEqual([path.basename(small)]);

      const done = await client.patch(small, 2 * MIB, bytes.subarray(2 * MIB));
      expect(done.headers.get('file-id')).toBe(path.basename(small));
      expect((await begin(server, member, 30 * MIB)).status).toBe(507);
      expect(dataOf(await member.calls.files.list({ query: {} })).items).toHaveLength(1);
      await rm(path.join(folder, 'filler'));
      expect((await begin(server, member, 8 * MIB)).status).toBe(201);
    });
  });
});
