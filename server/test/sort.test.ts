import { AD_SORTS, DEVICE_SORTS, FILE_SORTS, RELEASE_SORTS, routes, USER_SORTS } from '@ams/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { addAd } from './ads.ts';
import { makeDevice, pairedDevice } from './device.ts';
import { addFile } from './media.ts';
import { smallPicture } from './scene.ts';
import { dataOf, type Session, startTestServer } from './server.ts';

const server = await startTestServer();
let boss: Session;

/** Names in their order: numbers by value, regardless of case and accents. The last two are equal. */
const NAMES = ['éclair 2', 'Eclair 10', 'north', 'North 1', 'screen 2', 'Screen 2'];
const AREAS = [null, null, 'harbour', 'Mitte', 'mitte', null];
const EXPIRIES = ['2030-01-01', null, '2031-05-05', '2030-01-01', null, '2029-01-01'];

const Listed = z.looseObject({ id: z.uuid() });
const Page = z.object({ data: z.object({ items: z.array(Listed), next: z.string().nullable() }) });
const Refusal = z.object({ error: z.string() });
type Listed = z.output<typeof Listed>;

const get = (path: string, query: Record<string, string>, who = boss): Promise<Response> =>
  fetch(`${server.url}${path}?${new URLSearchParams(query).toString()}`, {
    headers: { authorization: `Bearer ${who.token}` },
  });

/** All rows of a list, page by page. */
async function walk(path: string, sort: string, who = boss): Promise<Listed[]> {
  const items: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const reply = await get(path, { sort, limit: '2', ...(cursor && { cursor }) }, who);
    const { data } = Page.parse(await reply.json());
    items.push(...data.items);
    cursor = data.next;
  }
  return items;
}

beforeAll(async () => {
  boss = await server.createUser('leading');
  const below = await Promise.all([1, 2, 3].map(() => server.createUser('member', boss)));
  const owners = [boss, ...below, boss, boss];
  for (const [index, name] of NAMES.entries()) {
    const owner = owners[index] ?? boss;
    const { mac } = makeDevice(server);
    const device = dataOf(
      await boss.calls.devices.create({
        body: { mac, name, ownerId: owner.user.id, area: AREAS[index] ?? undefined },
      }),
    );
    const body = { expiresAt: EXPIRIES[index] ?? null };
    dataOf(await boss.calls.devices.update({ params: { id: device.id }, body }));
    const file = await addFile(server, owner, await smallPicture(), {
      name: `${name}.jpg`,
      orientation: 'vertical',
      kind: 1,
    });
    const ad = await addAd(owner, name, file.id);
    if (index % 2 === 0) continue;
    const { device: paired } = await pairedDevice(server, owner);
    const devices = { ids: [paired.id] };
    dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
    dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
  }
}, 120_000);

const LISTS = [
  { route: routes.devices.list, sorts: DEVICE_SORTS },
  { route: routes.users.list, sorts: USER_SORTS },
  { route: routes.files.list, sorts: FILE_SORTS },
  { route: routes.ads.list, sorts: AD_SORTS },
  { route: routes.releases.list, sorts: RELEASE_SORTS },
];

describe.each(LISTS)('$route.url', ({ route: { url }, sorts }) => {
  test.each([...sorts])('by %s answers every row once, up and down', async (key) => {
    const { data } = Page.parse(await (await get(url, { limit: '100' })).json());
    const up = (await walk(url, key)).map(({ id }) => id);
    const down = (await walk(url, `-${key}`)).map(({ id }) => id);
    expect(up.length).toBeGreaterThan(3);
    expect(up.toSorted()).toEqual(data.items.map(({ id }) => id).toSorted());
    expect(down).toEqual(up.toReversed());
  });

  test('refuses what is no sort of it, and the cursor of another', async () => {
    const [key] = sorts;
    const { data } = Page.parse(await (await get(url, { sort: key, limit: '1' })).json());
    const cursor = data.next ?? '';
    const unsorted = Page.parse(await (await get(url, { limit: '1' })).json()).data.next ?? '';
    const forged = (...keyset: unknown[]) => Buffer.from(JSON.stringify(keyset)).toString('base64url');
    const [id] = data.items.map((item) => item.id);
    const refused: Record<string, string>[] = [
      ...['', 'id', '--name', 'name;drop table users', 'name desc', `${key},id`, '- name', 'toString'].map((sort) => ({
        sort,
      })),
      { sort: `-${key}`, cursor },
      { sort: sorts.at(-1) ?? '', cursor },
      { cursor },
      { sort: key, cursor: unsorted },
      ...[`a'b\0`, '\ud800', 7, null].map((value) => ({ sort: key, cursor: forged(key, value, id) })),
      { sort: key, cursor: forged(key, 'a', "' or true") },
      { sort: sorts.at(-1) ?? '', cursor: forged(sorts.at(-1), '2026-02-30T00:00:00Z', id) },
    ];
    for (const query of refused) {
      const reply = await get(url, query);
      expect({ query, status: reply.status, ...Refusal.parse(await reply.json()) }).toEqual({
        query,
        status: 400,
        error: 'INVALID',
      });
    }
  });

  test('keeps its scope, its filters and its total', async () => {
    const member = await server.createUser('member', boss);
    const seen = (await walk(url, `-${sorts[0]}`, member)).filter(({ id }) => id !== member.user.id);
    expect(seen).toEqual([]);
    const reply = await get(url, { sort: sorts[0], total: 'true', limit: '1', q: 'no such thing' });
    expect(await reply.json()).toMatchObject({ data: { items: [], next: null, total: 0 } });
  });
});

const values = async (path: string, sort: string, key: string): Promise<unknown[]> =>
  (await walk(path, sort)).map((item) => item[key]);

test('names are in the order of people', async () => {
  const names = (await values('/api/ads', 'name', 'name')).map((name) => String(name).toLowerCase());
  expect(names).toEqual(NAMES.map((name) => name.toLowerCase()));
});

test('a device without an area comes before all areas, one that never expires after all dates', async () => {
  const areas = await values('/api/devices', 'area', 'area');
  expect(areas.slice(-3)).toEqual(['harbour', expect.stringMatching(/mitte/i), expect.stringMatching(/mitte/i)]);
  const dates = await values('/api/devices', 'expiresAt', 'expiresAt');
  const known = dates.filter((date) => date !== null);
  expect(known).toEqual(known.toSorted());
  expect(dates.slice(known.length)).toEqual([null, null]);
});

test('a connected device was seen last, one that was never connected first', async () => {
  const here = await pairedDevice(server, boss);
  const channel = await here.open();
  await channel.next();
  expect((await walk('/api/devices', '-lastSeenAt'))[0]?.id).toBe(here.device.id);
  expect((await values('/api/devices', 'lastSeenAt', 'lastSeenAt'))[0]).toBeNull();
  await channel.close();
});

test('an ad that was never released comes first, and the last released last', async () => {
  const releasedAt = await values('/api/ads', 'releasedAt', 'releasedAt');
  expect(releasedAt.slice(0, 3)).toEqual([null, null, null]);
  expect(releasedAt.slice(3)).toEqual(releasedAt.slice(3).toSorted());
});
