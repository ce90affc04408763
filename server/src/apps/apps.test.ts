import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { type App, APP_MIME, OfferedApp } from '@ams/contract';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { addApp, APKS, makeApk, makeUnsignedApk, makeZip, readSettingsApk } from '../../test/apk.ts';
import { pairedDevice } from '../../test/device.ts';
import { type AppWishes, failureOf, upload } from '../../test/media.ts';
import { collidingOnce } from '../../test/meanwhile.ts';
import { signApk, signerOf } from '../../test/sign-apk.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { tasksOf } from '../features.ts';
import { ZipFile, zipOnDisk } from '../platform/sandbox/parsers/zip.ts';

const server = await startTestServer({ AMS_MAX_APP_MB: '20' });
const SETTINGS = 'io.appium.settings';

let boss: Session;
let member: Session;
let settingsApk: Buffer;

beforeAll(async () => {
  boss = await server.createUser('leading');
  member = await server.createUser('member', boss);
  settingsApk = await readSettingsApk();
});

afterEach(async () => {
  await server.deps.db.deleteFrom('apps').execute();
});

const send = (bytes: Buffer, wishes: Partial<AppWishes> = {}, who = boss) =>
  upload(server, who, bytes, { kind: 'app', ...wishes }, { headers: { 'accept-language': 'en' } });

async function accepted(bytes: Buffer, wishes: Partial<AppWishes> = {}): Promise<App> {
  const answer = await send(bytes, wishes);
  if (answer.kind === 'refused') throw new Error(JSON.stringify(answer.body));
  return dataOf(await boss.calls.apps.get({ params: { id: answer.fileId } }));
}

async function refusal(bytes: Buffer, wishes: Partial<AppWishes> = {}, who = boss) {
  const answer = await send(bytes, wishes, who);
  if (answer.kind === 'done') throw new Error('was taken');
  expect(answer.body.code).toBe(answer.status);
  return answer.body;
}

const sizeOf = (bytes: Buffer) => server.deps.blobs.size(createHash('sha256').update(bytes).digest('hex'));
const cleanBlobs = async () => {
  const task = tasksOf(server.deps)['files_clean_blobs'];
  if (typeof task !== 'function') throw new Error('no such task');
  await task({}, new AbortController().signal, false);
};

const readSigners = async () => {
  const task = tasksOf(server.deps)['apps_read_signers'];
  if (typeof task !== 'function') throw new Error('no such task');
  await task({}, new AbortController().signal, false);
};

describe('an upload', () => {
  test('takes package, version, name and icon from the APK', async () => {
    const app = await accepted(settingsApk, { filename: 'settings.apk', content: 'Two\nlines', forced: 'true' });
    expect(app).toMatchObject({
      ...{ package: SETTINGS, name: 'Appium Settings', content: 'Two\nlines', forced: true, istype: 1 },
      ...{ bytes: settingsApk.length, published: false, ctime: app.createdAt },
      uploadedBy: { id: boss.user.id },
    });
    expect(app.code).toBeGreaterThan(100);
    expect(app.version).toMatch(/^\d+\.\d+\.\d+$/);
    const icon = await sharp(await (await fetch(server.url + app.icon)).arrayBuffer()).metadata();
    expect([icon.format, icon.width]).toEqual(['webp', expect.any(Number)]);
  });

  test('has an address that gives just its bytes', async () => {
    const app = await accepted(settingsApk);
    const reply = await fetch(server.url + app.url);
    expect(reply.headers.get('content-type')).toBe(APP_MIME);
    expect(Buffer.from(await reply.arrayBuffer()).equals(settingsApk)).toBe(true);
    const [address] = app.url.split('?');
    expect((await fetch(server.url + address)).status).toBe(403);
  });

  test('without name and icon is called by its package', async () => {
    const app = await accepted(await readFile(APKS.server), { istype: '3' });
    expect(app).toMatchObject({ name: 'io.appium.uiautomator2.server', icon: null, istype: 3 });
  });

  test('whose name holds what the database does not take is accepted without that', async () => {
    const apk = new ZipFile(zipOnDisk(APKS.settings));
    const [manifest, resources] = ['AndroidManifest.xml', 'resources.arsc'].map((name) => ({
      name,
      bytes: apk.read(name, 2 ** 24),
    }));
    apk.close();
    if (!manifest || !resources) throw new Error('no members');
    const name = 'Appium Settings';
    resources.bytes.write('Appium\0Settings', resources.bytes.indexOf(name));
    expect((await accepted(signApk(makeZip([manifest, resources])))).name).toBe('AppiumSettings');
  });

  test('may be given another name', async () => {
    expect((await accepted(settingsApk, { name: ' Settings 中文 ' })).name).toBe('Settings 中文');
  });

  test('resumes where it was interrupted', async () => {
    const answer = await upload(server, boss, settingsApk, { kind: 'app' }, { chunkSize: 1_000_000 });
    expect(answer.kind).toBe('done');
    const again = await fetch(answer.kind === 'done' ? answer.url : '', {
      method: 'HEAD',
      headers: { 'authorization': `Bearer ${boss.token}`, 'tus-resumable': '1.0.0' },
    });
    expect([again.status, again.headers.get('upload-offset')]).toEqual([200, String(settingsApk.length)]);
  });

  test('that collides with another transaction after its bytes were moved is kept at the first attempt', async () => {
    const bytes = await makeApk(9);
    const { code } = await collidingOnce(server.deps.db, 'apps', () => accepted(bytes));
    expect([code, await sizeOf(bytes)]).toEqual([9, bytes.length]);
  });

  test('of a higher version code is kept beside the previous one', async () => {
    await accepted(await makeApk(7));
    await accepted(await makeApk(8));
    const { items } = dataOf(await boss.calls.apps.list());
    expect(items.map(({ code }) => code)).toEqual([8, 7]);
  });
});

