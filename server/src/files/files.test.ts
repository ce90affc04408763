import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import path from 'node:path';
import type { MediaFile } from '@ams/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { bodyOf, videoHeaders, addFile, failureOf, makeMp4 } from '../../test/media.ts';
import { findUnparsable } from '../platform/sandbox/unparsable.ts';
import { dataOf, type Session, startTestServer, type TestServer } from '../../test/server.ts';
import { cleanStrays } from '../blobs/blobs.service.ts';
import { tasksOf } from '../features.ts';

const PICTURE = { name: 'picture.png', orientation: 'vertical', kind: 1 };

let server: TestServer;
let admin: Session;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.login();
});

const makePng = (): Promise<Buffer> =>
  sharp(randomBytes(90 * 160 * 3), { raw: { width: 90, height: 160, channels: 3 } })
    .png()
    .toBuffer();

const addPicture = async (who: Session, wishes: Partial<typeof PICTURE> = {}): Promise<MediaFile> =>
  addFile(server, who, await makePng(), { ...PICTURE, ...wishes });

/** Shows a file on the owner's device. */
async function release(owner: Session, file: MediaFile, name: string): Promise<{ id: string; secret: string }> {
  const { device, secret } = await pairedDevice(server, owner);
  const ad = await addAd(owner, name, file.id);
  const { id } = dataOf(
    await owner.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }),
  );
  return { id, secret };
}

async function runTask(name: 'files_clean_blobs'): Promise<void> {
  const task = tasksOf(server.deps)[name];
  if (typeof task === 'function') await task({}, new AbortController().signal, false);
}

const blobPath = (sha256: string): string => path.join(server.config.data, 'blobs', sha256.slice(0, 2), sha256);

