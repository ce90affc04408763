import { createHash, randomUUID } from 'node:crypto';
import type { Ad, MediaFile } from '@ams/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeAll, expect, test, vi } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4, upload } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { openStream } from '../../test/stream.ts';

const server = await startTestServer();
let owner: Session;
let video: MediaFile;
let top: MediaFile;
let bytes: Buffer;

const picture = (colour: string): Promise<Buffer> =>
  sharp({ create: { width: 540, height: 240, channels: 3, background: colour } })
    .jpeg()
    .toBuffer();

beforeAll(async () => {
  owner = await server.createUser('member');
  bytes = await makeMp4(1, 2);
  video = await addFile(server, owner, bytes, { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
  top = await addFile(server, owner, await picture('red'), { name: 'top.jpg', orientation: 'vertical', kind: 3 });
});

const fullScreen = (name: string, fileId = video.id) => ({
  name,
  orientation: 'vertical' as const,
  split: 'full' as const,
  regions: { full: [{ kind: 'file' as const, fileId }] },
});

const makeAd = async (name: string, who = owner) => dataOf(await who.calls.ads.create({ body: fullScreen(name) }));

const release = async (adId: string, ids: string[], body: object = {}) =>
  dataOf(await owner.calls.ads.release({ params: { id: adId }, body: { devices: { ids }, ...body } }));

test('from an ad to a device that reports it done', async () => {
  const player = await pairedDevice(server, owner);
  const channel = await player.open();
  await channel.next();
  const ad = dataOf(
    await owner.calls.ads.create({
      body: {
        name: 'Autumn',
        orientation: 'vertical',
        split: 'three',
        showClock: true,
        regions: {
          top: [{ kind: 'file' as const, fileId: top.id, seconds: 7 }],
          middle: [{ kind: 'file' as const, fileId: video.id }],
          bottom: [],
        },
      },
    }),
  );
  expect(ad).toMatchObject({
    videos: 1,
    images: 1,
    devices: 0,
    releasedAt: null,
    playMode: 'sequence',
    fit: 'contain',
  });

  const sent = await release(ad.id, [player.device.id]);
  expect(sent).toMatchObject({ ad: { id: ad.id, name: 'Autumn' }, counts: { total: 1, waiting: 1, done: 0 } });
  const told = await channel.next();
  const manifest = await player.manifest();
  expect(told).toEqual({ type: 'manifest', version: manifest.version });
  expect(manifest.files.map((file) => file.sha256)).toEqual([top.sha256, video.sha256]);
  const programme = {
    releaseId: sent.id,
    adId: ad.id,
    name: 'Autumn',
    orientation: 'vertical',
    split: 'three',
    playMode: 'sequence',
    showClock: true,
    fit: 'contain',
    background: '#000000',
    muted: false,
    priority: 'normal',
    replace: true,
    schedule: null,
    regions: {
      top: [{ sha256: top.sha256, kind: 'file', media: 'image', durationMs: 7000 }],
      middle: [{ sha256: video.sha256, kind: 'file', media: 'video', durationMs: video.durationMs }],
    },
  };
  expect(manifest.screens).toEqual({ main: [programme], secondary: [programme] });

  const address = manifest.files[1]?.url ?? '';
  const part = await fetch(server.url + address, { headers: { range: 'bytes=10-19' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));

  const counts = async () => dataOf(await owner.calls.releases.get({ params: { id: sent.id } })).counts;
  const half = Math.round((video.bytes + top.bytes) / 2);
  const total = video.bytes + top.bytes;
  channel.status({
    manifestVersion: manifest.version,
    download: { state: 'downloading', doneBytes: half, totalBytes: total },
  });
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ downloading: 1, waiting: 0 }));
  channel.status({
    manifestVersion: manifest.version,
    download: { state: 'done', doneBytes: total, totalBytes: total },
    playing: { main: { releaseId: sent.id, sha256: video.sha256 } },
  });
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ done: 1, downloading: 0 }));
  const device = dataOf(await owner.calls.devices.get({ params: { id: player.device.id } }));
  expect(device).toMatchObject({
    download: { state: 'done' },
    playing: { main: { ad: { id: ad.id, name: 'Autumn' }, sha256: video.sha256 } },
    operator: { username: owner.user.username },
  });
  const { items } = dataOf(await owner.calls.releases.listDevices({ params: { id: sent.id } }));
  expect(items).toMatchObject([{ id: player.device.id, state: 'done', online: true }]);
  await channel.close();
});

