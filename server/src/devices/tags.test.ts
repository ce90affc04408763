import { TAGS_MAX } from '@ams/contract';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, test } from 'vitest';
import { up } from '../../migrations/0096_unseen_characters_of_tags.ts';
import { makeDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Tags of devices: on a device, in batches and lists, and suggested. Sheets have them in `sheets.test.ts`. */
const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const boss = await server.createUser('leading');
const member = await server.createUser('member', boss);
let made = 0;
const addDevice = async (tags: string[], owner: Session = boss): Promise<string> => {
  made += 1;
  const mac = `0c${made.toString(16).padStart(10, '0')}`;
  return dataOf(await boss.calls.devices.create({ body: { mac, ownerId: owner.user.id, tags } })).id;
};
const tagsOf = async (id: string) => dataOf(await boss.calls.devices.get({ params: { id } })).tags;
const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

test('a device has tags in one form: without case, width, spaces at the ends and repetition', async () => {
  const id = await addDevice(['Lyon', 'ＰＯＲＴＲＡＩＴ'], member);
  expect(await tagsOf(id)).toEqual(['lyon', 'portrait']);
  const patch = (tags: string[]) => member.calls.devices.update({ params: { id }, body: { tags } });
  expect(dataOf(await patch([' LYON ', 'lyon', 'Cafe\u0301', 'café'])).tags).toEqual(['café', 'lyon']);
  expect(dataOf(await patch(['café', 'cafe', 'CAFE'])).tags).toEqual(['cafe', 'café']);
  expect(dataOf(await patch(['café', 'lyon'])).tags).toEqual(['café', 'lyon']);
  for (const tag of ['', ' ', '\u200b', 'x'.repeat(31), 'a,b', 'a;b']) {
    expect(await patch([tag])).toMatchObject({ code: 400, details: { fields: [{ rule: 'tag.invalid' }] } });
  }
  expect(await patch(many(TAGS_MAX + 1))).toMatchObject({ code: 400, details: { fields: [{ rule: 'tag.count' }] } });
  expect(await tagsOf(id)).toEqual(['café', 'lyon']);
  expect(dataOf(await patch([])).tags).toEqual([]);
});

test('tags, area and address are no content: a device that has its content does not wait for it', async () => {
  const id = await addDevice([]);
  await sql`update device_revisions set done_revision = revision where device_id = ${id}`.execute(server.deps.db);
  const change = async (body: object) =>
    dataOf(await boss.calls.devices.update({ params: { id }, body })).download.state;
  expect(await change({ tags: ['lyon'], area: 'Lyon', address: '1 rue X' })).toBe('done');
  dataOf(await boss.calls.batches.start({ body: { ids: [id], action: 'tag', add: ['shop'] } }));
  expect(dataOf(await boss.calls.devices.get({ params: { id } }))).toMatchObject({
    tags: ['lyon', 'shop'],
    download: { state: 'done' },
  });
  expect(await change({ name: 'Entrance' })).toBe('waiting');
});

test('a tag is no word that devices are found by: their words are not written again', async () => {
  const id = await addDevice([]);
  const written = async () =>
    (await sql<{ xmin: string }>`select xmin::text from device_words where device_id = ${id}`.execute(server.deps.db))
      .rows;
  const found = async (q: string) =>
    dataOf(await boss.calls.devices.list({ query: { q } })).items.some((device) => device.id === id);
  const change = async (body: object) => dataOf(await boss.calls.devices.update({ params: { id }, body }));
  const before = await written();
  await change({ tags: ['lyon'] });
  expect(await written()).toEqual(before);
  for (const body of [{ name: 'Doorway' }, { area: 'Doorway Hill' }, { address: 'Doorway Street' }, { name: 'Door' }]) {
    await change(body);
    expect(await found(Object.values(body).join(''))).toBe(true);
  }
  await change({ area: null, address: null });
  expect(await found('Doorway')).toBe(false);
});

test('pairing gives tags', async () => {
  const player = makeDevice(server);
  const enrolled = dataOf(
    await player.calls.player.enrol({ body: { mac: player.mac, screens: [{ width: 1920, height: 1080 }] } }),
  );
  const code = enrolled.state === 'pairing' ? enrolled.code : '';
  expect(dataOf(await member.calls.devices.pair({ body: { code, tags: ['Shop'] } })).tags).toEqual(['shop']);
});

test('a list shows devices that have all, any or none of some tags', async () => {
  const owner = await server.createUser('leading');
  const add = async (tags: string[]) => {
    const id = await addDevice([]);
    const session = await server.login();
    dataOf(await session.calls.devices.update({ params: { id }, body: { tags, ownerId: owner.user.id } }));
    return id;
  };
  const both = await add(['lyon', 'portrait']);
  const one = await add(['lyon']);
  const none = await add([]);
  const found = async (query: object) => dataOf(await owner.calls.devices.list({ query })).items.map(({ id }) => id);
  expect(await found({ tag: 'LYON' })).toEqual([one, both]);
  expect(await found({ tag: ['lyon', 'Portrait'] })).toEqual([both]);
  expect(await found({ anyTag: ['portrait', 'other'] })).toEqual([both]);
  expect(await found({ noTag: 'portrait' })).toEqual([none, one]);
  expect(await found({ tag: 'lyon', noTag: 'portrait' })).toEqual([one]);
  expect(await found({ anyTag: 'nobody' })).toEqual([]);
  expect((await owner.calls.devices.list({ query: { tag: 'x'.repeat(31) } })).code).toBe(400);
});

test('a batch adds and removes tags by filter, shows before what it changes, and can be undone', async () => {
  const ids = [await addDevice(['old', 'batch']), await addDevice(['batch', 'new'])];
  const filter = { tags: { all: ['Batch'] } };
  const order = { filter, action: 'tag' as const, add: ['New'], remove: ['old'] };
  const preview = dataOf(await member.calls.batches.start({ body: { ...order, dryRun: true } }));
  expect(preview.done).toBe(0);
  expect(dataOf(await boss.calls.batches.start({ body: { ...order, dryRun: true } })).preview).toEqual({
    changes: [{ from: 'batch, old', to: 'batch, new', devices: 1 }],
    unchanged: 1,
    earlier: 0,
  });
  const batch = dataOf(await boss.calls.batches.start({ body: order }));
  expect(batch).toMatchObject({ done: 2, failed: [] });
  const { items: entries } = dataOf(await boss.calls.users.listAudit({ query: { limit: 5 } }));
  expect(entries.find(({ action }) => action === 'devices.batch.tag')?.details).toMatchObject({
    changes: [{ from: 'batch, old', to: 'batch, new', devices: 1 }],
  });
  for (const id of ids) expect(await tagsOf(id)).toEqual(['batch', 'new']);
  dataOf(await boss.calls.batches.undo({ body: { undo: batch.undo ?? '' } }));
  expect(await tagsOf(ids[0] ?? '')).toEqual(['batch', 'old']);
  expect(await tagsOf(ids[1] ?? '')).toEqual(['batch', 'new']);
});

test('a device that would have too many tags stays as it is, and the others are tagged', async () => {
  const full = await addDevice(many(TAGS_MAX));
  const free = await addDevice([]);
  const body = { ids: [full, free], action: 'tag' as const, add: ['more'] };
  expect(dataOf(await boss.calls.batches.start({ body }))).toMatchObject({
    done: 1,
    failed: [{ id: full, error: 'TOO_MANY_TAGS' }],
  });
  expect(await tagsOf(full)).toHaveLength(TAGS_MAX);
  expect(await tagsOf(free)).toEqual(['more']);
  expect((await boss.calls.batches.start({ body: { ids: [free], action: 'tag' } })).code).toBe(400);
});

test('two operators that tag the same devices at once lose nothing', async () => {
  const ids = await Promise.all([addDevice([]), addDevice([])]);
  await Promise.all(many(8).map((tag) => boss.calls.batches.start({ body: { ids, action: 'tag', add: [tag] } })));
  for (const id of ids) expect(await tagsOf(id)).toEqual(many(8));
});

test('tags in scope are suggested, the most frequent first', async () => {
  await addDevice(['suggest one', 'suggest two']);
  await addDevice(['suggest two']);
  const tags = async (q: string, session: Session) => dataOf(await session.calls.devices.tags({ query: { q } })).items;
  expect(await tags('SUGGEST', boss)).toEqual(['suggest two', 'suggest one']);
  expect(await tags('gest one', boss)).toEqual(['suggest one']);
  expect(await tags('%', boss)).toEqual([]);
  expect(await tags('', await server.createUser('member'))).toEqual([]);
});

test('tags that differ in characters that nobody sees are one, also in filters', async () => {
  const id = await addDevice(['foyer', 'fo\u200byer', '\ufefffoyer']);
  expect(await tagsOf(id)).toEqual(['foyer']);
  const { items } = dataOf(await boss.calls.devices.list({ query: { tag: 'foyer\u200e' } }));
  expect(items.map((device) => device.id)).toEqual([id]);
});

test('stored tags lose the characters that nobody sees, in devices and in filters', async () => {
  const { db } = server.deps;
  const id = await addDevice([]);
  const stored = ['atrium', 'atri\u200bum', 'café'];
  await sql`update devices set tags = ${stored} where id = ${id}`.execute(db);
  const filter = { tags: { all: ['atrium'], none: ['cellar'] } };
  const group = dataOf(await boss.calls.groups.create({ body: { name: 'Atrium', filter } }));
  const old = { tags: { all: ['atri\u200bum'], none: ['cell\u00adar'] } };
  await sql`update groups set filter = ${JSON.stringify(old)}::jsonb where id = ${group.id}`.execute(db);
  const ad = await addPictureAd(server, boss);
  const body = { devices: { filter: { tags: { any: ['atrium'] } } }, standing: true };
  const release = dataOf(await boss.calls.ads.release({ params: { id: ad.id }, body }));
  await sql`
    update standing_releases set tags_any = '{"atri\u200bum"}' where release_id = ${release.id}`.execute(db);
  const migration: Migration = { up };
  await db.transaction().execute((trx) => migration.up(trx));
  expect(await tagsOf(id)).toEqual(['atrium', 'café']);
  const { rows } = await sql`select filter from groups where id = ${group.id}`.execute(db);
  expect(rows).toEqual([{ filter }]);
  expect(dataOf(await boss.calls.groups.get({ params: { id: group.id } })).devices).toBe(1);
  const standing = await sql`
    select tags_all, tags_any, tags_none from standing_releases where release_id = ${release.id}`.execute(db);
  expect(standing.rows).toEqual([{ tags_all: [], tags_any: ['atrium'], tags_none: [] }]);
});
