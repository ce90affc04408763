import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '@ams/contract';
import { pino } from 'pino';
import sharp from 'sharp';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { dataOf, type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { failureOf, makeMp4, upload } from '../../test/media.ts';
import { collidingOnce } from '../../test/meanwhile.ts';
import { metadataOf, tusAt, uploadInHalves } from '../../test/tus.ts';
import { startServer } from '../lifecycle.ts';
import { CrashError } from '../platform/sandbox/limits.ts';
import { cleanUploads } from './clean-uploads.ts';

const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };
const PICTURE = { name: 'picture.png', orientation: 'vertical', kind: 1 };

let server: TestServer;
let member: Session;
let video: Buffer;

beforeAll(async () => {
  server = await startTestServer({ AMS_MAX_IMAGE_MB: '1' });
  member = await server.createUser('member');
  video = await makeMp4();
});

const makePng = (width = 90, height = 160): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();

/** One tus request as `member`. */
const tus = (method: string, url: string, headers: Record<string, string> = {}, body?: Buffer, who = member) =>
  tusAt(server.url, who).request(method, url, headers, body);

const create = (bytes: Buffer, wishes: object = VIDEO): Promise<string> =>
  tusAt(server.url, member).create(bytes.length, wishes);

const patch = (url: string, offset: number, body: Buffer, headers: Record<string, string> = {}) =>
  tusAt(server.url, member).patch(url, offset, body, headers);

const unfinished = (): Promise<string[]> => readdir(path.join(server.config.data, 'uploads'));

/** No picture can be looked at when its upload ends; files that are there already are examined as usual. */
function makeParsersBusy(error: Error = new AppError('UNAVAILABLE')) {
  const { sandbox } = server.deps;
  const run = sandbox.run.bind(sandbox);
  return vi.spyOn(sandbox, 'run').mockImplementation(async (task, input, options) => {
    if (task === 'pictureFacts') throw error;
    return run(task, input, options);
  });
}