test('a manifest that did not change answers 304', async () => {
  const player = await pairedDevice(server, owner);
  const first = await fetch(`${server.url}/api/player/manifest`, {
    headers: { authorization: `Bearer ${player.secret}` },
  });
  const etag = first.headers.get('etag') ?? '';
  const again = await fetch(`${server.url}/api/player/manifest`, {
    headers: { 'authorization': `Bearer ${player.secret}`, 'if-none-match': etag },
  });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

test.each(['*', '"a", W/"VERSION"', '"VERSION" , "b"', 'W/"VERSION"'])(
  'a manifest that If-None-Match: %s names answers 304',
  async (tags) => {
    const player = await pairedDevice(server, owner);
    const { version } = dataOf(await player.calls.player.manifest());
    const ask = (held: string): Promise<Response> =>
      fetch(`${server.url}/api/player/manifest`, {
        headers: { 'authorization': `Bearer ${player.secret}`, 'if-none-match': held },
      });
    const same = await ask(tags.replace('VERSION', version));
    expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', `"${version}"`]);
    const other = await ask('"a", "b"');
    expect([other.status, other.headers.get('etag')]).toEqual([200, `"${version}"`]);
  },
);

test('a later release replaces; withdrawing it brings the one before back, which is done at once', async () => {
  const player = await pairedDevice(server, owner);
  const first = await release((await makeAd('first')).id, [player.device.id]);
  const before = await player.manifest();
  const report = (version: string) =>
    player.calls.player.status({ body: { manifestVersion: version, download: { state: 'done' } } });
  dataOf(await report(before.version));
  const second = await release((await makeAd('second')).id, [player.device.id]);
  const playing = async () => (await player.manifest()).screens.main.map((programme) => programme.releaseId);
  expect(await playing()).toEqual([second.id]);
  const device = async () => dataOf(await owner.calls.devices.get({ params: { id: player.device.id } }));
  expect((await device()).download.state).toBe('waiting');
  const withdrawn = dataOf(await owner.calls.releases.withdraw({ params: { id: second.id } }));
  expect(withdrawn.withdrawnAt).not.toBeNull();
  expect(await playing()).toEqual([first.id]);
  // The device never left the first programme: its earlier report is still true.
  expect((await device()).download.state).toBe('done');
  const twice = dataOf(await owner.calls.releases.withdraw({ params: { id: second.id } }));
  expect(twice.withdrawnAt).toBe(withdrawn.withdrawnAt);
  const added = await release((await makeAd('third')).id, [player.device.id], { replace: false });
  expect(await playing()).toEqual([first.id, added.id]);
  dataOf(await owner.calls.ads.delete({ params: { id: added.ad.id } }));
  expect(await playing()).toEqual([first.id]);
  expect(dataOf(await owner.calls.releases.get({ params: { id: added.id } })).withdrawnAt).not.toBeNull();
});

test('an ad made for two screens names one of them', async () => {
  const player = await pairedDevice(server, owner);
  const ad = dataOf(await owner.calls.ads.create({ body: { ...fullScreen('dual'), dual: true } }));
  const devices = { ids: [player.device.id] };
  expect(await owner.calls.ads.release({ params: { id: ad.id }, body: { devices } })).toMatchObject({
    code: 422,
    error: 'SCREEN_REQUIRED',
  });
  const sent = await release(ad.id, [player.device.id], { screen: 'secondary' });
  const { screens } = await player.manifest();
  expect(screens.main).toEqual([]);
  expect(screens.secondary.map((programme) => programme.releaseId)).toEqual([sent.id]);
});

test('a release goes to all devices or to none', async () => {
  const mine = await pairedDevice(server, owner);
  const stranger = await server.createUser('member');
  const foreign = await pairedDevice(server, stranger);
  const ad = await makeAd('all or nothing');
  const send = (devices: object) =>
    owner.calls.ads.release({ params: { id: ad.id }, body: { devices: devices as { ids: string[] } } });
  expect(await send({ ids: [mine.device.id, foreign.device.id] })).toMatchObject({ code: 404 });
  expect((await mine.manifest()).screens.main).toEqual([]);
  expect(await send({ ids: [] })).toMatchObject({ code: 422, error: 'NO_DEVICES' });
  expect(await send({ filter: { q: 'no such device' } })).toMatchObject({ error: 'NO_DEVICES' });
  const twice = dataOf(await send({ ids: [mine.device.id, mine.device.id] }));
  expect(twice.counts.total).toBe(1);
  const everywhere = dataOf(await send({ filter: {} }));
  const { total } = dataOf(await owner.calls.devices.list({ query: { total: 'true' } }));
  expect(everywhere.counts.total).toBe(total);
});

test('a list counts the devices of each of its releases that the reader sees', async () => {
  const ad = await makeAd('counted');
  const players = await Promise.all([1, 2, 3].map(() => pairedDevice(server, owner)));
  const ids = players.map(({ device }) => device.id);
  const [first = '', second = ''] = ids;
  await release(ad.id, ids);
  await release(ad.id, [first]);
  await release(ad.id, [second]);
  const taker = await server.createUser('leading');
  const totals = async () => {
    const { items } = dataOf(await owner.calls.releases.list({ query: { ad: ad.id } }));
    return items.map(({ counts }) => counts.total);
  };
  expect(await totals()).toEqual([1, 1, 3]);
  // A device that somebody else has now is out of sight.
  await server.deps.db.updateTable('devices').set({ owner_id: taker.user.id }).where('id', '=', second).execute();
  expect(await totals()).toEqual([0, 1, 2]);
});

test('refuses impossible plays with a reason', async () => {
  const create = (body: object) => owner.calls.ads.create({ body: { ...fullScreen('bad'), ...body } });
  expect(await create({ regions: { full: [{ kind: 'file' as const, fileId: top.id }] } })).toMatchObject({
    code: 422,
    error: 'WRONG_KIND',
    details: { name: 'top.jpg' },
  });
  expect(
    await create({ orientation: 'horizontal', regions: { full: [{ kind: 'file' as const, fileId: video.id }] } }),
  ).toMatchObject({ error: 'WRONG_KIND' });
  expect(await create({ regions: { full: [] } })).toMatchObject({ code: 422, error: 'EMPTY_AD' });
  expect(
    await create({
      regions: { full: Array.from({ length: 31 }, () => ({ kind: 'file' as const, fileId: video.id })) },
    }),
  ).toMatchObject({
    code: 422,
    error: 'TOO_MANY_FILES',
    details: { max: 30 },
  });
  expect(await create({ orientation: 'horizontal', split: 'two' })).toMatchObject({ code: 400, error: 'INVALID' });
  expect(await create({ regions: { left: [{ kind: 'file' as const, fileId: video.id }] } })).toMatchObject({
    code: 400,
  });
  const stranger = await server.createUser('member');
  expect(await stranger.calls.ads.create({ body: fullScreen('theft') })).toMatchObject({ code: 404 });
  const answer = await upload(server, owner, await makeMp4(99, 8), {
    name: 'slow.mp4',
    orientation: 'vertical',
    kind: 2,
  });
  const early = await create({
    regions: { full: [{ kind: 'file', fileId: answer.kind === 'done' ? answer.fileId : '' }] },
  });
  expect(early).toMatchObject({ code: 422, error: 'FILE_NOT_READY', message: '“slow.mp4” is not ready yet' });
  const ad = await makeAd('schedule');
  const schedule = { from: '2026-12-31', to: '2026-01-01' };
  expect(
    await owner.calls.ads.release({ params: { id: ad.id }, body: { devices: { filter: {} }, schedule } }),
  ).toMatchObject({ code: 400, details: { fields: [{ rule: 'schedule.order' }] } });
});

test('two operators edit one ad: the second is notified, and nothing is overwritten', async () => {
  const ad = await makeAd('together');
  const put = (name: string, updatedAt: string) =>
    owner.calls.ads.update({ params: { id: ad.id }, body: { ...fullScreen(name), updatedAt } });
  const changed = dataOf(await put('mine', ad.updatedAt));
  expect(await put('theirs', ad.updatedAt)).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  expect(dataOf(await put('mine again', changed.updatedAt)).name).toBe('mine again');
});

test('refuses to delete a file in an active release, naming the ads', async () => {
  const player = await pairedDevice(server, owner);
  const file = await addFile(server, owner, await makeMp4(7), { name: 'kept.mp4', orientation: 'vertical', kind: 2 });
  const ad = dataOf(await owner.calls.ads.create({ body: fullScreen('keeper', file.id) }));
  const sent = await release(ad.id, [player.device.id]);
  expect(await owner.calls.files.delete({ params: { id: file.id } })).toMatchObject({
    code: 409,
    error: 'FILE_IN_USE',
    details: { ads: ['keeper'] },
  });
  dataOf(await owner.calls.releases.withdraw({ params: { id: sent.id } }));
  dataOf(await owner.calls.files.delete({ params: { id: file.id } }));
  expect(dataOf(await owner.calls.ads.get({ params: { id: ad.id } })).videos).toBe(0);
});

test('reports a file deleted after its selection before anything is uploaded', async () => {
  const player = await pairedDevice(server, owner);
  const file = await addFile(server, owner, await makeMp4(11), { name: 'gone.mp4', orientation: 'vertical', kind: 2 });
  const regions = {
    full: [
      { kind: 'file' as const, fileId: video.id },
      { kind: 'file' as const, fileId: file.id },
    ],
  };
  const ad = dataOf(await owner.calls.ads.create({ body: { ...fullScreen('gap'), regions } }));
  dataOf(await owner.calls.files.delete({ params: { id: file.id } }));
  const body = { devices: { ids: [player.device.id] }, updatedAt: ad.updatedAt };
  expect(await owner.calls.ads.release({ params: { id: ad.id }, body })).toMatchObject({
    code: 409,
    error: 'CHANGED_MEANWHILE',
  });
  const again = { ...fullScreen('gap'), regions };
  expect(await owner.calls.ads.create({ body: again })).toMatchObject({
    code: 404,
    error: 'FILE_GONE',
    details: { fileId: file.id },
  });
  expect((await player.manifest()).screens.main).toEqual([]);
  const { updatedAt, videos } = dataOf(await owner.calls.ads.get({ params: { id: ad.id } }));
  expect(videos).toBe(1);
  dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body: { ...body, updatedAt } }));
});