describe('refused', () => {
  test('an APK cut in half, of which nothing is kept', async () => {
    const half = settingsApk.subarray(0, settingsApk.length / 2);
    expect(await refusal(half)).toMatchObject({
      code: 422,
      error: 'NOT_AN_APK',
      message: expect.stringMatching(/APK/),
    });
    expect(await sizeOf(half)).toBeUndefined();
  });

  test('an archive that is no APK', async () => {
    const zip = makeZip([{ name: 'readme.txt', bytes: Buffer.from('hello') }]);
    expect((await refusal(zip)).error).toBe('NOT_AN_APK');
  });

  test('archives with a manifest that is none', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('<manifest/>'), Buffer.alloc(5000, 0xff)]) {
      expect((await refusal(makeZip([{ name: 'AndroidManifest.xml', bytes }]))).error).toBe('NOT_AN_APK');
    }
  });

  test('a damaged APK, wherever the damage is', async () => {
    const whole = await makeApk(5);
    for (let at = 4; at < whole.length; at += Math.floor(whole.length / 12)) {
      const bytes = Buffer.from(whole);
      bytes.fill(0xfe, at, Math.min(at + 60, bytes.length));
      const answer = await send(bytes);
      if (answer.kind === 'refused')
        expect(['NOT_AN_APK', 'APK_SIGNATURE_BROKEN', 'APK_UNSIGNED']).toContain(answer.body.error);
    }
  });

  test('an APK without a version', async () => {
    expect((await refusal(await readFile(APKS.withoutVersion))).error).toBe('NOT_AN_APK');
  });

  test('refuses files that are not archives', async () => {
    expect((await refusal(Buffer.from('<html>not an app</html>'))).error).toBe('NOT_AN_APK');
    expect((await refusal(Buffer.from('PK'))).error).toBe('NOT_AN_APK');
  });

  test('a version code that is not higher, with what is there', async () => {
    const first = await accepted(await makeApk(20));
    for (const code of [20, 19]) {
      const body = await refusal(await makeApk(code, 'other bytes'));
      expect(body).toMatchObject({ code: 409, error: 'VERSION_NOT_NEWER' });
      expect(body.details).toEqual({ package: SETTINGS, id: first.id, code: 20, version: first.version, given: code });
      expect(body.message).toContain('20');
    }
    expect((await refusal(await makeApk(20))).error).toBe('VERSION_NOT_NEWER');
  });

  test('all but one of equal uploads at once', async () => {
    const apks = await Promise.all(['a', 'b', 'c'].map((filler) => makeApk(30, filler)));
    const answers = await Promise.all(apks.map((apk) => send(apk)));
    expect(answers.map(({ kind }) => kind).toSorted()).toEqual(['done', 'refused', 'refused']);
  });

  test('uploads of members', async () => {
    expect(await refusal(settingsApk, {}, member)).toMatchObject({ code: 403, error: 'LEADING_ONLY' });
  });

  test('another extension, bad metadata, and a kind that does not exist', async () => {
    expect(await refusal(settingsApk, { filename: 'a.zip' })).toMatchObject({ code: 415, details: { t: 'apk' } });
    const fields = async (wishes: Partial<AppWishes>) => (await refusal(settingsApk, wishes)).details?.['fields'];
    expect(await fields({ name: 'x'.repeat(61) })).toMatchObject([{ path: 'name', rule: 'name.length' }]);
    expect(await fields({ content: 'x'.repeat(2001) })).toMatchObject([{ path: 'content', rule: 'content.length' }]);
    expect(await fields({ istype: '4' })).toMatchObject([{ path: 'istype' }]);
    expect(await fields({ forced: 'perhaps' })).toMatchObject([{ path: 'forced' }]);
    const reply = await fetch(`${server.url}/api/uploads`, {
      method: 'POST',
      headers: {
        'authorization': `Bearer ${boss.token}`,
        'tus-resumable': '1.0.0',
        'upload-length': '5',
        'upload-metadata': `kind ${Buffer.from('book').toString('base64')}`,
      },
    });
    expect(await failureOf(reply)).toMatchObject({ code: 400, details: { fields: [{ path: 'kind' }] } });
  });

  test('more bytes than allowed, before they are sent', async () => {
    const body = await refusal(Buffer.alloc(20 * 2 ** 20 + 1));
    expect(body).toMatchObject({ code: 413, error: 'TOO_LARGE', details: { limit: '20 MB' } });
  });
});

