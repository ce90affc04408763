import path from 'node:path';
import type { MediaFile } from '@ams/contract';
import sharp from 'sharp';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf, makeMedia, makeMp4, padVideo, testPattern } from '../../test/media.ts';
import { dataOf, type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { startSwift } from '../../test/swift.ts';
import { metadataOf, type TusClient, tusAt } from '../../test/tus.ts';
import { sendByUppy } from '../../test/uppy.mjs';
import { sha256Of } from '../platform/sandbox/unparsable.ts';

const MIB = 2 ** 20;

const [swift, clip] = await Promise.all([startSwift(), makeMp4()]);
afterAll(() => swift.end());

describe.each(['disk', 's3'] as const)('clients in their default settings, files on %s', (where) => {
  let server: TestServer;
  let member: Session;
  let endpoint: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    server = await startTestServer(where === 's3' ? swift.settings : {});
    member = await server.createUser('member');
    endpoint = `${server.url}/api/uploads`;
    headers = { authorization: `Bearer ${member.token}` };
  });

  /** Sends by tus-js-client; resolves with the id of the upload. */
  function send(bytes: Buffer, options: Partial<UploadOptions>): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const upload = new Upload(bytes, {
      endpoint,
      headers,
      onSuccess: () => resolve(path.basename(upload.url ?? '')),
      onError: reject,
      ...options,
    });
    upload.start();
    return promise;
  }

  const fileOf = async (id: string): Promise<MediaFile> => dataOf(await member.calls.files.get({ params: { id } }));

  async function expectStored(id: string, bytes: Buffer): Promise<void> {
    expect(await fileOf(id)).toMatchObject({
      id,
      media: 'video',
      kind: 2,
      bytes: bytes.length,
      sha256: sha256Of(bytes),
    });
  }

  test('tus-js-client with the metadata of its documentation', async () => {
    const bytes = padVideo(clip, MIB);
    await expectStored(await send(bytes, { metadata: { filename: 'clip.mp4', filetype: 'video/mp4' } }), bytes);
  });

  test('tus-js-client in chunks, and with an overridden method', async () => {
    const bytes = padVideo(clip, 7 * MIB);
    const metadata = { filename: 'clip.mp4', filetype: 'video/mp4' };
    const id = await send(bytes, { metadata, chunkSize: 6 * MIB, overridePatchMethod: true });
    await expectStored(id, bytes);
  });

  test('tus-js-client with data during the creation', async () => {
    const bytes = padVideo(clip, 100_000);
    const metadata = { filename: 'clip.mp4', filetype: 'video/mp4' };
    await expectStored(await send(bytes, { metadata, uploadDataDuringCreation: true }), bytes);
  });

  test('tus-js-client resumes an upload that it aborted', async () => {
    const bytes = padVideo(clip, 3 * MIB);
    const metadata = { filename: 'clip.mp4', filetype: 'video/mp4' };
    const { promise: url, resolve } = Promise.withResolvers<string>();
    const first = new Upload(bytes, {
      ...{ endpoint, headers, metadata, chunkSize: MIB },
      onChunkComplete: () => void first.abort().then(() => resolve(first.url ?? '')),
    });
    first.start();
    await expectStored(await send(bytes, { uploadUrl: await url }), bytes);
  });

  test('tus-js-client ends an upload', async () => {
    const url = `${server.url}${await tusAt(server.url, member).create(clip.length, { name: 'clip.mp4' })}`;
    await Upload.terminate(url, { headers });
    expect((await fetch(url, { method: 'HEAD', headers: { ...headers, 'tus-resumable': '1.0.0' } })).status).toBe(404);
  });

  test('Uppy with the metadata that it adds', async () => {
    const bytes = padVideo(clip, MIB);
    const url = await sendByUppy(endpoint, headers, 'clip.mp4', 'video/mp4', bytes);
    await expectStored(path.basename(url), bytes);
  });
});