describe('the list', () => {
  let member: Session;
  let files: MediaFile[];

  beforeAll(async () => {
    member = await server.createUser('member');
    files = [];
    for (const wishes of [
      { name: 'Sommer 100_.png' },
      { name: 'Winter.png', kind: 3 },
      { name: 'Herbst.png', orientation: 'horizontal' },
    ]) {
      files.push(await addPicture(member, wishes));
    }
  });

  test('is in pages, newest first', async () => {
    const first = dataOf(await member.calls.files.list({ query: { limit: 2, total: 'true' } }));
    expect(first.items.map(({ name }) => name)).toEqual(['Herbst.png', 'Winter.png']);
    expect(first.total).toBe(3);
    const second = dataOf(await member.calls.files.list({ query: { limit: 2, cursor: first.next ?? '' } }));
    expect(second.items.map(({ name }) => name)).toEqual(['Sommer 100_.png']);
    expect(second.next).toBeNull();
  });

  test.each([
    [{ q: 'WINTER' }, ['Winter.png']],
    [{ q: '0_.' }, ['Sommer 100_.png']],
    [{ q: '0_1' }, []],
    [{ orientation: 'horizontal' as const }, ['Herbst.png']],
    [{ orientation: 'vertical' as const, kind: 3 }, ['Winter.png']],
    [{ state: 'failed' as const }, []],
    [{ state: 'ready' as const, kind: 3 }, ['Winter.png']],
  ])('shows what %j asks for', async (query, names) => {
    const { items } = dataOf(await member.calls.files.list({ query }));
    expect(items.map(({ name }) => name)).toEqual(names);
  });

  test('counts every kind', async () => {
    const { items } = dataOf(await member.calls.files.counts({ query: {} }));
    expect(items).toHaveLength(9);
    expect(items.filter(({ count }) => count > 0)).toEqual([
      { orientation: 'vertical', kind: 1, count: 1 },
      { orientation: 'vertical', kind: 3, count: 1 },
      { orientation: 'horizontal', kind: 1, count: 1 },
    ]);
  });

  test('of a leading user reaches those below, and one of them alone', async () => {
    const all = dataOf(await admin.calls.files.list({ query: { owner: member.user.id } }));
    expect(all.items).toHaveLength(3);
    const counted = dataOf(await admin.calls.files.counts({ query: { owner: member.user.id } }));
    expect(counted.items.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  test('ends at the scope', async () => {
    const stranger = await server.createUser('leading');
    const [file] = files;
    const id = file?.id ?? '';
    expect(dataOf(await stranger.calls.files.list({ query: {} })).items).toEqual([]);
    const { calls } = stranger;
    const body = { name: 'mine.png' };
    for (const reply of [
      await calls.files.list({ query: { owner: member.user.id } }),
      await calls.files.counts({ query: { owner: member.user.id } }),
      await calls.files.get({ params: { id } }),
      await calls.files.update({ params: { id }, body }),
      await calls.files.delete({ params: { id } }),
      await calls.files.get({ params: { id: crypto.randomUUID() } }),
    ]) {
      expect(reply.error).toBe('NOT_FOUND');
    }
    expect(dataOf(await calls.files.deleteMany({ body: { ids: [id] } }))).toEqual({
      done: 0,
      failed: [{ id, error: 'NOT_FOUND' }],
    });
  });
});

describe('a file', () => {
  test('gets another kind of its media, unless an ad shows it', async () => {
    const member = await server.createUser('member');
    const { id, name } = await addPicture(member);
    const move = (body: object) => member.calls.files.update({ params: { id }, body });
    expect(dataOf(await move({ kind: 3 }))).toMatchObject({ orientation: 'vertical', kind: 3, name });
    expect(dataOf(await move({ orientation: 'horizontal', kind: 1 }))).toMatchObject({ orientation: 'horizontal' });
    expect(await move({ kind: 2 })).toMatchObject({ code: 400, error: 'INVALID' });
    expect(await move({ kind: 5 })).toMatchObject({ code: 400, error: 'INVALID' });
    const regions = { full: [{ kind: 'file' as const, fileId: id }] };
    const body = { name: 'Shows it', orientation: 'horizontal' as const, split: 'full' as const, regions };
    dataOf(await member.calls.ads.create({ body }));
    expect(await move({ kind: 3 })).toMatchObject({ error: 'FILE_IN_USE', details: { ads: ['Shows it'] } });
    expect(dataOf(await move({ name: 'still.png' })).name).toBe('still.png');
  });

  test('is renamed, and the rules of names hold', async () => {
    const member = await server.createUser('member');
    const { id } = await addPicture(member);
    const renamed = dataOf(await member.calls.files.update({ params: { id }, body: { name: ' Neu.png ' } }));
    expect(renamed.name).toBe('Neu.png');
    const refused = await member.calls.files.update({ params: { id }, body: { name: 'a/b' } });
    expect(refused).toMatchObject({ error: 'INVALID', details: { fields: [{ rule: 'file.nameSymbols' }] } });
  });

  test('that a live release shows stays, and the answer names the release', async () => {
    const member = await server.createUser('member');
    const [used, free] = [await addPicture(member), await addPicture(member)];
    const { id: releaseId } = await release(member, used, 'Winter sale');
    const refused = await member.calls.files.delete({ params: { id: used.id } });
    expect(refused).toMatchObject({
      code: 409,
      error: 'FILE_IN_USE',
      details: { ads: ['Winter sale'] },
      message: expect.stringContaining('Winter sale'),
    });
    expect(dataOf(await member.calls.files.deleteMany({ body: { ids: [used.id, free.id, free.id] } }))).toEqual({
      done: 1,
      failed: [{ id: used.id, error: 'FILE_IN_USE', details: { ads: ['Winter sale'] } }],
    });
    dataOf(await member.calls.releases.withdraw({ params: { id: releaseId } }));
    expect((await member.calls.files.delete({ params: { id: used.id } })).code).toBe(200);
  });

  test('in ads out of scope stays without naming them', async () => {
    const dealer = await server.createUser('leading');
    const [member, other] = [await server.createUser('member', dealer), await server.createUser('member', dealer)];
    const { id } = await addPicture(member);
    const body = {
      name: 'Secret of the other customer',
      ownerId: other.user.id,
      orientation: 'vertical' as const,
      split: 'full' as const,
      regions: { full: [{ kind: 'file' as const, fileId: id }] },
    };
    const ad = dataOf(await dealer.calls.ads.create({ body }));
    const { device } = await pairedDevice(server, other);
    dataOf(await dealer.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }));
    const unnamed = { error: 'FILE_IN_USE', details: { ads: [] } };
    const message = 'Used by released ads. Withdraw them first.';
    expect(await member.calls.files.delete({ params: { id } })).toMatchObject({ ...unnamed, message });
    expect(await member.calls.files.update({ params: { id }, body: { orientation: 'horizontal' } })).toMatchObject(
      unnamed,
    );
    expect(dataOf(await member.calls.files.deleteMany({ body: { ids: [id] } })).failed).toEqual([{ id, ...unnamed }]);
    const named = { error: 'FILE_IN_USE', details: { ads: [body.name] } };
    expect(await dealer.calls.files.delete({ params: { id } })).toMatchObject(named);
  });

  test('takes its bytes along once nobody else has them', async () => {
    const member = await server.createUser('member');
    const bytes = await makePng();
    const [one, two] = [await addFile(server, member, bytes, PICTURE), await addFile(server, admin, bytes, PICTURE)];
    dataOf(await member.calls.files.delete({ params: { id: one.id } }));
    await runTask('files_clean_blobs');
    expect((await stat(blobPath(one.sha256))).size).toBe(bytes.length);
    dataOf(await admin.calls.files.delete({ params: { id: two.id } }));
    // Deleting itself asks for the cleaning.
    await expect.poll(() => stat(blobPath(one.sha256)).catch(() => 'gone')).toBe('gone');
    const again = await addFile(server, member, bytes, PICTURE);
    expect(again).toMatchObject({ state: 'ready', sha256: one.sha256 });
    expect((await fetch(server.url + again.url)).status).toBe(200);
    expect((await fetch(server.url + again.poster)).status).toBe(200);
  });

  test('are removed although another one cannot be', async () => {
    const names = Array.from({ length: 100 }, () => createHash('sha256').update(randomBytes(8)).digest('hex'));
    const [stuck = ''] = names;
    // No file can be removed at this place.
    await mkdir(path.join(blobPath(stuck), 'folder'), { recursive: true });
    await server.deps.db
      .insertInto('blobs')
      .values(names.map((sha256) => ({ sha256, bytes: 1, state: 'ready' as const })))
      .execute();
    const left = async (): Promise<string[]> => {
      await expect(runTask('files_clean_blobs')).rejects.toThrow(stuck);
      const rows = await server.deps.db.selectFrom('blobs').select('sha256').where('sha256', 'in', names).execute();
      return rows.map(({ sha256 }) => sha256);
    };
    await expect.poll(left, { interval: 200 }).toEqual([stuck]);
    await rm(blobPath(stuck), { recursive: true });
    await runTask('files_clean_blobs');
  });

  test('removes blobs that a crashed process stored without a row', async () => {
    const kept = await addPicture(admin);
    const stray = await makePng();
    const name = createHash('sha256').update(stray).digest('hex');
    await mkdir(path.dirname(blobPath(name)), { recursive: true });
    await writeFile(blobPath(name), stray);
    // By the clock of the file system, which is not this process's when a test sets that.
    const { ctimeMs } = await stat(blobPath(name));
    const stays = async (age: number) => {
      await cleanStrays(server.deps, new Date(ctimeMs - age));
      return server.deps.blobs.size(name);
    };
    expect(await stays(3_600_000)).toBe(stray.length);
    // Cleaning gives way to whoever is storing just then.
    await expect.poll(() => stays(-1000), { interval: 200 }).toBeUndefined();
    expect((await fetch(server.url + kept.url)).status).toBe(200);
    expect((await fetch(server.url + kept.poster)).status).toBe(200);
  });

  test('whose examination was lost is examined later', async () => {
    const member = await server.createUser('member');
    const file = await addPicture(member);
    await server.deps.db.updateTable('blobs').set({ state: 'processing' }).where('sha256', '=', file.sha256).execute();
    const cleaned = async () => {
      await runTask('files_clean_blobs');
      return dataOf(await member.calls.files.get({ params: { id: file.id } })).state;
    };
    // The job that examined it first may still be on its way out of the queue: it is not forgotten before.
    await expect.poll(cleaned, { interval: 200 }).toBe('ready');
  });

  test('that no server survives examining is given up', async () => {
    const member = await server.createUser('member');
    const { id, sha256 } = await addPicture(member);
    const { db } = server.deps;
    await db.updateTable('blobs').set({ state: 'processing' }).where('sha256', '=', sha256).execute();
    await db.updateTable('files').set({ step: 'examine' }).where('id', '=', id).execute();
    // Begun as often as it may be, and never ended.
    await db
      .insertInto('parse_attempts')
      .values({ id: randomUUID(), sha256, task: 'examine', number: 3, process_id: null })
      .execute();
    await sql`select graphile_worker.add_job('files_nobody', '{}'::json, job_key => ${`files:${id}`})`.execute(db);
    await sql`update graphile_worker._private_jobs set attempts = max_attempts where key = ${`files:${id}`}`.execute(
      db,
    );
    await runTask('files_clean_blobs');
    const look = async () => dataOf(await member.calls.files.get({ params: { id } }));
    await expect.poll(look).toMatchObject({ state: 'failed', failure: 'unreadable' });
    // Nobody parses it again, whoever sends it.
    expect(await findUnparsable(db, sha256)).toBe('unreadable');
  });

  test('notifies its owner when it changes', async () => {
    const member = await server.createUser('member');
    const told: string[] = [];
    const stop = server.deps.events.on('changed', ({ kind, owners, ids }) => {
      if (kind === 'file' && owners.includes(member.user.id)) told.push(...ids);
    });
    const { id } = await addPicture(member);
    await expect.poll(() => told).toEqual([id, id]);
    dataOf(await member.calls.files.update({ params: { id }, body: { name: 'b.png' } }));
    dataOf(await member.calls.files.delete({ params: { id } }));
    await expect.poll(() => told).toEqual([id, id, id, id]);
    stop();
  });
});

describe('media', () => {
  let member: Session;
  let bytes: Buffer;
  let file: MediaFile;
  let url: string;

  beforeAll(async () => {
    member = await server.createUser('member');
    bytes = await makeMp4(3);
    file = await addFile(server, member, bytes, { name: 'clip.mp4', orientation: 'vertical', kind: 2 });
    url = server.url + file.url;
  });

  const ask = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers });

  test('is whole without a range', async () => {
    const reply = await ask();
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject(videoHeaders(file, bytes));
    expect(await bodyOf(reply)).toEqual(bytes);
  });

  test.each([
    ['bytes=0-99', 0, 99],
    ['bytes=500-', 500, undefined],
    ['bytes=-10', -10, undefined],
  ])('in parts: %s', async (range, start, end) => {
    const reply = await ask({ range });
    expect(reply.status).toBe(206);
    const expected = end === undefined ? bytes.subarray(start) : bytes.subarray(start, end + 1);
    expect(await bodyOf(reply)).toEqual(expected);
    const first = start < 0 ? bytes.length + start : start;
    expect(reply.headers.get('content-range')).toBe(`bytes ${first}-${first + expected.length - 1}/${bytes.length}`);
  });

  test('beyond its end is 416 with its size', async () => {
    const reply = await ask({ range: `bytes=${bytes.length}-` });
    expect(reply.status).toBe(416);
    expect(reply.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect((await failureOf(reply)).error).toBe('RANGE_NOT_SATISFIABLE');
  });

  test('several ranges are the whole', async () => {
    expect((await ask({ range: 'bytes=0-1,5-6' })).status).toBe(200);
  });

  test('If-Range gives the part of the same content only', async () => {
    expect((await ask({ 'range': 'bytes=0-9', 'if-range': `"${file.sha256}"` })).status).toBe(206);
    expect((await ask({ 'range': 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
    expect((await ask({ 'range': 'bytes=0-9', 'if-range': new Date().toUTCString() })).status).toBe(200);
  });

  test('If-None-Match saves the way', async () => {
    const reply = await ask({ 'if-none-match': `W/"x", "${file.sha256}"` });
    expect([reply.status, await reply.text(), reply.headers.get('etag')]).toEqual([304, '', `"${file.sha256}"`]);
  });

  test('HEAD returns only the size', async () => {
    const whole = await ask({}, 'HEAD');
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    // A range is a matter of GET alone (RFC 9110 §14.2).
    const ranged = await ask({ range: 'bytes=5-9' }, 'HEAD');
    expect([ranged.status, ranged.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect(await ranged.text()).toBe('');
  });

  test('opens by a signature in time, of this very address', async () => {
    const bare = `${server.url}/media/${file.sha256}`;
    const refused = [
      bare,
      `${bare}?e=99999999999&s=x`,
      url.replace(/s=./, (start) => (start === 's=A' ? 's=B' : 's=A')),
      `${server.url}${file.poster?.replace('/poster', '')}`,
      `${server.url}${server.deps.signer.sign(`/media/${file.sha256}`, Date.now() - 3 * 86_400_000)}`,
    ];
    for (const address of refused) {
      const reply = await fetch(address);
      expect([reply.status, (await failureOf(reply)).error]).toEqual([403, 'BAD_SIGNATURE']);
    }
  });

  test('opens by the token of a device that has it by a release, and by no other', async () => {
    const bare = `${server.url}/media/${file.sha256}`;
    const { secret } = await release(member, file, 'Opened');
    const without = await pairedDevice(server, member);
    const open = (bearer: string) =>
      fetch(bare, { headers: { authorization: `Bearer ${bearer}`, range: 'bytes=0-3' } });
    expect((await open(secret)).status).toBe(206);
    expect((await open(without.secret)).status).toBe(404);
    expect((await open(member.token)).status).toBe(401);
  });

  test('has a still behind an address of its own', async () => {
    const reply = await fetch(server.url + file.poster);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  test('that does not exist is not found', async () => {
    const { signer } = server.deps;
    const poster = await fetch(server.url + file.poster).then(bodyOf);
    const names = ['0'.repeat(64), createHash('sha256').update(poster).digest('hex')];
    for (const name of names) expect((await fetch(server.url + signer.sign(`/media/${name}`))).status).toBe(404);
  });

  test('is released when the reader disconnects', async () => {
    const large = await addFile(
      server,
      member,
      await sharp(randomBytes(2000 * 2000 * 3), { raw: { width: 2000, height: 2000, channels: 3 } })
        .png({ compressionLevel: 0 })
        .toBuffer(),
      PICTURE,
    );
    const openFiles = async (): Promise<number> => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      return links.filter((link) => link.endsWith(large.sha256)).length;
    };
    await new Promise<void>((resolve, reject) => {
      get(server.url + large.url, (reply) => reply.once('data', () => resolve(void reply.destroy()))).on(
        'error',
        reject,
      );
    });
    await expect.poll(openFiles).toBe(0);
  });
});