describe('the signer of a package', () => {
  test('is read from the APK', async () => {
    expect((await accepted(await makeApk(5, '', 'second'))).signer).toBe(signerOf('second'));
  });

  test('must be there', async () => {
    expect(await refusal(await makeUnsignedApk(5))).toMatchObject({ code: 422, error: 'APK_UNSIGNED' });
    const changed = await makeApk(5, 'hello');
    changed.write('HELLO', changed.indexOf('hello'));
    expect(await refusal(changed)).toMatchObject({ code: 422, error: 'APK_SIGNATURE_BROKEN' });
    const several = await readFile(path.join(import.meta.dirname, '../../test/apks/two-signers.apk'));
    expect(await refusal(several)).toMatchObject({ code: 422, error: 'APK_SIGNATURE_UNSUPPORTED' });
  });

  test('is pinned by the first version', async () => {
    await accepted(await makeApk(5));
    const body = await refusal(await makeApk(6, '', 'second'));
    expect(body).toMatchObject({ code: 422, error: 'OTHER_SIGNER' });
    expect(body.details).toEqual({ package: SETTINGS, signer: signerOf('first'), given: signerOf('second') });
    expect(body.message).toContain(SETTINGS);
    await accepted(await makeApk(6));
  });

  test('is not pinned for others by a neighbour or by somebody below', async () => {
    const neighbour = await server.createUser('leading');
    const below = await server.createUser('leading', boss);
    await addApp(server, neighbour, await makeApk(9));
    await addApp(server, below, await makeApk(9));
    expect((await accepted(await makeApk(5, '', 'second'))).code).toBe(5);
  });

  test('is pinned for those below by what is offered to their devices', async () => {
    const below = await server.createUser('leading', boss);
    const unpublished = await accepted(await makeApk(5));
    await addApp(server, below, await makeApk(3, '', 'second'));
    await below.calls.apps.delete({ params: { id: dataOf(await below.calls.apps.list()).items[0]?.id ?? '' } });
    await boss.calls.apps.update({ params: { id: unpublished.id }, body: { published: true } });
    expect((await refusal(await makeApk(6, '', 'second'), {}, below)).error).toBe('OTHER_SIGNER');
    expect((await refusal(await makeApk(4), {}, below)).error).toBe('VERSION_NOT_NEWER');
    expect((await send(await makeApk(6), {}, below)).kind).toBe('done');
  });

  test('is that of what devices are offered when a version is published, whoever uploaded it', async () => {
    const gone = await server.createUser('leading', boss);
    const other = await addApp(server, gone, await makeApk(50, '', 'second'));
    await addApp(server, gone, await makeApk(51, '', 'second'));
    const own = await addApp(server, boss, await makeApk(5));
    // Its versions pass to its superior, whose devices run the app of another signer.
    dataOf(await boss.calls.users.delete({ params: { id: gone.user.id } }));
    const publish = (id: string, published = true) => boss.calls.apps.update({ params: { id }, body: { published } });
    expect(await publish(other.id)).toMatchObject({
      ...{ code: 422, error: 'OTHER_SIGNER' },
      details: { package: SETTINGS, signer: signerOf('first'), given: signerOf('second') },
    });
    expect(dataOf(await boss.calls.apps.get({ params: { id: other.id } })).published).toBe(false);
    for (const published of [false, true]) dataOf(await publish(own.id, published));
  });

  test('may change by a proof of rotation', async () => {
    const rotated = await readFile(path.join(import.meta.dirname, '../../test/apks/rotated.apk'));
    const { code, id } = await accepted(rotated);
    const { predecessors } = await server.deps.db
      .selectFrom('apps')
      .select('predecessors')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(code).toBeGreaterThan(0);
    await server.deps.db
      .updateTable('apps')
      .set({ code: 1, signer: predecessors[0] ?? '' })
      .execute();
    expect((await send(rotated)).kind).toBe('done');
  });
});