test('a copy of an ad is an independent ad with the same content', async () => {
  const ad = await makeAd('original');
  const copy = dataOf(await owner.calls.ads.copy({ params: { id: ad.id }, body: { name: 'copy' } }));
  const { id: _id, name: _name, createdAt: _created, updatedAt: _updated, regions, ...same } = ad;
  expect(copy).toMatchObject({ ...same, name: 'copy' });
  expect(copy.regions.full?.map(({ fileId }) => fileId)).toEqual(regions.full?.map(({ fileId }) => fileId));
  dataOf(await owner.calls.ads.delete({ params: { id: ad.id } }));
  expect(dataOf(await owner.calls.ads.get({ params: { id: copy.id } })).videos).toBe(1);
});

/** Devices that nobody switches on, all of one owner. */
const addDevices = (ownerId: string, count: number): Promise<unknown> =>
  sql`insert into devices (id, mac, owner_id)
    select gen_random_uuid(), 'many-' || ${ownerId}::text || n, ${ownerId} from generate_series(1, ${count}::int) n`.execute(
    server.deps.db,
  );

/** An ad in three regions, with one picture at the top. */
async function splitAd(who: Session, name: string, colour: string): Promise<Ad> {
  const wishes = { name: 'top.jpg', orientation: 'vertical' as const, kind: 3 };
  const { id } = await addFile(server, who, await picture(colour), wishes);
  const regions = { top: [{ kind: 'file' as const, fileId: id }] };
  return dataOf(await who.calls.ads.create({ body: { name, orientation: 'vertical', split: 'three', regions } }));
}