describe('the protocol', () => {
  let server: TestServer;
  let member: Session;
  let client: TusClient;
  const VIDEO = { name: 'clip.mp4', orientation: 'vertical', kind: 2 };

  beforeAll(async () => {
    server = await startTestServer();
    member = await server.createUser('member');
    client = tusAt(server.url, member);
  });

  const creation = () => ({ 'upload-length': String(clip.length), 'upload-metadata': metadataOf(VIDEO) });

  test.each([
    ['another version', '0.2.2'],
    ['several', '1.0.0, 0.2.2'],
    ['none', ''],
  ])('a request with %s is refused with the supported version', async (_what, version) => {
    const url = await client.create(clip.length, VIDEO);
    for (const [method, address] of [
      ['POST', '/api/uploads'],
      ['HEAD', url],
      ['PATCH', url],
      ['DELETE', url],
    ] as const) {
      const reply = await client.request(method, address, { ...creation(), 'tus-resumable': version });
      expect([method, reply.status, reply.headers.get('tus-version')]).toEqual([method, 412, '1.0.0']);
    }
    expect((await client.request('HEAD', url)).status).toBe(200);
  });

  test.each([
    ['a length that comes later', { 'upload-defer-length': '1' }],
    ['a part of a concatenation', { 'upload-concat': 'partial' }],
    ['the end of a concatenation', { 'upload-concat': 'final;/api/uploads/a' }],
  ])('%s, which is not announced, is refused', async (_what, headers: Record<string, string>) => {
    const reply = await client.request('POST', '/api/uploads', { ...creation(), ...headers });
    expect([reply.status, (await failureOf(reply)).error]).toEqual([400, 'INVALID']);
  });

  test('X-HTTP-Method-Override replaces the method', async () => {
    const url = await client.create(clip.length, VIDEO);
    const override = (method: string) => ({ 'x-http-method-override': method });
    const part = await client.request(
      'POST',
      url,
      { ...override('PATCH'), 'upload-offset': '0' },
      clip.subarray(0, 99),
    );
    expect([part.status, part.headers.get('upload-offset')]).toEqual([204, '99']);
    const head = await client.request('POST', url, override('HEAD'));
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '99']);
    expect((await client.request('POST', url, override('DELETE'))).status).toBe(204);
    expect((await client.request('HEAD', url)).status).toBe(404);
    const trace = await client.request('POST', url, override('TRACE'));
    expect([trace.status, trace.headers.get('allow')]).toEqual([405, 'HEAD, PATCH, DELETE, OPTIONS']);
  });

  test('HEAD shows length, offset, metadata and expiry, and is not stored', async () => {
    const reply = await client.request('HEAD', await client.create(clip.length, VIDEO));
    const names = ['upload-length', 'upload-offset', 'cache-control', 'tus-resumable'];
    expect(names.map((name) => reply.headers.get(name))).toEqual([String(clip.length), '0', 'no-store', '1.0.0']);
    expect(reply.headers.get('upload-metadata')).toContain(`name ${Buffer.from('clip.mp4').toString('base64')}`);
    expect(new Date(reply.headers.get('upload-expires') ?? '').getTime()).toBeGreaterThan(Date.now());
  });

  test('a PATCH of another content type, or without a proper offset, is refused', async () => {
    const url = await client.create(clip.length, VIDEO);
    const patch = (headers: Record<string, string>) => client.request('PATCH', url, headers, clip);
    expect((await patch({ 'upload-offset': '0', 'content-type': 'video/mp4' })).status).toBe(415);
    for (const offset of ['', '-1', '1.5', '0x0', '1e3', '99999999999999999999']) {
      expect([offset, (await patch({ 'upload-offset': offset })).status]).toEqual([offset, 400]);
    }
    expect((await patch({})).status).toBe(400);
    expect((await patch({ 'upload-offset': '1' })).status).toBe(409);
    expect((await client.request('HEAD', url)).headers.get('upload-offset')).toBe('0');
  });

  test('a checksum of an algorithm that is not announced is refused, and nothing is stored', async () => {
    const url = await client.create(clip.length, VIDEO);
    for (const checksum of ['crc32 AAAA', 'SHA-256 AAAA', '']) {
      expect((await client.patch(url, 0, clip, { 'upload-checksum': checksum })).status).toBe(400);
    }
    expect((await client.request('HEAD', url)).headers.get('upload-offset')).toBe('0');
  });

  test('an expired upload answers 410 until it is removed', async () => {
    const url = await client.create(clip.length, VIDEO);
    const touched_at = new Date(Date.now() - 25 * 3_600_000);
    await server.deps.db.updateTable('uploads').set({ touched_at }).where('id', '=', path.basename(url)).execute();
    expect((await client.request('HEAD', url)).status).toBe(410);
    const reply = await client.patch(url, 0, clip);
    expect([reply.status, (await failureOf(reply)).error]).toEqual([410, 'NOT_FOUND']);
  });

  test('a creation whose first bytes are refused leaves nothing behind', async () => {
    const before = await server.deps.db.selectFrom('uploads').select('id').execute();
    const damaged = { ...creation(), 'upload-checksum': `md5 ${Buffer.alloc(16).toString('base64')}` };
    expect((await client.request('POST', '/api/uploads', damaged, clip)).status).toBe(460);
    const long = { ...creation(), 'upload-length': '10' };
    expect((await client.request('POST', '/api/uploads', long, clip)).status).toBe(413);
    expect(await server.deps.db.selectFrom('uploads').select('id').execute()).toEqual(before);
  });

  test.each([
    ['a key twice', 'name YS5tcDQ=,name Yi5tcDQ='],
    ['a value that is no Base64', 'name a.mp4'],
    ['three words', 'name YS5tcDQ= x'],
    ['a key beyond ASCII', 'n\u00e4me YS5tcDQ='],
    ['an empty pair', 'name YS5tcDQ=,,'],
  ])('metadata with %s is refused', async (_what, metadata) => {
    const reply = await client.request('POST', '/api/uploads', { ...creation(), 'upload-metadata': metadata });
    expect(reply.status).toBe(400);
  });
});