describe('an app belongs to its publisher', () => {
  let root: Session;
  let neighbour: Session;
  let below: Session;
  beforeAll(async () => {
    root = await server.login();
    neighbour = await server.createUser('leading');
    below = await server.createUser('leading', boss);
  });

  test('others can neither see nor change it', async () => {
    const app = await addApp(server, boss, await makeApk(5));
    const params = { id: app.id };
    for (const { calls } of [neighbour, await server.createUser('member', neighbour)]) {
      expect(dataOf(await calls.apps.list()).items).toEqual([]);
      expect((await calls.apps.get({ params })).code).toBe(404);
    }
    for (const { calls } of [neighbour, below]) {
      expect((await calls.apps.update({ params, body: { forced: true } })).code).toBe(404);
      expect((await calls.apps.update({ params, body: { published: false } })).code).toBe(404);
      expect((await calls.apps.delete({ params })).code).toBe(404);
    }
    expect(dataOf(await boss.calls.apps.get({ params }))).toMatchObject({ forced: false, published: true, own: true });
  });

  test('users below see the versions offered to their devices, users above see all', async () => {
    const draft = await accepted(await makeApk(5));
    const params = { id: draft.id };
    expect(dataOf(await below.calls.apps.list()).items).toEqual([]);
    await boss.calls.apps.update({ params, body: { published: true } });
    const publisher = { id: boss.user.id };
    expect(dataOf(await below.calls.apps.get({ params }))).toMatchObject({ own: false, uploadedBy: publisher });
    expect(dataOf(await root.calls.apps.get({ params }))).toMatchObject({ own: true, uploadedBy: publisher });
    const farther = await server.createUser('member', below);
    expect(dataOf(await farther.calls.apps.get({ params }))).toMatchObject({ own: false, uploadedBy: null });
    expect(dataOf(await root.calls.apps.update({ params, body: { published: false } })).published).toBe(false);
  });

  test('when a publisher is deleted, its versions pass to its superior, unpublished', async () => {
    const gone = await server.createUser('leading', boss);
    const app = await addApp(server, gone, await makeApk(5));
    dataOf(await boss.calls.users.delete({ params: { id: gone.user.id } }));
    expect(dataOf(await boss.calls.apps.get({ params: { id: app.id } }))).toMatchObject({
      ...{ published: false, own: true, uploadedBy: { id: boss.user.id } },
    });
  });

  test('a user demoted during an upload publishes nothing', async () => {
    const demoted = await server.createUser('leading', boss);
    const sent = await makeApk(5);
    await server.deps.db.updateTable('users').set({ role: 'member' }).where('id', '=', demoted.user.id).execute();
    expect((await refusal(sent, {}, demoted)).error).toBe('LEADING_ONLY');
  });
});

describe('unpublished versions', () => {
  test('are seen by leading users only', async () => {
    const app = await accepted(settingsApk);
    expect(dataOf(await member.calls.apps.list({ query: { total: 'true' } }))).toEqual({
      items: [],
      next: null,
      total: 0,
    });
    expect(await member.calls.apps.get({ params: { id: app.id } })).toMatchObject({ code: 404 });
    await boss.calls.apps.update({ params: { id: app.id }, body: { published: true } });
    expect(dataOf(await member.calls.apps.list()).items.map(({ id }) => id)).toEqual([app.id]);
    expect(dataOf(await member.calls.apps.get({ params: { id: app.id } })).published).toBe(true);
  });
});

