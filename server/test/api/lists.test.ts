import { addDays, type Route, routes } from '@ams/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { growTree } from '../fuzz/world.ts';
import { dataOf, startTestServer } from '../server.ts';

const server = await startTestServer();
const { boss, things } = await growTree(server, 'own');
const { user = '', device = '', file = '', ad = '', release = '' } = things;
const takeover = dataOf(
  await boss.calls.takeovers.create({ body: { adId: ad, devices: { ids: [device] }, minutes: 60 } }),
);
const IDS = new Map(Object.entries({ users: user, files: file, ads: ad, releases: release, takeovers: takeover.id }));

const TODAY = new Date().toISOString().slice(0, 10);
const REPORT = { from: addDays(TODAY, -7), to: TODAY, group: 'device' };

const Properties = z.object({ properties: z.record(z.string(), z.unknown()) });

/** The parameters of a list. */
const parametersOf = ({ query }: Route): string[] =>
  query
    ? Object.keys(
        Properties.safeParse(z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })).data?.properties ?? {},
      )
    : [];

const LISTS = Object.values(routes)
  .flatMap((table): Route[] => Object.values(table))
  .map((route) => ({ url: route.url, parameters: parametersOf(route) }))
  .filter(({ parameters }) => parameters.includes('cursor'));

async function ask(url: string, query: Record<string, string>): Promise<unknown> {
  const path = url.replace(/(\w+)\/:id/, (_, kind: string) => `${kind}/${IDS.get(kind) ?? ''}`);
  const search = new URLSearchParams({ ...(url.includes('/reports/') && REPORT), ...query });
  const reply = await fetch(`${server.url}${path}?${search.toString()}`, {
    headers: { authorization: `Bearer ${boss.token}` },
  });
  return reply.json();
}

const COUNTED = LISTS.filter(({ parameters }) => parameters.includes('total')).map(({ url }) => url);
const Counted = z.object({ items: z.array(z.unknown()), total: z.number().optional() });

const ID = '01900000-0000-7000-8000-000000000000';
const ALTERED = [
  ['2026-11-21T00:00:00Z', '\0'],
  ['02\0', ID],
  ['1', '\0'],
  ['1', ID, '\0'],
  ['\ud800', ID],
].map((keyset) => Buffer.from(JSON.stringify(keyset)).toString('base64url'));

test.each(LISTS.map(({ url }) => url))('%s refuses cursors that no page gave', async (url) => {
  for (const cursor of ALTERED) {
    const refusal = { code: 400, error: 'INVALID', details: { fields: [{ path: 'cursor' }] } };
    expect(await ask(url, { cursor })).toMatchObject(refusal);
  }
});

test.each(COUNTED)('%s names its total when it is asked for', async (url) => {
  const counted = await ask(url, { total: 'true', limit: '1' });
  const { items, total } = z.object({ data: Counted }).parse(counted).data;
  expect(items.length).toBe(Math.min(total ?? -1, 1));
  expect(z.object({ data: Counted }).parse(await ask(url, {})).data.total).toBeUndefined();
});
