import { randomUUID } from 'node:crypto';
import {
  addDays,
  type Campaign,
  type CampaignBody,
  formatMoney,
  localTime,
  type MediaFile,
  type Statement,
} from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { forgetPresence } from '../devices/history.ts';
import { readSheets } from '../platform/spreadsheets/spreadsheet.ts';
import { readHead } from './proof.queries.ts';
import { isNeededForStatements } from './statement.queries.ts';

const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);
let dealer: Session;
let customer: Session;
let video: MediaFile;

type Paired = Awaited<ReturnType<typeof pairedDevice>>;

const HOUR_MS = 3_600_000;
const TODAY = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  dealer = await server.createUser('leading');
  customer = await server.createUser('member', dealer);
  video = await addFile(server, customer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
});

/** A campaign of the customer on devices of the dealer: six plays an hour and screen, from two days ago for ten days. */
async function booked(
  count: number,
  price: CampaignBody['price'],
  areas: readonly string[] = ['Lyon'],
  timeZone = 'UTC',
) {
  const players: Paired[] = [];
  for (let each = 0; each < count; each += 1) players.push(await pairedDevice(server, dealer));
  for (const [index, { device }] of players.entries()) {
    await sql`update devices set time_zone = ${timeZone}, last_seen_at = now(), name = ${`Screen ${index + 1}`},
      area = ${areas[index % areas.length] ?? null} where id = ${device.id}`.execute(db);
  }
  const ads = [await addAd(customer, 'Red', video.id), await addAd(customer, 'Blue', video.id)];
  const body = {
    name: 'Spring/Summer',
    customerId: customer.user.id,
    adIds: ads.map(({ id }) => id),
    devices: { ids: players.map(({ device }) => device.id) },
    schedule: { from: addDays(TODAY, -2), to: addDays(TODAY, 7) },
    goal: { kind: 'perHour' as const, value: 6 },
    price,
  };
  const { id } = dataOf(await dealer.calls.campaigns.create({ body }));
  const campaign = dataOf(await dealer.calls.campaigns.book({ params: { id } }));
  const from = new Date(Date.now() - 30 * HOUR_MS);
  await sql`update campaigns set decided_at = ${from} where id = ${id}`.execute(db);
  await sql`update campaign_carriers set joined_at = ${from} where campaign_id = ${id}`.execute(db);
  await sql`update campaign_devices set paced_from = ${from} where campaign_id = ${id}`.execute(db);
  await sql`update release_devices set started_at = ${from} where release_id = any(
    select id from releases where campaign_id = ${id})`.execute(db);
  return { campaign, players };
}

/** Reports plays of a creative, ten minutes apart, the last one at an hour before now. */
async function play(
  { creatives }: Campaign,
  player: Paired,
  count: number,
  hoursAgo: number,
  creative = 0,
): Promise<void> {
  const plays = Array.from({ length: count }, (_, index) => ({
    releaseId: creatives[creative]?.releaseId ?? '',
    sha256: video.sha256,
    at: new Date(Date.now() - hoursAgo * HOUR_MS - index * 600_000).toISOString(),
    durationMs: 2000,
    screen: 'main' as const,
  }));
  expect(dataOf(await player.calls.player.plays({ body: { batch: randomUUID(), plays } })).accepted).toBe(count);
}

const statementOf = async ({ id }: Campaign, who = dealer, period = {}): Promise<Statement> =>
  dataOf(await who.calls.campaigns.statement({ params: { id }, query: period }));

const KEYS = ['ordered', 'delivered', 'durationMs'] as const;

/** Each view adds up to the figures of the statement. */
function expectEqualTotals(statement: Statement): void {
  for (const key of KEYS) {
    for (const view of ['days', 'areas', 'devices', 'creatives'] as const) {
      const rows: readonly { [K in typeof key]: number }[] = statement[view];
      expect([view, key, rows.reduce((sum, row) => sum + row[key], 0)]).toEqual([view, key, statement[key]]);
    }
  }
  for (const view of ['days', 'areas', 'devices'] as const) {
    const rows: readonly { due: number }[] = statement[view];
    expect(rows.reduce((sum, { due }) => sum + due, 0)).toBe(statement.due);
  }
  const { due, missed, extra, delivered, gaps } = statement;
  expect(due - missed + extra).toBe(delivered);
  expect(gaps.reduce((sum, { plays }) => sum + plays, 0)).toBe(missed);
}