describe('a file without an orientation or a kind', () => {
  let server: TestServer;
  let member: Session;
  let landscape: Buffer;

  beforeAll(async () => {
    server = await startTestServer({ AMS_MAX_IMAGE_MB: '1' });
    member = await server.createUser('member');
    landscape = await makeMedia('a.mp4', ...testPattern('320x180', 1), '-c:v', 'libx264', '-pix_fmt', 'yuv420p');
  });

  const picture = (width: number, height: number): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();

  async function add(bytes: Buffer, wishes: object): Promise<Pick<MediaFile, 'orientation' | 'kind' | 'media'>> {
    const client = tusAt(server.url, member);
    const reply = await client.patch(await client.create(bytes.length, wishes), 0, bytes);
    if (reply.status !== 204) {
      throw Object.assign(new Error('refused'), await failureOf(reply));
    }
    const id = reply.headers.get('file-id') ?? '';
    const { orientation, kind, media } = dataOf(await member.calls.files.get({ params: { id } }));
    return { orientation, kind, media };
  }

  test('takes both from its content', async () => {
    expect(await add(await picture(160, 90), { name: 'a.png' })).toEqual({
      ...{ orientation: 'horizontal', kind: 1, media: 'image' },
    });
    expect(await add(await picture(90, 160), { name: 'a.png', type: 'image/png', filetype: 'image/png' })).toEqual({
      ...{ orientation: 'vertical', kind: 1, media: 'image' },
    });
    expect(await add(landscape, { name: 'a.mp4' })).toEqual({ orientation: 'horizontal', kind: 2, media: 'video' });
    expect(await add(clip, { name: 'a.mp4' })).toEqual({ orientation: 'vertical', kind: 2, media: 'video' });
  });

  test('keeps the one that is given', async () => {
    const wide = await picture(161, 90);
    expect(await add(wide, { name: 'a.png', orientation: 'vertical' })).toMatchObject({
      orientation: 'vertical',
      kind: 1,
    });
    expect(await add(wide, { name: 'a.png', kind: 3 })).toMatchObject({ orientation: 'horizontal', kind: 3 });
    expect(await add(wide, { name: 'a.png', kind: 5 })).toMatchObject({ orientation: 'vertical', kind: 5 });
    expect(await add(landscape, { name: 'a.mp4', orientation: 'vertical' })).toMatchObject({ orientation: 'vertical' });
  });

  test('is checked like one with both: formats, limits, and the media of the kind', async () => {
    await expect(add(Buffer.from('<html>hello</html>'), { name: 'a.mp4' })).rejects.toMatchObject({
      ...{ error: 'UNSUPPORTED_FORMAT', details: { t: 'jpg, jpeg, png, webp, gif, mp4, m4v, mov, webm, mkv' } },
    });
    await expect(add(clip, { name: 'a.png', kind: 1 })).rejects.toMatchObject({
      ...{ error: 'UNSUPPORTED_FORMAT', details: { t: 'jpg, jpeg, png, webp, gif' } },
    });
    const large = Buffer.concat([await picture(90, 90), Buffer.alloc(MIB)]);
    await expect(add(large, { name: 'a.png' })).rejects.toMatchObject({
      error: 'TOO_LARGE',
      details: { limit: '1 MB' },
    });
  });
});