test('a release to 10,000 devices is on all of them or on none, and its copy is stored once', async () => {
  const many = await server.createUser('leading');
  const ad = await splitAd(many, 'many', 'blue');
  await addDevices(many.user.id, 10_000);
  const member = await server.createUser('member', many);
  await addDevices(member.user.id, 1);
  const ids = (
    await server.deps.db.selectFrom('devices').select('id').where('owner_id', '=', many.user.id).execute()
  ).map(({ id }) => id);
  const send = (devices: { ids: string[] } | { filter: object }) =>
    many.calls.ads.release({ params: { id: ad.id }, body: { devices } });
  const touched = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from devices_now where owner_id = ${many.user.id} and revision > 1`.execute(
      server.deps.db,
    );
    return rows[0]?.count ?? 0;
  };
  const foreign = (await pairedDevice(server, owner)).device.id;
  expect(await send({ ids: [...ids, foreign] })).toMatchObject({ code: 404 });
  expect(await touched()).toBe(0);
  expect(dataOf(await many.calls.releases.list({ query: { ad: ad.id } })).items).toEqual([]);

  const sent = dataOf(await send({ ids: [...ids, ...ids.slice(0, 10)] }));
  expect(sent.counts).toMatchObject({ total: 10_000, waiting: 10_000 });
  expect(await touched()).toBe(10_000);
  expect(dataOf(await send({ filter: {} })).counts.total).toBe(10_001);
  const { rows } = await sql<{ copies: number }>`
    select count(*) as copies from releases where ad_id = ${ad.id}`.execute(server.deps.db);
  expect(rows[0]?.copies).toBe(2);
});

test('two releases to the same devices at once both arrive', async () => {
  const many = await server.createUser('member');
  await addDevices(many.user.id, 500);
  const ad = await splitAd(many, 'both', 'green');
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      many.calls.ads.release({ params: { id: ad.id }, body: { devices: { filter: {} } } }),
    ),
  );
  expect(answers.map((answer) => dataOf(answer).counts.total)).toEqual([500, 500, 500, 500, 500, 500]);
});

test('a device receives its merchant’s new phone number at once, and no content waits for it', async () => {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  const player = await pairedDevice(server, member);
  const { version } = await player.manifest();
  dataOf(await player.calls.player.status({ body: { manifestVersion: version, download: { state: 'done' } } }));
  const channel = await player.open();
  await channel.next();
  dataOf(await boss.calls.users.update({ params: { id: boss.user.id }, body: { phone: '+49 30 7654321' } }));
  expect(await channel.next()).toMatchObject({ type: 'manifest' });
  expect((await player.manifest()).merchant).toEqual({ username: boss.user.username, phone: '+49 30 7654321' });
  const device = dataOf(await member.calls.devices.get({ params: { id: player.device.id } }));
  expect(device.download.state).toBe('done');
  await channel.close();
});

test('plays count once however often a batch comes, and only those that can be true', async () => {
  const player = await pairedDevice(server, owner);
  const sent = await release((await makeAd('proof')).id, [player.device.id]);
  const play = (releaseId: string, at = new Date()) => ({
    releaseId,
    sha256: video.sha256,
    at: at.toISOString(),
    durationMs: 2000,
    screen: 'main' as const,
  });
  const body = {
    batch: randomUUID(),
    plays: [
      play(sent.id),
      play(sent.id, new Date(Date.now() - 5000)),
      play(randomUUID()),
      play(sent.id, new Date(Date.now() + 86_400_000)),
    ],
  };
  const today = async () => dataOf(await owner.calls.home.summary()).resources.playsToday;
  const before = await today();
  const answers = await Promise.all([1, 2, 3].map(() => player.calls.player.plays({ body })));
  expect(answers.map((answer) => dataOf(answer).accepted)).toEqual([2, 2, 2]);
  expect(await today()).toBe(before + 2);
  const { history } = dataOf(await owner.calls.home.summary());
  expect(history.plays).toHaveLength(14);
  expect(history.online).toHaveLength(25);
});

test('operators receive only changes in their scope, at most once a second', async () => {
  const stranger = await server.createUser('member');
  const listen = async (token: string) => {
    const stop = new AbortController();
    const reply = await fetch(`${server.url}/api/live`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    const heard: string[] = [];
    const read = async (): Promise<void> => {
      for await (const chunk of reply.body ?? []) heard.push(Buffer.from(chunk).toString());
    };
    read().catch(() => undefined);
    return { text: () => heard.join(''), stop: () => stop.abort() };
  };
  const began = Date.now();
  const mine = await listen(owner.token);
  const theirs = await listen(stranger.token);
  const player = await pairedDevice(server, owner);
  await vi.waitFor(() => expect(mine.text()).toContain(player.device.id), { interval: 20 });
  const sent = await release((await makeAd('live')).id, [player.device.id]);
  await vi.waitFor(() => expect(mine.text()).toContain(`event: release\ndata: {"ids":["${sent.id}"]}`), {
    interval: 20,
  });
  for (let n = 0; n < 20; n += 1) {
    dataOf(await owner.calls.devices.update({ params: { id: player.device.id }, body: { name: `name ${n}` } }));
  }
  const seconds = (Date.now() - began) / 1000;
  expect(mine.text().match(/event: device/g)?.length).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
  expect(theirs.text()).not.toContain('event:');
  mine.stop();
  theirs.stop();
});

test('a withdrawal can be undone for a minute by the one who withdrew', async () => {
  const player = await pairedDevice(server, owner);
  const ad = await makeAd('Undone');
  const sent = await release(ad.id, [player.device.id]);
  const params = { id: sent.id };
  const playing = async () => (await player.manifest()).screens.main.map(({ releaseId }) => releaseId);
  const restore = (who: Session) => who.calls.releases.restore({ params });
  expect(await restore(owner)).toMatchObject({ code: 409, error: 'UNDO_OVER' });

  dataOf(await owner.calls.releases.withdraw({ params }));
  expect(await playing()).toEqual([]);
  expect(await restore(await server.login())).toMatchObject({ code: 409, error: 'UNDO_OVER' });
  expect(dataOf(await restore(owner))).toMatchObject({ withdrawnAt: null, withdrawnBy: null, counts: { total: 1 } });
  expect(await playing()).toEqual([sent.id]);
  expect(await restore(owner)).toMatchObject({ error: 'UNDO_OVER' });

  dataOf(await owner.calls.releases.withdraw({ params }));
  await sql`update releases set withdrawn_at = now() - interval '61 seconds' where id = ${sent.id}`.execute(
    server.deps.db,
  );
  expect(await restore(owner)).toMatchObject({ code: 409, error: 'UNDO_OVER' });
  expect(await playing()).toEqual([]);
});

test('what was taken back comes back with files that are served as a copy of what was uploaded', async () => {
  const photo = await sharp({ create: { width: 540, height: 960, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Artist: 'Jane Owner' } })
    .jpeg()
    .toBuffer();
  const file = await addFile(server, owner, photo, { name: 'photo.jpg', orientation: 'vertical', kind: 1 });
  expect(file.sha256).not.toBe(createHash('sha256').update(photo).digest('hex'));
  const player = await pairedDevice(server, owner);
  const ad = dataOf(await owner.calls.ads.create({ body: fullScreen('Photo', file.id) }));
  const { id } = await release(ad.id, [player.device.id]);
  const playing = async () => (await player.manifest()).screens.main.map(({ releaseId }) => releaseId);
  dataOf(await owner.calls.releases.withdraw({ params: { id } }));
  dataOf(await owner.calls.releases.restore({ params: { id } }));
  expect(await playing()).toEqual([id]);
  const { undo = '' } = dataOf(await owner.calls.batches.start({ body: { ids: [player.device.id], action: 'clear' } }));
  expect(await playing()).toEqual([]);
  dataOf(await owner.calls.batches.undo({ body: { undo } }));
  expect(await playing()).toEqual([id]);
});

test('an undone withdrawal leaves out devices that were handed over meanwhile', async () => {
  const dealer = await server.createUser('leading');
  const [one, other] = [await server.createUser('member', dealer), await server.createUser('member', dealer)];
  const devices = [(await pairedDevice(server, one)).device.id, (await pairedDevice(server, one)).device.id];
  const file = await addFile(server, one, bytes, { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
  const ad = dataOf(await one.calls.ads.create({ body: fullScreen('Moved', file.id) }));
  const body = { devices: { ids: devices } };
  const { id } = dataOf(await one.calls.ads.release({ params: { id: ad.id }, body }));
  dataOf(await one.calls.releases.withdraw({ params: { id } }));
  const [lost = ''] = devices;
  dataOf(await dealer.calls.devices.update({ params: { id: lost }, body: { ownerId: other.user.id } }));
  expect(dataOf(await one.calls.releases.restore({ params: { id } })).counts.total).toBe(1);
  expect(dataOf(await other.calls.devices.listFiles({ params: { id: lost } }))).toMatchObject({ items: [] });
});

test('an undone withdrawal leaves out devices that somebody else cleared meanwhile', async () => {
  const [one, other] = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  const ad = await makeAd('Cleared');
  const { id } = await release(ad.id, [one.device.id, other.device.id]);
  dataOf(await owner.calls.releases.withdraw({ params: { id } }));
  dataOf(await (await server.login()).calls.devices.clear({ params: { id: one.device.id } }));
  dataOf(await owner.calls.devices.clear({ params: { id: other.device.id } }));
  expect(dataOf(await owner.calls.releases.restore({ params: { id } })).counts.total).toBe(1);
  expect((await one.manifest()).screens.main).toEqual([]);
  expect((await other.manifest()).screens.main).toHaveLength(1);
});

test('a stream begins with what changed just before: the page may have read what it shows before that', async () => {
  const stranger = await server.createUser('member');
  const { device } = await pairedDevice(server, owner);
  const [mine, theirs] = [await openStream(server, owner), await openStream(server, stranger)];
  expect(await mine.hears(device.id)).toBe(true);
  const own = await pairedDevice(server, stranger);
  expect(await theirs.hears(own.device.id)).toBe(true);
  expect(theirs.text()).not.toContain(device.id);
});