test('a statement equals the delivery in every view, and periods add up to it', async () => {
  const { campaign, players } = await booked(3, { kind: 'perPlay', amount: '0.05', currency: 'EUR' }, [
    'Lyon',
    'Paris',
  ]);
  const [first, second] = players;
  if (!first || !second) throw new Error('no devices');
  await play(campaign, first, 13, 26);
  await play(campaign, first, 7, 2, 1);
  await play(campaign, second, 5, 1);
  const statement = await statementOf(campaign);
  const delivery = dataOf(await dealer.calls.campaigns.delivery({ params: { id: campaign.id } }));
  expect(statement).toMatchObject({ ordered: delivery.ordered, delivered: delivery.delivered, amount: '1.25' });
  expect(statement.delivered).toBe(25);
  expect(statement.areas.map(({ area, devices }) => [area, devices])).toEqual([
    ['Lyon', 2],
    ['Paris', 1],
  ]);
  expect(statement.creatives.map(({ name, delivered }) => [name, delivered])).toEqual([
    ['Red', 18],
    ['Blue', 7],
  ]);
  expect(statement.lines.reduce((sum, { plays }) => sum + plays, 0)).toBe(25);
  expectEqualTotals(statement);

  const until = await statementOf(campaign, dealer, { to: addDays(TODAY, -1) });
  const since = await statementOf(campaign, dealer, { from: TODAY });
  for (const part of [until, since]) expectEqualTotals(part);
  for (const key of KEYS) expect(until[key] + since[key]).toBe(statement[key]);
});

test('a customer sees devices of others by name and area', async () => {
  const { campaign, players } = await booked(1, { kind: 'fixed', amount: '1000', currency: 'JPY' });
  const [device] = (await statementOf(campaign, customer)).devices;
  expect(device).toMatchObject({ name: 'Screen 1', area: 'Lyon', id: null, mac: null });
  const statement = await statementOf(campaign);
  expect(statement.devices[0]?.id).toBe(players[0]?.device.id);
  expect(statement).toMatchObject({ amount: '1000', currency: 'JPY' });
  const stranger = await server.createUser('leading');
  const refused = await stranger.calls.campaigns.statement({ params: { id: campaign.id } });
  expect(refused.code).toBe(404);
});