test('a leading user edits a version; omitted fields remain', async () => {
  const { id } = await accepted(settingsApk, { content: 'old' });
  const body = { name: 'New', forced: true, istype: 2 as const };
  expect(dataOf(await boss.calls.apps.update({ params: { id }, body }))).toMatchObject({ ...body, content: 'old' });
  expect(dataOf(await boss.calls.apps.update({ params: { id }, body: { content: '' } })).content).toBe('');
  expect(await boss.calls.apps.update({ params: { id }, body: { name: ' ' } })).toMatchObject({ code: 400 });
  expect(await boss.calls.apps.update({ params: { id: crypto.randomUUID() }, body })).toMatchObject({ code: 404 });
});

test('a deleted version is gone, its bytes after the next cleaning, and may be uploaded again', async () => {
  const app = await accepted(settingsApk);
  await cleanBlobs();
  expect(await sizeOf(settingsApk)).toBe(settingsApk.length);
  expect((await fetch(server.url + app.icon)).status).toBe(200);
  expect(await boss.calls.apps.delete({ params: { id: app.id } })).toMatchObject({ code: 200, data: null });
  expect(await boss.calls.apps.delete({ params: { id: app.id } })).toMatchObject({ code: 404 });
  const left = async () => {
    await cleanBlobs();
    return { bytes: await sizeOf(settingsApk), icon: (await fetch(server.url + app.icon)).status };
  };
  // A job of the server cleans, too. So far, it may have removed only one of the two.
  await expect.poll(left).toEqual({ bytes: undefined, icon: 404 });
  expect((await accepted(settingsApk)).code).toBe(app.code);
});

test('content of an app is never an unfinished upload', async () => {
  const answer = await send(settingsApk);
  const id = answer.kind === 'done' ? answer.fileId : '';
  await expect(stat(`${server.config.data}/uploads/${id}`)).rejects.toThrow('ENOENT');
  await expect(stat(`${server.config.data}/uploads/${id}.icon`)).rejects.toThrow('ENOENT');
});

test('lists go page by page, newest first', async () => {
  for (const code of [1, 2, 3]) await accepted(await makeApk(code));
  const first = dataOf(await boss.calls.apps.list({ query: { limit: 2, total: 'true' } }));
  expect([first.items.map(({ code }) => code), first.total]).toEqual([[3, 2], 3]);
  const rest = dataOf(await boss.calls.apps.list({ query: { limit: 2, cursor: first.next ?? '' } }));
  expect([rest.items.map(({ code }) => code), rest.next]).toEqual([[1], null]);
});