describe('an upload', () => {
  test('becomes a file of its creator', async () => {
    const answer = await upload(server, member, video, VIDEO);
    expect(answer).toMatchObject({ kind: 'done', fileId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    if (answer.kind !== 'done') return;
    const file = dataOf(await member.calls.files.get({ params: { id: answer.fileId } }));
    expect(file).toMatchObject({ name: 'clip.mp4', orientation: 'vertical', kind: 2, bytes: video.length });
    expect(file.owner.id).toBe(member.user.id);
    expect(file.uploadedBy?.id).toBe(member.user.id);
    expect(await unfinished()).toEqual([]);
  });

  test('has a path as its address, whatever proxy is in front', async () => {
    expect(await create(video)).toMatch(/^\/api\/uploads\/[0-9a-f-]{36}$/);
  });

  test('resumes where it was interrupted', async () => {
    const url = await create(video);
    const first = await patch(url, 0, video.subarray(0, 1000));
    expect(first.status).toBe(204);
    expect(first.headers.get('upload-offset')).toBe('1000');
    expect(first.headers.get('file-id')).toBeNull();
    const head = await tus('HEAD', url);
    expect(head.headers.get('upload-offset')).toBe('1000');
    expect(head.headers.get('upload-length')).toBe(String(video.length));
    const answer = await upload(server, member, video, VIDEO, { uploadUrl: `${server.url}${url}` });
    expect(answer.kind).toBe('done');
  });

  test('keeps the bytes that arrived before the connection broke', async () => {
    const url = await create(video);
    const { end, answer } = tusAt(server.url, member).hang(url, 0, video.subarray(0, 5000));
    const stored = path.join(server.config.data, url.replace('/api', ''));
    await expect.poll(async () => (await stat(stored)).size).toBe(5000);
    end();
    await expect(answer).rejects.toThrow('aborted');
    await expect.poll(async () => (await tus('HEAD', url)).headers.get('upload-offset')).toBe('5000');
    const rest = await patch(url, 5000, video.subarray(5000));
    expect(rest.headers.get('file-id')).toBe(path.basename(url));
  });

  test('continues after a restart of the server', async () => {
    const url = await create(video);
    await patch(url, 0, video.subarray(0, 20));
    const { listen, stop } = await startServer(server.config, server.connection, pino({ level: 'warn' }));
    const address = await listen({ port: 0, host: '127.0.0.1' });
    const answer = await upload(server, member, video, VIDEO, { uploadUrl: `${address}${url}` });
    expect(answer).toMatchObject({ kind: 'done', fileId: path.basename(url) });
    await stop();
  });

  test('that is complete repeats its answer to a client that missed it', async () => {
    const url = await create(video);
    await patch(url, 0, video);
    const head = await tus('HEAD', url);
    expect(head.status).toBe(200);
    expect(head.headers.get('upload-offset')).toBe(String(video.length));
    expect(head.headers.get('file-id')).toBe(path.basename(url));
    const again = await patch(url, video.length, Buffer.alloc(0));
    expect([again.status, again.headers.get('file-id')]).toEqual([204, path.basename(url)]);
    expect((await patch(url, 3, video.subarray(3))).status).toBe(409);
  });

  test.each(['HEAD', 'PATCH'] as const)(
    'that is kept while a %s waits for it is kept for that one, too',
    async (method) => {
      const { events, incoming } = server.deps;
      const bytes = await makeMp4(method === 'HEAD' ? 12 : 13);
      const url = await create(bytes);
      const waits = Promise.withResolvers<void>();
      onTestFinished(events.on('upload', () => waits.resolve()));
      const append = incoming.append.bind(incoming);
      const spy = vi.spyOn(incoming, 'append').mockImplementationOnce(async (...part) => {
        await waits.promise;
        return append(...part);
      });
      const first = patch(url, 0, bytes);
      await vi.waitFor(() => expect(spy).toHaveBeenCalled(), { interval: 5 });
      const later = await (method === 'HEAD' ? tus('HEAD', url) : patch(url, 0, bytes));
      spy.mockRestore();
      expect((await first).headers.get('file-id')).toBe(path.basename(url));
      expect(later.status).toBe(method === 'HEAD' ? 200 : 409);
      const head = await tus('HEAD', url);
      expect(head.headers.get('file-id')).toBe(path.basename(url));
    },
  );

  test('whose completion failed becomes one file at the next attempt', async () => {
    const bytes = await makeMp4(11);
    const url = await create(bytes);
    const { blobs, db } = server.deps;
    const adopt = blobs.adopt.bind(blobs);
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const spy = vi.spyOn(blobs, 'adopt');
    // The bytes are in their place, yet the row is not.
    spy.mockImplementationOnce(async (sha256, file) => {
      await adopt(sha256, file);
      throw full;
    });
    const reply = await patch(url, 0, bytes);
    expect([reply.status, (await failureOf(reply)).error]).toEqual([507, 'STORAGE_FULL']);
    const head = await tus('HEAD', url);
    expect([head.status, head.headers.get('file-id')]).toEqual([200, path.basename(url)]);
    expect(await db.selectFrom('files').select('id').where('id', '=', path.basename(url)).execute()).toHaveLength(1);
    expect(await unfinished()).not.toContain(path.basename(url));
    spy.mockRestore();
  });

  test('that collides with another transaction after its bytes were moved becomes a file at the first attempt', async () => {
    const send = () => upload(server, member, video, VIDEO);
    expect(await collidingOnce(server.deps.db, 'files', send)).toMatchObject({ kind: 'done' });
  });

  test('whose bytes are still coming after a day is not removed', async () => {
    const slow = await server.createUser('member');
    const sendRest = await uploadInHalves(server, slow, video, VIDEO);
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    const { db } = server.deps;
    await db.updateTable('uploads').set({ touched_at: yesterday }).where('uploader_id', '=', slow.user.id).execute();
    await cleanUploads(server.deps);
    const reply = await sendRest();
    expect([reply.status, reply.headers.get('file-id')]).toEqual([204, expect.any(String)]);
  });

  test('that is complete while all parsers are busy is kept for the next attempt', async () => {
    const picture = await makePng();
    const url = await create(picture, PICTURE);
    const spy = makeParsersBusy();
    const reply = await patch(url, 0, picture);
    expect([reply.status, (await failureOf(reply)).error]).toEqual([503, 'UNAVAILABLE']);
    spy.mockRestore();
    const head = await tus('HEAD', url);
    expect([head.status, head.headers.get('file-id')]).toEqual([200, path.basename(url)]);
    expect(await unfinished()).not.toContain(path.basename(url));
  });

  test('whose creation brings all of it while all parsers are busy leaves nothing behind', async () => {
    const picture = await makePng();
    const spy = makeParsersBusy();
    const before = await unfinished();
    const headers = { 'upload-length': String(picture.length), 'upload-metadata': metadataOf(PICTURE) };
    expect((await tus('POST', '/api/uploads', headers, picture)).status).toBe(503);
    spy.mockRestore();
    expect(await unfinished()).toEqual(before);
  });

  test('whose creation brings all of it leaves nothing behind if its parser is killed', async () => {
    const picture = await makePng();
    const spy = makeParsersBusy(new CrashError('pictureFacts', null, 'SIGKILL', ''));
    const headers = { 'upload-length': String(picture.length), 'upload-metadata': metadataOf(PICTURE) };
    const before = await unfinished();
    expect((await tus('POST', '/api/uploads', headers, picture)).status).toBe(503);
    spy.mockRestore();
    expect(await unfinished()).toEqual(before);
  });

  test('that nobody continues for a day is removed', async () => {
    const [old, young] = [await create(video), await create(video)];
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    const { db } = server.deps;
    await db.updateTable('uploads').set({ touched_at: yesterday }).where('id', '=', path.basename(old)).execute();
    await cleanUploads(server.deps);
    expect([(await tus('HEAD', old)).status, (await tus('HEAD', young)).status]).toEqual([404, 200]);
  });

  test('that nobody continues is removed although another one cannot be, and so is what was staged', async () => {
    const { db, config } = server.deps;
    const urls = [await create(video), await create(video)];
    const [stuck = '', other = ''] = urls.map((url) => path.basename(url));
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await db.updateTable('uploads').set({ touched_at: yesterday }).where('id', 'in', [stuck, other]).execute();
    const staged = path.join(config.data, 'staging', 'left');
    await mkdir(path.dirname(staged), { recursive: true });
    await writeFile(staged, '');
    await utimes(staged, yesterday, yesterday);
    // No file can be removed at this place.
    const place = path.join(config.data, 'uploads', stuck);
    await rm(place);
    await mkdir(place);
    await expect(cleanUploads(server.deps)).rejects.toThrow(stuck);
    expect([(await unfinished()).includes(other), existsSync(staged)]).toEqual([false, false]);
    await rm(place, { recursive: true });
    await cleanUploads(server.deps);
    expect((await tus('HEAD', urls[0] ?? '')).status).toBe(404);
  });

  test('does not expire by the clock of one server alone', async () => {
    const url = await create(video);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 50 * 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    await cleanUploads(server.deps);
    const reply = await patch(url, 0, video);
    expect([reply.status, reply.headers.get('file-id')]).toEqual([204, path.basename(url)]);
  });

  test('in one request with its creation', async () => {
    const reply = await tus(
      'POST',
      '/api/uploads',
      { 'upload-length': String(video.length), 'upload-metadata': metadataOf(VIDEO) },
      video,
    );
    expect(reply.status).toBe(201);
    expect(reply.headers.get('file-id')).toBe(path.basename(reply.headers.get('location') ?? ''));
  });

  test('of the same content by two people is stored and examined once', async () => {
    const other = await server.createUser('member');
    const bytes = await makeMp4(7);
    const answers = await Promise.all([upload(server, member, bytes, VIDEO), upload(server, other, bytes, VIDEO)]);
    expect(answers.map(({ kind }) => kind)).toEqual(['done', 'done']);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { db } = server.deps;
    expect(await db.selectFrom('blobs').select('bytes').where('sha256', '=', sha256).execute()).toHaveLength(1);
    expect(await db.selectFrom('files').select('id').where('sha256', '=', sha256).execute()).toHaveLength(2);
  });

  test('is removed when its creator ends it', async () => {
    const url = await create(video);
    expect((await tus('DELETE', url)).status).toBe(204);
    expect((await tus('HEAD', url)).status).toBe(404);
  });

  test('that its creator ends while its last bytes arrive is either ended or kept', async () => {
    const { db, events } = server.deps;
    const asked: string[] = [];
    onTestFinished(events.on('upload', ({ ids }) => asked.push(...ids)));
    for (let round = 0; round < 5; round += 1) {
      const finish = await uploadInHalves(server, member, await makeMp4(20 + round), VIDEO);
      const { id } = await db
        .selectFrom('uploads')
        .select('id')
        .where('uploader_id', '=', member.user.id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      const ended = tus('DELETE', `/api/uploads/${id}`);
      // It waits for the request that sends the bytes, which has to end soon.
      await vi.waitFor(() => expect(asked).toContain(id), { interval: 5 });
      const [last, { status }] = await Promise.all([finish(), ended]);
      const kept = await member.calls.files.get({ params: { id } });
      expect([status, last.headers.get('file-id'), kept.code]).toEqual(
        status === 204 ? [204, null, 404] : [404, id, 200],
      );
    }
  });

  test('of a leading user may belong to a user below', async () => {
    const admin = await server.login();
    const answer = await upload(server, admin, await makePng(), { ...PICTURE, owner: member.user.id });
    if (answer.kind !== 'done') throw new Error(answer.body.message);
    const file = dataOf(await member.calls.files.get({ params: { id: answer.fileId } }));
    expect([file.owner.id, file.uploadedBy?.id]).toEqual([member.user.id, admin.user.id]);
  });

  test('in pieces of a few bytes is checked as soon as possible', async () => {
    const url = await create(video);
    for (const [index, byte] of [...video.subarray(0, 20)].entries()) {
      expect((await patch(url, index, Buffer.from([byte]))).status).toBe(204);
    }
    const bad = await create(Buffer.alloc(1000));
    for (let offset = 0; offset < 15; offset += 5) expect((await patch(bad, offset, Buffer.alloc(5))).status).toBe(204);
    expect((await patch(bad, 15, Buffer.alloc(5))).status).toBe(415);
  });

  test('is checked by the checksums of its pieces', async () => {
    const url = await create(video);
    const piece = video.subarray(0, 500);
    const checksum = (bytes: Buffer) => ({
      'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
    });
    const damaged = await patch(url, 0, piece, checksum(video.subarray(1, 501)));
    expect(damaged.status).toBe(460);
    expect((await tus('HEAD', url)).headers.get('upload-offset')).toBe('0');
    expect((await patch(url, 0, piece, checksum(piece))).status).toBe(204);
    expect((await patch(url, 500, video.subarray(500))).headers.get('file-id')).toBe(path.basename(url));
  });
});

describe('refused', () => {
  const refusal = async (bytes: Buffer, wishes: Parameters<typeof upload>[3], who = member) => {
    const answer = await upload(server, who, bytes, wishes, { headers: { 'accept-language': 'en' } });
    if (answer.kind === 'done') throw new Error('was taken');
    expect(answer.body.code).toBe(answer.status);
    return answer;
  };

  test('text under the name of a video, on the PATCH that shows it', async () => {
    const text = Buffer.from('<html>hello</html>'.repeat(500));
    const url = await create(text);
    const reply = await patch(url, 0, text.subarray(0, 100));
    expect(reply.status).toBe(415);
    expect(await reply.json()).toEqual({
      code: 415,
      error: 'UNSUPPORTED_FORMAT',
      message: 'Please upload files in mp4, m4v, mov, webm, mkv format',
      details: { t: 'mp4, m4v, mov, webm, mkv' },
    });
    expect((await tus('HEAD', url)).status).toBe(404);
  });

  test('a picture under the name of a video, and the other way round', async () => {
    expect((await refusal(await makePng(), VIDEO)).status).toBe(415);
    expect((await refusal(video, PICTURE)).status).toBe(415);
  });

  test('a format that is not on the list', async () => {
    const answer = await refusal(video, { ...VIDEO, name: 'clip.avi' });
    expect(answer.body).toMatchObject({ code: 415, details: { t: 'mp4, m4v, mov, webm, mkv' } });
    expect((await refusal(video, { ...VIDEO, name: 'clip' })).status).toBe(415);
  });

  test('names with special symbols, without a name, kinds that do not exist', async () => {
    const symbols = await refusal(video, { ...VIDEO, name: 'a:b.mp4' });
    expect(symbols.body).toMatchObject({
      code: 400,
      error: 'INVALID',
      details: {
        fields: [{ path: 'name', rule: 'file.nameSymbols', message: 'File names cannot have special symbols' }],
      },
    });
    expect((await refusal(video, { ...VIDEO, name: '' })).status).toBe(400);
    expect((await refusal(video, { ...VIDEO, orientation: 'horizontal', kind: 5 })).body).toMatchObject({
      details: { fields: [{ path: 'kind', rule: 'file.kind' }] },
    });
    expect((await refusal(video, { ...VIDEO, orientation: 'diagonal' })).status).toBe(400);
  });

  test('in the language of the reader', async () => {
    const answer = await upload(
      server,
      member,
      video,
      { ...VIDEO, name: 'a?.mp4' },
      { headers: { 'accept-language': 'zh-CN' } },
    );
    expect(answer).toMatchObject({
      body: { details: { fields: [{ message: expect.stringMatching(/[\u4e00-\u9fff]/) }] } },
    });
  });

  test('more bytes than allowed, before they are sent', async () => {
    const answer = await refusal(Buffer.alloc(2 ** 20 + 1), PICTURE);
    expect(answer.body).toMatchObject({ code: 413, error: 'TOO_LARGE', details: { limit: '1 MB' } });
    const huge = await tus('POST', '/api/uploads', {
      'upload-length': String(2 ** 31 + 1),
      'upload-metadata': metadataOf(VIDEO),
    });
    expect([huge.status, (await failureOf(huge)).details]).toEqual([413, { limit: '2 GB' }]);
  });

  test('more bytes than announced', async () => {
    const url = await create(video.subarray(0, 100));
    const reply = await patch(url, 0, video);
    expect([reply.status, await failureOf(reply)]).toMatchObject([
      413,
      { code: 413, message: 'Too large. The limit is 100 B.', details: { limit: '100 B' } },
    ]);
  });

  test('more bytes than the upload has left, as soon as they arrive and before their checksum is known', async () => {
    const url = await create(video);
    await patch(url, 0, video.subarray(0, 500));
    const checksum = { 'upload-checksum': `md5 ${Buffer.alloc(16).toString('base64')}` };
    const { end, answer } = tusAt(server.url, member).hang(url, 500, video, undefined, checksum);
    expect((await answer).status).toBe(413);
    end();
    expect(await readdir(path.join(server.config.data, 'staging'))).toEqual([]);
    expect((await patch(url, 500, video.subarray(500))).headers.get('file-id')).toBe(path.basename(url));
  });

  test('an empty file', async () => {
    const reply = await tus('POST', '/api/uploads', { 'upload-length': '0', 'upload-metadata': metadataOf(VIDEO) });
    expect(reply.status).toBe(415);
  });

  test('a picture of more than 40 megapixels', async () => {
    const large = await sharp({ create: { width: 8000, height: 5001, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const answer = await refusal(large, PICTURE);
    expect(answer.body).toMatchObject({ code: 422, error: 'TOO_MANY_PIXELS', details: { megapixels: 40 } });
  });

  test('for an owner outside the scope', async () => {
    const other = await server.createUser('member');
    expect((await refusal(video, { ...VIDEO, owner: other.user.id })).status).toBe(404);
  });

  test('without a session, and uploads of somebody else', async () => {
    const nobody = { ...member, token: 'nobody' };
    const reply = await tus('POST', '/api/uploads', { 'upload-length': '5' }, undefined, nobody);
    expect([reply.status, (await failureOf(reply)).error]).toEqual([401, 'UNAUTHENTICATED']);
    const url = await create(video);
    const other = await server.createUser('leading');
    for (const method of ['HEAD', 'DELETE']) expect((await tus(method, url, {}, undefined, other)).status).toBe(404);
    const foreign = await tus('PATCH', url, { 'upload-offset': '0' }, video, other);
    expect(foreign.status).toBe(404);
    expect((await tus('HEAD', url)).status).toBe(200);
  });

  test('malformed ids', async () => {
    for (const id of ['x', '..%2f..%2fetc', crypto.randomUUID()]) {
      expect((await tus('HEAD', `/api/uploads/${id}`)).status).toBe(404);
    }
  });

  test('a request of another version of tus, with the reason', async () => {
    const reply = await tus('POST', '/api/uploads', {
      'tus-resumable': '0.2.0',
      'upload-length': '5',
      'upload-metadata': metadataOf(VIDEO),
    });
    expect(reply.headers.get('tus-version')).toBe('1.0.0');
    expect(await reply.json()).toMatchObject({ code: 412, message: expect.stringMatching(/version/) as unknown });
  });
});

test("the server's options can be read without a session", async () => {
  const reply = await fetch(`${server.url}/api/uploads`, { method: 'OPTIONS' });
  expect(reply.status).toBe(204);
  expect(reply.headers.get('tus-extension')).toBe('creation,creation-with-upload,termination,expiration,checksum');
  expect(reply.headers.get('tus-checksum-algorithm')).toContain('sha256');
});

test('every response names the caller', async () => {
  const reply = await tus('HEAD', await create(video));
  expect(reply.headers.get('role')).toBe('member');
  expect(JSON.parse(decodeURIComponent(reply.headers.get('current') ?? ''))).toMatchObject({ id: member.user.id });
});