test('gaps have the reason that is recorded', async () => {
  const { campaign, players } = await booked(5, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  const [offline, failed, gone, dark, silent] = players.map(({ device }) => device.id);
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  await sql`delete from presence_changes where device_id = any(${[offline, failed, dark, silent]}::uuid[])`.execute(db);
  await sql`insert into presence_changes (device_id, at, online) values (${offline}, ${ago(31)}, false)`.execute(db);
  await sql`update device_revisions set download = '{"state":"failed"}' where device_id = ${failed}`.execute(db);
  await sql`update device_failures set since = ${ago(31)} where device_id = ${failed}`.execute(db);
  dataOf(await dealer.calls.devices.delete({ params: { id: gone ?? '' } }));
  await sql`update campaign_carriers set left_at = ${ago(29)} where device_id = ${gone}`.execute(db);
  await sql`update devices set expires_on = ${addDays(TODAY, -9)} where id = ${dark}`.execute(db);
  const statement = await statementOf(campaign);
  const reasonOf = (index: number) =>
    statement.devices.find(({ name }) => name === `Screen ${index}`)?.gaps.map(({ reason }) => reason);
  expect(reasonOf(1)).toEqual(['offline']);
  expect(reasonOf(2)).toEqual(['failed']);
  expect(reasonOf(3)?.[0]).toBe('left');
  expect(reasonOf(4)).toEqual(['dark']);
  expect(reasonOf(5)).toEqual(['unknown']);
  expect(statement.devices.find(({ name }) => name === 'Screen 3')?.leftAt).not.toBeNull();
  expectEqualTotals(statement);

  await sql`update presence_changes set at = now() - interval '60 days' where device_id = ${offline}`.execute(db);
  await sql`insert into presence_changes (device_id, at, online) values
    (${offline}, ${ago(20 * 24)}, true), (${offline}, ${ago(19 * 24)}, false), (${offline}, now(), true)`.execute(db);
  await forgetPresence(db, isNeededForStatements);
  const { rows } = await sql`select from presence_changes where device_id = ${offline}`.execute(db);
  expect(rows.length).toBe(3);
});

test('a statement of all days that there are is that of the whole flight', async () => {
  for (const zone of ['Asia/Shanghai', 'America/Los_Angeles']) {
    const { campaign, players } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' }, ['Lyon'], zone);
    if (players[0]) await play(campaign, players[0], 3, 2);
    const { from: _from, to: _to, createdAt: _whole, ...whole } = await statementOf(campaign);
    const wide = await statementOf(campaign, dealer, { from: '0001-01-01', to: '9999-12-31' });
    const { from, to, createdAt: _wide, ...rest } = wide;
    expect([from, to]).toEqual(['0001-01-01', '9999-12-31']);
    expect(rest).toEqual(whole);
    expect(rest.missed).toBeGreaterThan(0);
  }
});

test('a device is dark by the working hours that were in force at the time', async () => {
  const { campaign, players } = await booked(2, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  const [closed, opened] = players.map(({ device }) => device.id);
  await sql`delete from presence_changes where device_id = any(${[closed, opened]}::uuid[])`.execute(db);
  const setHours = async (id: string | undefined, workingHours: { weekly: Record<string, never> } | null) =>
    dataOf(await dealer.calls.devices.update({ params: { id: id ?? '' }, body: { workingHours } }));
  const inForceUntil = (id: string | undefined, hoursAgo: number) =>
    sql`update past_hours set until = ${new Date(Date.now() - hoursAgo * HOUR_MS)} where device_id = ${id}
      and until > now() - interval '1 minute'`.execute(db);
  // The first one was closed ten hours ago, the second one opened: both were booked while they were open.
  await setHours(closed, { weekly: {} });
  await inForceUntil(closed, 10);
  await setHours(opened, { weekly: {} });
  await inForceUntil(opened, 40);
  await setHours(opened, null);
  await inForceUntil(opened, 10);
  const { devices } = await statementOf(campaign);
  const darkHours = (index: number) => {
    const dark = devices[index]?.gaps.find(({ reason }) => reason === 'dark');
    return Math.round((dark?.durationMs ?? 0) / HOUR_MS);
  };
  expect([darkHours(0), darkHours(1)]).toEqual([10, 20]);
});

test('a device that joins later has no part in the order; one that is deleted keeps its name', async () => {
  const { campaign, players } = await booked(1, { kind: 'perThousand', amount: '50', currency: 'KWD' });
  const late = await pairedDevice(server, dealer);
  await sql`update devices set name = 'Late' where id = ${late.device.id}`.execute(db);
  await sql`insert into campaign_devices (campaign_id, device_id, every_ms, spot_ms)
    values (${campaign.id}, ${late.device.id}, 600000, 2000)`.execute(db);
  await sql`update devices set name = 'Renamed' where id = ${players[0]?.device.id}`.execute(db);
  dataOf(await dealer.calls.devices.delete({ params: { id: players[0]?.device.id ?? '' } }));
  // The root account has everything in scope.
  for (const who of [dealer, await server.login()]) {
    const { devices, ordered } = await statementOf(campaign, who);
    expect(devices.map(({ id, name, ordered: own, joinedAt }) => [id, name, own, joinedAt !== null])).toEqual([
      [late.device.id, 'Late', 0, true],
      [null, 'Renamed', ordered, false],
    ]);
  }
});

const WORDS = { en: 'Statement', de: 'Abrechnung' };
/** The moment of its numbers. */
const AS_OF = { en: /As of \d{4}-\d\d-\d\d \d\d:\d\d UTC/, de: /Stand: \d{4}-\d\d-\d\d \d\d:\d\d UTC/ };

test.each(['en', 'de'] as const)('a statement is an .xls file with a sheet for each view, in %s', async (language) => {
  const { campaign, players } = await booked(1, { kind: 'perPlay', amount: '0.005', currency: 'EUR' });
  if (players[0]) await play(campaign, players[0], 3, 2);
  const reply = await fetch(`${server.url}/api/campaigns/${campaign.id}/statement?format=xls`, {
    headers: { 'authorization': `Bearer ${dealer.token}`, 'accept-language': language },
  });
  expect(reply.headers.get('content-type')).toContain('application/vnd.ms-excel');
  expect(reply.headers.get('content-disposition')).toContain('statement Spring-Summer');
  const bytes = Buffer.from(await reply.arrayBuffer());
  const sheets = await readSheets(server.deps, { name: 'a.xls', bytes }, { formats: [], language, maxRows: 100 });
  expect(sheets.length).toBe(5);
  const [summary] = sheets;
  expect(JSON.stringify(summary)).toContain(WORDS[language]);
  expect(JSON.stringify(summary)).toContain('0.02');
  expect(JSON.stringify(summary)).toMatch(AS_OF[language]);
});

test('plays that became due in the last minutes make good for none that others missed', async () => {
  const { campaign, players } = await booked(2, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  // Some hundred plays an hour and device.
  await sql`update campaigns set ordered = ordered * 50 where id = ${campaign.id}`.execute(db);
  const [playing] = players.map(({ device }) => device.id);
  const deliver = (plays: number, hoursAgo: number) =>
    sql`insert into campaign_hours (campaign_id, device_id, hour, release_id, spots, duration_ms)
      values (${campaign.id}, ${playing}, date_trunc('hour', now()) - make_interval(hours => ${hoursAgo}),
        ${campaign.creatives[0]?.releaseId}, ${plays}, 2000)`.execute(db);
  const [due = 0] = (await statementOf(campaign)).devices.map((device) => device.due);
  await deliver(due + 30, 1);
  const onPace = await statementOf(campaign);
  expect(onPace.missed).toBeGreaterThan(1000);
  expect(onPace.makeGoods).toBe(0);
  await deliver(1000, 2);
  const { missed, makeGoods, extra } = await statementOf(campaign);
  expect(makeGoods).toBeGreaterThan(500);
  expect(makeGoods).toBeLessThan(Math.min(missed, extra));
});

test('a statement in .xls has the name of its campaign, whatever characters that has', async () => {
  const { campaign } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  const name = `a${'\u{1f600}'.repeat(59)}`;
  await sql`update campaigns set name = ${name} where id = ${campaign.id}`.execute(db);
  const reply = await fetch(`${server.url}/api/campaigns/${campaign.id}/statement?format=xls`, {
    headers: { authorization: `Bearer ${dealer.token}` },
  });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-disposition')).toContain(encodeURIComponent(`statement ${name} 20`));
});

test('the verification file of a campaign has a name without characters that file systems do not take', async () => {
  const { campaign } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  const name = 'Spring/Summer: \u202egnp';
  await sql`update campaigns set name = ${name} where id = ${campaign.id}`.execute(db);
  const link = dataOf(await dealer.calls.campaigns.share({ params: { id: campaign.id } }));
  const headers = { authorization: `Bearer ${dealer.token}` };
  for (const address of [`${server.url}/api/campaigns/${campaign.id}/proof`, `${link.url}/proof`]) {
    const reply = await fetch(address, { headers });
    await reply.text();
    const given = decodeURIComponent(reply.headers.get('content-disposition') ?? '');
    expect([address, given]).toEqual([address, expect.stringContaining('Spring-Summer- -gnp')]);
    expect(given).not.toMatch(/\u202e|Spring\/|Summer:/u);
  }
});

test('the hours on screen of a statement in .xls are those of plays: gaps have none', async () => {
  const { campaign, players } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  if (players[0]) await play(campaign, players[0], 3, 2);
  const { missed } = await statementOf(campaign);
  expect(missed).toBeGreaterThan(0);
  const reply = await fetch(`${server.url}/api/campaigns/${campaign.id}/statement?format=xls`, {
    headers: { 'authorization': `Bearer ${dealer.token}`, 'accept-language': 'en' },
  });
  const sent = { name: 'a.xls', bytes: Buffer.from(await reply.arrayBuffer()) };
  const [summary] = await readSheets(server.deps, sent, { formats: [], language: 'en', maxRows: 100 });
  const rows = summary?.rows.map(({ cells }) => cells.filter((cell) => cell !== null)) ?? [];
  const head = rows.findIndex(([first]) => first === 'Reason');
  const end = rows.findIndex(([first]) => first === 'Price');
  const gaps = rows.slice(head, end).filter(({ length }) => length > 0);
  expect(gaps.map(({ length }) => length)).toEqual(gaps.map(() => 2));
  expect(gaps.slice(1).reduce((sum, [, plays]) => sum + Number(plays), 0)).toBe(missed);
});

test.each([
  // Half of a yen goes to the even one.
  ['JPY', '0.5', 1, '0', 0],
  ['JPY', '0.5', 3, '2', 2],
  ['KWD', '0.0125', 1, '0.012', 0.012],
  ['KWD', '0.0125', 3, '0.038', 0.038],
  ['EUR', '123456789012.345678', 3, '370370367037.04', 370_370_367_037.04],
  // Sixteen digits: no number of a spreadsheet holds them.
  ['KWD', '999999999999.999999', 3, '3000000000000.000', '3000000000000.000'],
] as const)('plays at a price in %s (%s each, %i) are charged to the last digit everywhere', async (...given) => {
  const [currency, price, plays, amount, cell] = given;
  const { campaign, players } = await booked(1, { kind: 'perPlay', amount: price, currency });
  if (players[0]) await play(campaign, players[0], plays, 1);
  expect(await statementOf(campaign)).toMatchObject({ amount, currency });
  const reply = await fetch(`${server.url}/api/campaigns/${campaign.id}/statement?format=xls`, {
    headers: { 'authorization': `Bearer ${dealer.token}`, 'accept-language': 'en' },
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  const [summary] = await readSheets(
    server.deps,
    { name: 'a.xls', bytes },
    { formats: [], language: 'en', maxRows: 100 },
  );
  const total = summary?.rows.find(({ cells }) => cells[0] === 'Total');
  expect(total?.cells.slice(1)).toEqual([plays, null, cell]);
  const link = dataOf(await dealer.calls.campaigns.share({ params: { id: campaign.id } }));
  const page = await (await fetch(link.url, { headers: { 'accept-language': 'en' } })).text();
  expect(page).toContain(formatMoney('en', amount, currency));
});

test('the verification file of some days has them in its name', async () => {
  const { campaign } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  const nameOf = async (period: string) => {
    const address = `${server.url}/api/campaigns/${campaign.id}/proof${period}`;
    const reply = await fetch(address, { headers: { authorization: `Bearer ${dealer.token}` } });
    await reply.text();
    return reply.headers.get('content-disposition');
  };
  expect(await nameOf('')).toContain('"Spring-Summer.proof.json"');
  expect(await nameOf('?from=2026-11-01&to=2026-11-30')).toContain('"Spring-Summer 2026-11-01 2026-11-30.proof.json"');
});

test('a link shows the statement to anybody until it is revoked', async () => {
  const { campaign, players } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  if (players[0]) await play(campaign, players[0], 4, 2);
  const link = dataOf(await customer.calls.campaigns.share({ params: { id: campaign.id } }));
  expect(Date.parse(link.expiresAt ?? '')).toBeGreaterThan(Date.now());
  const open = async () => {
    const reply = await fetch(link.url, { headers: { 'accept-language': 'en' } });
    return { status: reply.status, text: await reply.text() };
  };
  const { status, text } = await open();
  expect(status).toBe(200);
  for (const part of ['Spring/Summer', 'Screen 1', 'Lyon', '€0.20', '<svg']) expect(text).toContain(part);
  expect(text).toMatch(/As of \w+ \d+, \d{4}, [\d:]+\s[AP]M UTC/);
  expect(text).not.toContain(players[0]?.device.id);
  expect(text).not.toMatch(/\{\{|undefined|NaN/);
  const proof = await fetch(`${link.url}/proof`);
  expect(proof.headers.get('content-disposition')).toContain('.proof.json');
  expect(await proof.json()).toBeTruthy();
  expect(text).toContain('/proof" download');
  const { items } = dataOf(await customer.calls.shares.list({ query: {} }));
  expect(items[0]).toMatchObject({ kind: 'statement', state: 'active' });
  dataOf(await customer.calls.shares.revoke({ params: { id: link.id } }));
  expect((await fetch(`${link.url}/proof`)).status).toBe(404);
  expect(await open()).toMatchObject({ status: 404, text: expect.stringContaining('This link is not valid') });
});

test('in a spreadsheet and behind a link, a screen that the reader does not see and that has no name is called a screen', async () => {
  const { campaign, players } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  await sql`update devices set name = '' where id = ${players[0]?.device.id}`.execute(db);
  const reply = await fetch(`${server.url}/api/campaigns/${campaign.id}/statement?format=xls`, {
    headers: { 'authorization': `Bearer ${customer.token}`, 'accept-language': 'en' },
  });
  const sent = { name: 'a.xls', bytes: Buffer.from(await reply.arrayBuffer()) };
  const sheets = await readSheets(server.deps, sent, { formats: [], language: 'en', maxRows: 100 });
  expect(sheets.find(({ name }) => name === 'Device')?.rows[1]?.cells.slice(0, 3)).toEqual(['A screen', null, 'Lyon']);
  const link = dataOf(await customer.calls.campaigns.share({ params: { id: campaign.id } }));
  const page = await (await fetch(link.url, { headers: { 'accept-language': 'en' } })).text();
  expect(page).toContain('<td><bdi>A screen</bdi></td>');
});

test('a fixed price is charged up to the day of its devices on which the campaign was cancelled', async () => {
  const price = { kind: 'fixed', amount: '100', currency: 'EUR' } as const;
  for (const [timeZone, day, amount] of [
    // Of ten days of which the third is today in UTC.
    ['Pacific/Kiritimati', 1, '40.00'],
    ['UTC', 0, '30.00'],
    ['Pacific/Pago_Pago', -1, '20.00'],
  ] as const) {
    const { campaign } = await booked(2, price, ['Lyon'], timeZone);
    dataOf(await dealer.calls.campaigns.cancel({ params: { id: campaign.id } }));
    const at = day > 0 ? '20:00' : '04:00';
    await sql`
      update campaigns set decided_at = ${addDays(TODAY, -9)}, cancelled_at = ${`${TODAY}T${at}:00Z`}
      where id = ${campaign.id}`.execute(db);
    expect([timeZone, (await statementOf(campaign)).amount]).toEqual([timeZone, amount]);
    const head = await readHead(db, campaign.id, []);
    expect(head.campaign.cancelledOn).toBe(addDays(TODAY, day));
  }
});

test('a fixed price of a flight that had begun is charged from the day of its devices on which it was booked', async () => {
  const { campaign } = await booked(
    1,
    { kind: 'fixed', amount: '100', currency: 'EUR' },
    ['Lyon'],
    'Pacific/Pago_Pago',
  );
  dataOf(await dealer.calls.campaigns.cancel({ params: { id: campaign.id } }));
  // Of the rest of the flight, five days, the second one is today in UTC: yesterday there.
  await sql`
    update campaigns set decided_at = ${`${TODAY}T04:00:00Z`}, cancelled_at = ${`${addDays(TODAY, 1)}T04:00:00Z`},
      schedule = jsonb_set(schedule, '{to}', to_jsonb(${addDays(TODAY, 3)}::text))
    where id = ${campaign.id}`.execute(db);
  expect((await statementOf(campaign)).amount).toBe('40.00');
  const { bookedOn, cancelledOn } = (await readHead(db, campaign.id, [])).campaign;
  expect([bookedOn, cancelledOn]).toEqual([addDays(TODAY, -1), TODAY]);
});

test('plays after the day on which a campaign was cancelled are shown and not charged, in revenue neither', async () => {
  const { campaign, players } = await booked(1, { kind: 'perPlay', amount: '1', currency: 'CHF' });
  const yesterday = addDays(TODAY, -1);
  for (const [day, plays] of [
    [yesterday, 20],
    [TODAY, 30],
  ] as const) {
    await sql`insert into campaign_hours (campaign_id, device_id, hour, release_id, spots, duration_ms)
      values (${campaign.id}, ${players[0]?.device.id}, ${`${day}T00:00:00Z`}, ${campaign.creatives[0]?.releaseId}, ${plays},
        2000)`.execute(db);
  }
  expect(await statementOf(campaign)).toMatchObject({ delivered: 50, amount: '50.00' });
  dataOf(await dealer.calls.campaigns.cancel({ params: { id: campaign.id } }));
  await sql`update campaigns set cancelled_at = ${`${yesterday}T12:00:00Z`} where id = ${campaign.id}`.execute(db);
  const { delivered, lines, amount } = await statementOf(campaign);
  expect([delivered, amount]).toEqual([50, '20.00']);
  const sumOf = (key: 'plays' | 'charged') => lines.reduce((sum, line) => sum + line[key], 0);
  expect([sumOf('plays'), sumOf('charged')]).toEqual([50, 20]);
  const proof = await fetch(`${server.url}/api/campaigns/${campaign.id}/proof`, {
    headers: { authorization: `Bearer ${dealer.token}` },
  });
  expect(await proof.json()).toMatchObject({ statement: { lines, amount } });
  const { totals } = dataOf(await dealer.calls.campaigns.revenue({ query: {} }));
  expect(totals.find(({ currency }) => currency === 'CHF')?.amount).toBe('20.00');
});

test('delivery is listed up to today by the clocks of the devices, whatever day it is in UTC', async () => {
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const { campaign } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' }, ['Lyon'], timeZone);
    const { days } = dataOf(await dealer.calls.campaigns.delivery({ params: { id: campaign.id } }));
    expect(days.at(-1)?.day).toBe(localTime(Date.now(), timeZone).date);
  }
});

test('scans of the codes of its ads appear beside the plays, within the period', async () => {
  const { campaign, players } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  expect((await statementOf(campaign)).scans).toBeNull();
  await sql`update releases set programme = programme || '{"qr": {"url": "https://example.org/"}}'
    where id = ${campaign.creatives[0]?.releaseId}`.execute(db);
  for (const [day, scans] of [
    [-1, 3],
    [0, 4],
  ] as const) {
    await sql`insert into scan_hours (release_id, device_id, hour, scans) values (${campaign.creatives[0]?.releaseId},
      ${players[0]?.device.id}, ${`${addDays(TODAY, day)}T00:00:00Z`}, ${scans})`.execute(db);
  }
  const { scans, days } = await statementOf(campaign);
  expect(scans).toBe(7);
  expect(days.filter((each) => each.scans > 0).map((each) => [each.day, each.scans])).toEqual([
    [addDays(TODAY, -1), 3],
    [TODAY, 4],
  ]);
  expect((await statementOf(campaign, customer, { from: TODAY, to: TODAY })).scans).toBe(4);
});

test('scans after the last day of a flight are in the statement of a period that includes them', async () => {
  const { campaign, players } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  const releaseId = campaign.creatives[0]?.releaseId;
  const yesterday = addDays(TODAY, -1);
  await sql`update campaigns set ends_on = ${yesterday}, schedule = jsonb_set(schedule, '{to}', to_jsonb(${yesterday}::text))
    where id = ${campaign.id}`.execute(db);
  await sql`update releases set programme = programme || '{"qr": {"url": "https://example.org/"}}'
    where id = ${releaseId}`.execute(db);
  for (const day of [yesterday, TODAY]) {
    await sql`insert into scan_hours (release_id, device_id, hour, scans)
      values (${releaseId}, ${players[0]?.device.id}, ${`${day}T00:00:00Z`}, 2)`.execute(db);
  }
  expect(dataOf(await dealer.calls.scans.ofCampaign({ params: { id: campaign.id } })).total).toBe(4);
  const flight = await statementOf(campaign);
  expect([flight.to, flight.scans]).toEqual([yesterday, 2]);
  const { scans, days, ordered } = await statementOf(campaign, dealer, { to: addDays(TODAY, 30) });
  expect([scans, ordered]).toEqual([4, flight.ordered]);
  expect(days.at(-1)).toMatchObject({ day: TODAY, ordered: 0, delivered: 0, scans: 2 });
});

test('no link to a statement is made for a period that ends before it begins', async () => {
  const { campaign } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  const subject = { kind: 'statement' as const, campaignId: campaign.id, from: '2026-02-01', to: '2026-01-01' };
  expect(await dealer.calls.shares.create({ body: { subject } })).toMatchObject({
    code: 400,
    details: { fields: [{ path: 'subject.to', rule: 'schedule.order' }] },
  });
});

test('a campaign that was never booked has no statement', async () => {
  const { campaign } = await booked(1, { kind: 'perPlay', amount: '0.05', currency: 'EUR' });
  await sql`update campaigns set state = 'draft', ordered = null where id = ${campaign.id}`.execute(db);
  const params = { id: campaign.id };
  expect(await dealer.calls.campaigns.statement({ params })).toMatchObject({ error: 'CAMPAIGN_STATE' });
  expect(await dealer.calls.campaigns.share({ params })).toMatchObject({ error: 'CAMPAIGN_STATE' });
  const reversed = { from: '2026-02-01', to: '2026-01-01' };
  expect((await dealer.calls.campaigns.statement({ params, query: reversed })).code).toBe(400);
});