describe('a device', () => {
  const Answer = z.object({ data: OfferedApp.nullish() });
  const ask = async (query: string, device?: { secret: string }) => {
    const { secret } = device ?? (await pairedDevice(server, member));
    const reply = await fetch(`${server.url}/api/player/app?${query}`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    return { status: reply.status, body: Answer.parse(await reply.json()) };
  };

  test('is offered the highest published version above its own', async () => {
    await addApp(server, boss, await makeApk(11), { forced: 'true' });
    const wanted = await addApp(server, boss, await makeApk(12));
    await accepted(await makeApk(13));
    const { body } = await ask(`package=${SETTINGS}&code=10`);
    expect(body.data).toMatchObject({ id: wanted.id, code: 12, sha256: wanted.sha256, bytes: wanted.bytes });
    expect((await fetch(server.url + body.data?.url)).status).toBe(200);
    // Version 11, which it skips, was forced.
    expect(body.data?.forced).toBe(true);
    expect((await ask(`package=${SETTINGS}&code=11`)).body.data?.forced).toBe(false);
  });

  test('is offered only the versions of its owner’s superiors', async () => {
    const root = await server.login();
    const neighbour = await server.createUser('leading');
    await addApp(server, neighbour, await makeApk(20), { forced: 'true' });
    const query = `package=${SETTINGS}&code=1`;
    expect((await ask(query)).body.data).toBeNull();
    await addApp(server, root, await makeApk(5));
    expect((await ask(query)).body.data).toMatchObject({ code: 5, forced: false, signer: signerOf('first') });
    const { id } = await addApp(server, boss, await makeApk(6));
    expect((await ask(query)).body.data).toMatchObject({ id, code: 6 });
    const disable = (disabled: boolean) =>
      root.calls.users.update({ params: { id: boss.user.id }, body: { disabled, ...(disabled && { remark: 'x' }) } });
    await disable(true);
    expect((await ask(query, await pairedDevice(server, root))).body.data).toMatchObject({ code: 5 });
    await disable(false);
    boss = await server.login(boss.user.username);
    member = await server.login(member.user.username);
  });

  test('is not offered an app that its nearest publisher has not signed', async () => {
    const root = await server.login();
    const below = await server.createUser('leading', boss);
    await addApp(server, below, await makeApk(5, '', 'second'));
    await addApp(server, root, await makeApk(9));
    const query = `package=${SETTINGS}&code=1`;
    expect((await ask(query, await pairedDevice(server, below))).body.data).toMatchObject({ code: 5 });
    expect((await ask(query)).body.data).toMatchObject({ code: 9 });
  });

  test('that is connected learns of a forced version at once, with the hash of its certificate', async () => {
    const device = await pairedDevice(server, member);
    const stranger = await pairedDevice(server, await server.createUser('member'));
    expect((await ask(`package=${SETTINGS}&code=5`, device)).body.data).toBeNull();
    const before = await device.manifest();
    expect(before.app).toBeNull();
    const channel = await device.open();
    expect(await channel.next()).toMatchObject({ type: 'manifest', version: before.version });
    const app = await addApp(server, boss, await makeApk(6), { forced: 'true' });
    const after = await device.manifest();
    // The notification about the installed app may still be on its way when the channel opens.
    await expect.poll(() => channel.next()).toMatchObject({ type: 'manifest', version: after.version });
    expect(after.app).toMatchObject({ id: app.id, forced: true, code: 6, signer: signerOf('first') });
    expect((await fetch(server.url + after.app?.url)).status).toBe(200);
    expect((await stranger.manifest()).app).toBeNull();
    await ask(`package=${SETTINGS}&code=6`, device);
    expect((await device.manifest()).app).toBeNull();
    await channel.close();
  });

  test('that has not reported which app it runs is offered the newest player', async () => {
    const device = await pairedDevice(server, member);
    await addApp(server, boss, await makeApk(6), { istype: '3' });
    expect((await device.manifest()).app).toBeNull();
    const { id } = await addApp(server, boss, await makeApk(7));
    expect((await device.manifest()).app).toMatchObject({ id });
    // Its player would refuse a manifest with an app.
    await server.deps.db.updateTable('devices').set({ player_version: '0.1.0' }).execute();
    await boss.calls.apps.update({ params: { id }, body: { name: 'New' } });
    await expect.poll(async () => (await device.manifest()).app).toBeNull();
  });

  test('is offered an app of before once its signer was read', async () => {
    const { id } = await addApp(server, boss, await makeApk(6));
    await server.deps.db.updateTable('apps').set({ signer: null }).where('id', '=', id).execute();
    const query = `package=${SETTINGS}&code=1`;
    expect((await ask(query)).body.data).toBeNull();
    await readSigners();
    expect((await ask(query)).body.data).toMatchObject({ id, signer: signerOf('first') });
  });

  test('is offered an app of before, also if another one could not be read', async () => {
    await addApp(server, boss, await makeApk(6));
    const { id } = await addApp(server, boss, await makeApk(7));
    await server.deps.db.updateTable('apps').set({ signer: null }).execute();
    const borrow = vi.spyOn(server.deps.blobs, 'borrow').mockRejectedValueOnce(new Error('a bad sector'));
    await expect(readSigners()).rejects.toThrow('a bad sector');
    borrow.mockRestore();
    expect((await ask(`package=${SETTINGS}&code=1`)).body.data).toMatchObject({ id });
    await readSigners();
  });

  test('is offered nothing when there is nothing newer', async () => {
    await addApp(server, boss, await makeApk(11));
    for (const query of [`package=${SETTINGS}&code=11`, 'package=com.example.other&code=0']) {
      expect(await ask(query)).toMatchObject({ status: 200, body: { data: null } });
    }
    expect((await ask(`package=${SETTINGS}`)).status).toBe(400);
  });
});
