import { addDays, type Route, routes } from '@ams/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { growTree } from '../fuzz/world.ts';
import { dataOf, startTestServer } from '../server.ts';

const server = await startTestServer();
const admin = await server.login();
const TODAY = new Date().toISOString().slice(0, 10);
const ROWS = 3;

for (let n = 0; n < ROWS; n += 1) {
  const { boss, things } = await growTree(server, `row ${n}`);
  const { ad = '', device = '' } = things;
  const from = addDays(TODAY, 40 - n);
  const body = {
    ...{ name: `campaign ${n}`, adIds: [ad], devices: { ids: [device] }, goal: { kind: 'share' as const, value: 10 } },
    schedule: { from, to: addDays(from, 7) },
    price: { kind: 'fixed' as const, amount: '1', currency: 'EUR' },
  };
  dataOf(await boss.calls.campaigns.create({ body }));
}

const Properties = z.object({ properties: z.object({ sort: z.object({ enum: z.array(z.string()) }) }) });

/** The orders that a list can be asked for. */
function sortsOf({ query }: Route): string[] {
  if (!query) return [];
  const schema = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return Properties.safeParse(schema).data?.properties.sort.enum ?? [];
}

const LISTS = Object.values(routes)
  .flatMap((table): Route[] => Object.values(table))
  .map((route): [string, string[]] => [route.url, sortsOf(route)])
  .filter(([, sorts]) => sorts.length > 0);

const Answer = z.object({
  code: z.literal(200),
  data: z.object({ items: z.array(z.object({ id: z.string() })), next: z.string().nullable() }),
});

/** The ids of a whole list, so many at a time. */
async function idsOf(url: string, sort: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null = null;
  do {
    const query = new URLSearchParams({ sort, limit: String(limit), ...(next !== null && { cursor: next }) });
    const reply = await fetch(`${server.url}${url}?${query.toString()}`, {
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const { data } = Answer.parse(await reply.json());
    ids.push(...data.items.map(({ id }) => id));
    next = data.next;
  } while (next !== null);
  return ids;
}

test('the lists of users, devices, files, ads, releases and campaigns can be sorted', () => {
  expect(LISTS.map(([url]) => url.replace('/api/', '')).toSorted()).toEqual(
    ['ads', 'campaigns', 'devices', 'files', 'releases', 'users'].toSorted(),
  );
});

test.each(LISTS)('%s has every order, forwards and backwards, in one page and page by page', async (url, sorts) => {
  const orders = new Map<string, string[]>();
  for (const sort of sorts) {
    const whole = await idsOf(url, sort, 100);
    expect(whole.length).toBeGreaterThanOrEqual(ROWS);
    expect(await idsOf(url, sort, 1)).toEqual(whole);
    orders.set(sort, whole);
  }
  for (const [sort, ids] of orders) {
    if (!sort.startsWith('-')) expect(orders.get(`-${sort}`)).toEqual(ids.toReversed());
  }
});
