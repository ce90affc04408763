import {
  addDays,
  type Campaign,
  type CampaignBody,
  monthAfter,
  type Revenue,
  type Statement,
  sumAmounts,
} from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { readSheets } from '../platform/spreadsheets/spreadsheet.ts';

const server = await startTestServer();
const { db } = server.deps;
let dealer: Session;
let customers: Session[];
let ads: string[];
let devices: string[];

const TODAY = new Date().toISOString().slice(0, 10);
const MONTH = TODAY.slice(0, 7);
const FIRST = `${monthAfter(MONTH, -2)}-11`;
const ZONES = ['UTC', 'Asia/Shanghai', 'America/Los_Angeles'];

beforeAll(async () => {
  dealer = await server.createUser('leading');
  customers = [await server.createUser('member', dealer), await server.createUser('member', dealer)];
  devices = [];
  for (const zone of ZONES) {
    const { id } = (await pairedDevice(server, dealer)).device;
    await sql`update devices set time_zone = ${zone} where id = ${id}`.execute(db);
    devices.push(id);
  }
  ads = [];
  for (const customer of customers) {
    const video = await addFile(server, customer, await makeMp4(1, 2), {
      ...{ name: 'spot.mp4', orientation: 'vertical', kind: 2 },
    });
    ads.push((await addAd(customer, 'Red', video.id)).id);
  }
});

/** A campaign of a customer that was booked two months ago and runs for four weeks more. */
async function booked(customer: number, price: CampaignBody['price']): Promise<Campaign> {
  const body = {
    name: `Autumn ${price.currency}`,
    customerId: customers[customer]?.user.id ?? '',
    adIds: ads.slice(customer, customer + 1),
    devices: { ids: devices },
    schedule: { from: TODAY, to: addDays(TODAY, 28) },
    goal: { kind: 'perHour' as const, value: 2 },
    price,
  };
  const { id } = dataOf(await dealer.calls.campaigns.create({ body }));
  dataOf(await dealer.calls.campaigns.book({ params: { id } }));
  await sql`update campaigns set decided_at = ${`${FIRST}T00:00:00Z`}, starts_on = ${FIRST}, ordered = 1500,
    schedule = jsonb_set(schedule, '{from}', ${JSON.stringify(FIRST)}::jsonb) where id = ${id}`.execute(db);
  return dataOf(await dealer.calls.campaigns.get({ params: { id } }));
}

/** Parts of spots on every device, around the turns of the months on all clocks. */
async function play({ id, creatives }: Campaign, seed: number): Promise<void> {
  const releaseId = creatives[0]?.releaseId ?? '';
  await sql`
    insert into campaign_hours (campaign_id, device_id, hour, release_id, spots, duration_ms)
    select ${id}, d.id, h.hour, ${releaseId}, (1 + (h.n * 7 + ${seed} + d.n) % 11) / 3.0, 1000
    from unnest(${devices}::uuid[]) with ordinality d(id, n) cross join (
      select hour, row_number() over (order by hour) as n from generate_series(
        ${`${FIRST}T00:00:00Z`}::timestamptz, now() - interval '1 hour', interval '5 hours') t(hour)) h
    where (h.n + d.n + ${seed}) % 3 <> 0`.execute(db);
}

const revenueOf = async (who: Session, query = {}): Promise<Revenue> =>
  dataOf(await who.calls.campaigns.revenue({ query }));
const statementOf = async ({ id }: Campaign, query = {}): Promise<Statement> =>
  dataOf(await dealer.calls.campaigns.statement({ params: { id }, query }));

const lastDay = (month: string): string => addDays(`${monthAfter(month, 1)}-01`, -1);
const amountsIn = (given: readonly { amount: string }[]): string[] => given.map(({ amount }) => amount);

/** The amounts of a month equal those of the statements of its campaigns. */
async function expectAsStated(revenue: Revenue, campaigns: readonly Campaign[]): Promise<void> {
  for (const [index, month] of revenue.months.entries()) {
    const to = month === MONTH ? revenue.to : lastDay(month);
    for (const { customer, currency, amounts } of revenue.rows) {
      const own = campaigns.filter((each) => each.customerId === customer.id && each.price.currency === currency);
      const stated = await Promise.all(own.map((each) => statementOf(each, { from: `${month}-01`, to })));
      expect([month, currency, amounts[index]]).toEqual([month, currency, sumAmounts(amountsIn(stated), currency)]);
    }
  }
}

let campaigns: Campaign[];

