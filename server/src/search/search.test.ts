import type { SearchHit, SearchKind } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const { db } = server.deps;
const MAC = '02:00:5e:10:00:01';
let boss: Session;
let member: Session;
let stranger: Session;
const ids: Partial<Record<SearchKind, string>> = {};

/** Owns one thing of each kind that is called “Lyon …”. */
beforeAll(async () => {
  boss = await server.createUser('leading');
  member = await server.createUser('member', boss);
  stranger = await server.createUser('leading');
  const body = { mac: MAC, name: 'Lyon station', ownerId: member.user.id };
  ids.device = dataOf(await boss.calls.devices.create({ body })).id;
  const file = await addFile(server, member, await makeMp4(), { name: 'Lyon.mp4', orientation: 'vertical', kind: 2 });
  ids.file = file.id;
  const ad = await addAd(member, 'Lyon 100%', file.id);
  ids.ad = ad.id;
  const release = { devices: { ids: [ids.device] } };
  ids.release = dataOf(await member.calls.ads.release({ params: { id: ad.id }, body: release })).id;
});

const search = async (who: Session, q: string): Promise<SearchHit[]> =>
  dataOf(await who.calls.search.list({ query: { q } })).items;
const found = async (who: Session, q: string) => (await search(who, q)).map(({ kind, id }) => [kind, id]);

test('finds devices, ads, files and releases by parts of their names, whatever the case', async () => {
  const all = (['device', 'ad', 'file', 'release'] as const).map((kind) => [kind, ids[kind]]);
  expect(await found(member, 'lYo')).toEqual(all);
  expect(await found(boss, ' lyon ')).toEqual(all);
  expect(await search(boss, 'lyon')).toMatchObject([
    { mac: MAC, name: 'Lyon station', owner: { id: member.user.id, username: member.user.username } },
    { name: 'Lyon 100%', orientation: 'vertical' },
    { name: 'Lyon.mp4', orientation: 'vertical', fileKind: 2, media: 'video' },
    { adName: 'Lyon 100%', withdrawn: false },
  ]);
});

test('finds campaigns by a part of their name, for their customer and the users above', async () => {
  const body = {
    name: 'Quai de Saône',
    customerId: member.user.id,
    adIds: [ids.ad ?? ''],
    devices: { ids: [ids.device ?? ''] },
    schedule: { from: '2098-01-01', to: '2098-01-31' },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'fixed' as const, amount: '100', currency: 'EUR' },
  };
  const { id } = dataOf(await boss.calls.campaigns.create({ body }));
  const owner = { id: member.user.id, username: member.user.username };
  expect(await search(member, 'SAÔNE')).toEqual([{ kind: 'campaign', id, name: 'Quai de Saône', owner }]);
  expect(await found(boss, 'quai de')).toEqual([['campaign', id]]);
  expect(await found(stranger, 'quai de')).toEqual([]);
});

test('finds nothing outside the scope', async () => {
  expect(await found(stranger, 'lyon')).toEqual([]);
  expect(await found(stranger, member.user.username)).toEqual([]);
});

test('finds users for leading users only', async () => {
  expect(await found(boss, member.user.username.toUpperCase())).toEqual([['user', member.user.id]]);
  expect(await found(member, member.user.username)).toEqual([]);
});

test('finds devices by MAC address in any notation, area and address', async () => {
  const body = { area: 'Presqu’île', address: '12 rue Mercière' };
  dataOf(await boss.calls.devices.update({ params: { id: ids.device ?? '' }, body }));
  const texts = ['02-00-5E-10-00-01', '5e100001', 'presqu', 'MERCIÈRE', '5e'];
  for (const q of texts) expect([q, await found(member, q)]).toEqual([q, [['device', ids.device]]]);
});

test('takes the signs of patterns for themselves', async () => {
  expect(await found(member, '100%')).toEqual([
    ['ad', ids.ad],
    ['release', ids.release],
  ]);
  expect(await found(member, 'L%n')).toEqual([]);
  expect(await found(member, 'L_on')).toEqual([]);
});

test('shows five of a kind: the very name first, then names that begin with the text, then the newest', async () => {
  const names = ['old quay 1', 'quay 1', ...['a', 'b', 'c', 'd', 'e'].map((letter) => `quay 1${letter}`), 'quay 12 x'];
  for (const [index, name] of names.entries()) {
    dataOf(await boss.calls.devices.create({ body: { mac: `02:00:5e:10:01:0${index}`, name } }));
  }
  const shown = (await search(boss, 'Quay 1')).map((hit) => (hit.kind === 'device' ? hit.name : hit.kind));
  expect(shown).toEqual(['quay 1', 'quay 12 x', 'quay 1e', 'quay 1d', 'quay 1c']);
});

test.each(['', ' ', 'x'.repeat(101)])('refuses a text of an unusual length: "%s"', async (q) => {
  expect(await member.calls.search.list({ query: { q } })).toMatchObject({ code: 400, error: 'INVALID' });
});

test('every table that is searched has an index of the pieces of its names', async () => {
  const { rows } = await sql<{ table: string }>`
    select distinct tablename as table from pg_indexes where indexdef ~ 'gin.*grams' order by 1`.execute(db);
  expect(rows.map(({ table }) => table)).toEqual(['ads', 'campaigns', 'device_words', 'files', 'releases', 'users']);
});