test('amounts by month and customer are those of the statements, whatever the clocks of the devices are', async () => {
  campaigns = [
    await booked(0, { kind: 'perPlay', amount: '0.055', currency: 'EUR' }),
    await booked(0, { kind: 'fixed', amount: '1000', currency: 'EUR' }),
    await booked(0, { kind: 'perThousand', amount: '2500', currency: 'JPY' }),
    await booked(1, { kind: 'perThousand', amount: '12.5', currency: 'EUR' }),
  ];
  for (const [index, campaign] of campaigns.entries()) await play(campaign, index);

  const revenue = await revenueOf(dealer, { from: monthAfter(MONTH, -3), to: MONTH });
  expect(revenue.months).toEqual([-3, -2, -1, 0].map((months) => monthAfter(MONTH, months)));
  expect(revenue.rows.map(({ currency, campaigns: count }) => [currency, count]).toSorted()).toEqual([
    ['EUR', 1],
    ['EUR', 2],
    ['JPY', 1],
  ]);
  await expectAsStated(revenue, campaigns);
  expect(revenue.totals.map(({ currency }) => currency)).toEqual(['EUR', 'JPY']);
  for (const { currency, amount } of revenue.totals) {
    const rows = revenue.rows.filter((row) => row.currency === currency);
    expect(sumAmounts(amountsIn(rows), currency)).toBe(amount);
  }
  const [euros] = revenue.now.sums;
  expect(euros).toMatchObject({ currency: 'EUR', delivered: revenue.totals[0]?.amounts.at(-1) });

  // Another clock, a cancelled campaign and a deleted device: both sides follow.
  await sql`update devices set time_zone = 'Pacific/Kiritimati' where id = ${devices[0]}`.execute(db);
  dataOf(await dealer.calls.campaigns.cancel({ params: { id: campaigns[1]?.id ?? '' } }));
  dataOf(await dealer.calls.devices.delete({ params: { id: devices[2] ?? '' } }));
  await expectAsStated(await revenueOf(dealer, { from: monthAfter(MONTH, -2) }), campaigns);

  // Plays after a cancellation, over the turns of months.
  const { id = '' } = campaigns[3] ?? {};
  const before = await revenueOf(dealer);
  dataOf(await dealer.calls.campaigns.cancel({ params: { id } }));
  await sql`update campaigns set cancelled_at = now() - interval '40 days' where id = ${id}`.execute(db);
  const after = await revenueOf(dealer);
  expect(Number(after.totals[0]?.amount)).toBeLessThan(Number(before.totals[0]?.amount));
  await expectAsStated(after, campaigns);
});

test('what the orders of this month would give are the plays that statements have as ordered', async () => {
  const [campaign] = campaigns;
  if (!campaign) throw new Error('no campaign');
  const { ordered } = await statementOf(campaign, { from: `${MONTH}-01`, to: lastDay(MONTH) });
  await sql`update campaigns set price_amount = 0.05 where id = ${campaign.id}`.execute(db);
  await sql`update campaigns set state = 'draft', ordered = null where id <> ${campaign.id}`.execute(db);
  const { now } = await revenueOf(dealer);
  expect(now.sums.map((each) => each.ordered)).toEqual([((ordered * 5) / 100).toFixed(2)]);
  await sql`update campaigns set state = 'booked', ordered = 1500 where id <> ${campaign.id}`.execute(db);
});

test('customers see their own campaigns only, dealers those below', async () => {
  const [first, second] = customers;
  if (!first || !second) throw new Error('no customers');
  const own = await revenueOf(first);
  expect(new Set(own.rows.map(({ customer }) => customer.id))).toEqual(new Set([first.user.id]));
  const other = await revenueOf(second);
  expect(other.totals.map(({ currency }) => currency)).toEqual(['EUR']);
  await sql`update campaigns set delivered = 10, due = 500, short = 30 where state = 'booked'`.execute(db);
  expect((await revenueOf(second)).behind).toMatchObject([{ customer: { id: second.user.id }, missing: 490 }]);
  expect((await revenueOf(dealer)).behind.map(({ customer }) => customer.id)).toEqual([first.user.id, second.user.id]);
  const stranger = await server.createUser('leading');
  expect(await revenueOf(stranger)).toMatchObject({ rows: [], totals: [], behind: [], now: { sums: [] } });
});

test('months are at most 36, also where one end is left out, and none is before the first year', async () => {
  const refused = (path: string, rule: string) => ({ code: 400, details: { fields: [{ path, rule }] } });
  const tooMany = refused('to', 'revenue.months');
  const ask = (query: { from?: string; to?: string }) => dealer.calls.campaigns.revenue({ query });
  expect(await ask({ from: monthAfter(MONTH, -36) })).toMatchObject(tooMany);
  expect(await ask({ from: '0001-01' })).toMatchObject(tooMany);
  expect((await revenueOf(dealer, { from: monthAfter(MONTH, -35) })).months.length).toBe(36);
  expect((await revenueOf(dealer, { to: '0001-02' })).months).toEqual(['0001-01', '0001-02']);
  expect(await ask({ from: '0000-01' })).toMatchObject(refused('from', 'schedule.date'));
  expect(await ask({ to: '0000-03' })).toMatchObject(refused('to', 'schedule.date'));
});

test('revenue is exported with a row for each customer and currency', async () => {
  const answer = await fetch(`${server.url}/api/campaigns/revenue?format=xls`, {
    headers: { authorization: `Bearer ${dealer.token}` },
  });
  expect(answer.headers.get('content-type')).toBe('application/vnd.ms-excel');
  const sent = { name: 'revenue.xls', bytes: Buffer.from(await answer.arrayBuffer()) };
  const [sheet] = await readSheets(server.deps, sent, { formats: ['.xls'], language: 'en', maxRows: 100 });
  const { rows, totals } = await revenueOf(dealer);
  const numbers = [...rows, ...totals].map(({ currency, amount }) => [currency, Number(amount)]);
  const read = sheet?.rows.map(({ cells }) => [cells[1], Number(cells.at(-1))]) ?? [];
  expect(read).toEqual(expect.arrayContaining(numbers));
});

test.each([
  ['in the wrong order', { from: '2026-05', to: '2026-04' }],
  ['that are too many', { from: '2020-01', to: '2026-04' }],
  ['that do not exist', { from: '2026-13' }],
])('months %s are refused', async (_how, query) => {
  expect(await dealer.calls.campaigns.revenue({ query })).toMatchObject({ code: 400, error: 'INVALID' });
});
