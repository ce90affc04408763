import { randomUUID } from 'node:crypto';
import { type HomeSummary, isoWeekday } from '@ams/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';
import { settleCampaigns } from '../../src/campaigns/settle.service.ts';
import { ADMIN, startTestServer } from '../server.ts';
import { apiAt, MISSING, UTC, UUID_V7 } from './client.ts';

/** Campaigns, called as the page "Calls" names them. */
const server = await startTestServer();
const api = apiAt(server.url);
const admin = await api.login(ADMIN.username);

type Person = Awaited<ReturnType<typeof api.addUser>>;
let dealer: Person;
let customer: Person;

beforeEach(async () => {
  dealer = await api.addUser(admin, 'leading');
  customer = await api.addUser(dealer.token, 'member');
});

interface Campaign {
  id: string;
  state: string;
  updatedAt: string;
  remark: string | null;
  changed: boolean;
  creatives: { releaseId: string | null }[];
}

interface Availability {
  feasible: boolean;
  largest: number;
  free: number[][];
  bottlenecks: { device: { id: string } | null; free: number; expiresAt: string | null }[];
}

const DAY_MS = 86_400_000;
/** Days are counted from the same one in all tests, also past midnight. */
const BEGUN = Date.now();
const inDays = (days: number): string => new Date(BEGUN + days * DAY_MS).toISOString().slice(0, 10);

async function addAd({ token }: Person, name = 'Autumn'): Promise<{ id: string; updatedAt: string }> {
  const background = `#${randomUUID().slice(0, 6)}`;
  const picture = await sharp({ create: { width: 540, height: 960, channels: 3, background } })
    .png()
    .toBuffer();
  const { id: fileId } = await api.addFile(token, picture, { name: 'Poster.png', orientation: 'vertical', kind: 1 });
  return api.data('POST', '/ads', { token, body: adBody(name, fileId) });
}

const adBody = (name: string, fileId: string) => ({
  name,
  orientation: 'vertical',
  split: 'full',
  regions: { full: [{ kind: 'file', fileId, seconds: 10 }] },
});

/** Thirty days of which no hour is over, wherever a device is. */
const WHOLE_DAYS = { from: inDays(2), to: inDays(31) };

const bodyOf = (adIds: string[], devices: object, more: object = {}) => ({
  name: 'Autumn',
  adIds,
  devices,
  schedule: { from: inDays(0), to: inDays(29) },
  goal: { kind: 'perHour', value: 36 },
  price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
  ...more,
});

const act = (id: string, action: string, { token }: Person, body?: object) =>
  api.call<Campaign>('POST', `/campaigns/${id}/${action}`, { token, ...(body && { body }) });
const addCampaign = ({ token }: Person, body: object) => api.data<Campaign>('POST', '/campaigns', { token, body });
const programmes = async ({ secret }: { secret: string }) => {
  const { screens } = await api.data<{ screens: { main: { releaseId: string; adId: string; name: string }[] } }>(
    'GET',
    '/player/manifest',
    { token: secret },
  );
  return screens.main;
};

/** A bookable group of the dealer with one device. */
async function bookable() {
  const device = await api.addDevice(dealer.token);
  const group = await api.data<{ id: string }>('POST', '/groups', {
    token: dealer.token,
    body: { name: 'City', filter: {}, bookable: true },
  });
  return { device, group: { group: group.id } };
}

describe('booking', () => {
  test('POST campaigns and book: one release per creative, on every device', async () => {
    const device = await api.addDevice(dealer.token);
    const ads = [await addAd(dealer), await addAd(dealer, 'Winter')];
    const adIds = ads.map(({ id }) => id);
    const made = await addCampaign(dealer, bodyOf(adIds, { ids: [device.id] }, { customerId: customer.id }));
    expect(made).toMatchObject({ id: expect.stringMatching(UUID_V7), state: 'draft', adIds, standing: false });
    expect(made).toMatchObject({ customer: { id: customer.id }, price: { amount: '0.05', currency: 'EUR' } });
    expect(made).toMatchObject({ goal: { kind: 'perHour', value: 36 }, updatedAt: expect.stringMatching(UTC) });
    expect(await programmes(device)).toEqual([]);
    const { status, body } = await act(made.id, 'book', dealer);
    expect([status, body.data]).toMatchObject([200, { state: 'booked', phase: 'running', deviceCount: 1 }]);
    expect((await programmes(device)).map(({ releaseId }) => releaseId).toSorted()).toEqual(
      body.data.creatives.map(({ releaseId }) => releaseId).toSorted(),
    );
    const shown = `/releases/${body.data.creatives[0]?.releaseId}`;
    expect(await api.data('GET', shown, { token: dealer.token })).toMatchObject({ campaignId: made.id });
    const listed = await api.data<{ items: Campaign[] }>('GET', '/campaigns?state=booked', { token: customer.token });
    expect(listed.items.map(({ id }) => id)).toEqual([made.id]);
    expect((await act(made.id, 'cancel', customer)).body).toMatchObject({ code: 403, error: 'LEADING_ONLY' });
    expect((await act(made.id, 'cancel', dealer)).body.data).toMatchObject({ state: 'cancelled' });
    expect(await programmes(device)).toEqual([]);
  });

  test('a flight ends before the last days of all calendars', async () => {
    const device = await api.addDevice(dealer.token);
    const { id: adId } = await addAd(dealer);
    const body = bodyOf([adId], { ids: [device.id] }, { schedule: { from: '9999-12-01', to: '9999-12-31' } });
    const refused = await api.call('POST', '/campaigns', { token: dealer.token, body });
    expect(refused.body).toMatchObject({ code: 400, error: 'INVALID' });
    const allowed = { ...body, schedule: { from: '9999-10-01', to: '9999-10-31' } };
    expect((await addCampaign(dealer, allowed)).id).toMatch(UUID_V7);
  });

  test('a goal that is not even one play is neither booked nor requested', async () => {
    const device = await api.addDevice(dealer.token);
    const { id: adId } = await addAd(dealer);
    const day = { from: inDays(2), to: inDays(2) };
    const price = { kind: 'fixed', amount: '100.00', currency: 'EUR' };
    for (const few of [
      { schedule: day, goal: { kind: 'perHour', value: 0.01 }, price },
      { schedule: { ...day, hours: [{ from: '10:00', to: '10:01' }] }, price },
    ]) {
      const body = bodyOf([adId], { ids: [device.id] }, few);
      const { id } = await addCampaign(dealer, body);
      const free = await api.call('POST', '/campaigns/availability', { token: dealer.token, body });
      expect(free.body).toMatchObject({ code: 422, error: 'NO_PLAYS' });
      for (const action of ['book', 'request']) {
        expect((await act(id, action, dealer)).body).toMatchObject({ code: 422, error: 'NO_PLAYS' });
      }
    }
    const { id } = await addCampaign(dealer, bodyOf([adId], { ids: [device.id] }, { schedule: day }));
    expect((await act(id, 'book', dealer)).status).toBe(200);
  });

  test('what does not fit is refused with the conflicts, and nothing of it is booked', async () => {
    const devices = [await api.addDevice(dealer.token), await api.addDevice(dealer.token)];
    const ids = devices.map(({ id }) => id);
    for (const id of ids) await api.data('PATCH', `/devices/${id}`, { token: dealer.token, body: { expiresAt: null } });
    const { id: adId } = await addAd(dealer);
    const half = bodyOf([adId], { ids: ids.slice(0, 1) }, { goal: { kind: 'share', value: 50 } });
    const first = await addCampaign(dealer, half);
    expect((await act(first.id, 'book', dealer)).status).toBe(200);
    const second = await addCampaign(dealer, { ...half, devices: { ids } });
    const { body } = await act(second.id, 'book', dealer);
    expect(body).toMatchObject({ code: 409, error: 'NO_ROOM' });
    expect(body.details).toMatchObject({
      conflicts: [{ device: { id: ids[0] }, free: expect.closeTo(0.3, 6), campaigns: [{ id: first.id }] }],
    });
    const later = { ...half, schedule: { from: inDays(40), to: inDays(41) }, devices: { ids } };
    expect((await act((await addCampaign(dealer, later)).id, 'book', dealer)).status).toBe(200);
  });

  test('POST campaigns/availability: heat map, largest goal and bottlenecks, within working hours', async () => {
    const device = await api.addDevice(dealer.token);
    const workingHours = { weekly: { 1: [{ from: '08:00', to: '18:00' }] }, exceptions: [] };
    await api.data('PATCH', `/devices/${device.id}`, { token: dealer.token, body: { workingHours } });
    const { id } = await addAd(dealer);
    const body = bodyOf([id], { ids: [device.id] });
    const ask = (goal: object) =>
      api.data<Availability>('POST', '/campaigns/availability', { token: dealer.token, body: { ...body, goal } });
    const found = await ask({ kind: 'perHour', value: 36 });
    expect(found).toMatchObject({
      feasible: true,
      largest: 288,
      bottlenecks: [{ device: { id: device.id }, free: 0.8 }],
    });
    expect(found.free).toHaveLength(7);
    expect(found.free[0]?.slice(7, 9)).toEqual([0, 0.8]);
    expect(found.free[1]).toEqual(Array(24).fill(0));
    expect(await ask({ kind: 'share', value: 81 })).toMatchObject({ feasible: false, largest: 80 });
    expect(await ask({ kind: 'total', value: 10 })).toMatchObject({ feasible: true, plays: 10 });
  });

  test('nothing is free on a device after its last day, and booking names it', async () => {
    const [lasting, ending] = [await api.addDevice(dealer.token), await api.addDevice(dealer.token)];
    await api.data('PATCH', `/devices/${lasting.id}`, { token: dealer.token, body: { expiresAt: inDays(60) } });
    const expiresAt = inDays(14);
    await api.data('PATCH', `/devices/${ending.id}`, { token: dealer.token, body: { expiresAt } });
    const { id: adId } = await addAd(dealer);
    const body = bodyOf([adId], { ids: [lasting.id, ending.id] }, { schedule: WHOLE_DAYS });
    const ask = (more: object) =>
      api.data<Availability>('POST', '/campaigns/availability', { token: dealer.token, body: { ...body, ...more } });
    const found = await ask({});
    expect(found).toMatchObject({ feasible: false, largest: 0, plays: 36 * 24 * (30 + 13) });
    expect(found.bottlenecks).toEqual([
      { device: expect.objectContaining({ id: ending.id }), free: 0, expiresAt },
      { device: expect.objectContaining({ id: lasting.id }), free: 0.8, expiresAt: null },
    ]);
    expect(found.free.flat()).toEqual(Array(7 * 24).fill(0));
    const { id } = await addCampaign(dealer, body);
    const refused = await act(id, 'book', dealer);
    expect(refused.body).toMatchObject({ code: 409, error: 'NO_ROOM' });
    expect(refused.body.details).toEqual({
      conflicts: [
        {
          ...{ device: expect.objectContaining({ id: ending.id }), expiresAt, campaigns: [] },
          ...{ weekday: isoWeekday(inDays(15)), hour: 0, free: 0, needed: expect.closeTo(0.1, 6) },
        },
      ],
    });
    const until = { ...body, schedule: { from: inDays(0), to: expiresAt } };
    await api.data('PUT', `/campaigns/${id}`, { token: dealer.token, body: until });
    expect((await act(id, 'book', dealer)).status).toBe(200);
  });

  test('plays of a total are ordered where devices are not expired', async () => {
    const [lasting, ending] = [await api.addDevice(dealer.token), await api.addDevice(dealer.token)];
    await api.data('PATCH', `/devices/${lasting.id}`, { token: dealer.token, body: { expiresAt: inDays(60) } });
    await api.data('PATCH', `/devices/${ending.id}`, { token: dealer.token, body: { expiresAt: inDays(11) } });
    const { id: adId } = await addAd(dealer);
    const goal = { kind: 'total', value: 400 };
    const body = bodyOf([adId], { ids: [lasting.id, ending.id] }, { goal, schedule: WHOLE_DAYS });
    const ask = () => api.data<Availability>('POST', '/campaigns/availability', { token: dealer.token, body });
    // Eight spots of ten seconds fit in each hundred.
    expect(await ask()).toMatchObject({
      feasible: true,
      largest: 288 * 24 * (30 + 10),
      bottlenecks: [{ free: 0.8 }, {}],
    });
    const { id } = await addCampaign(dealer, body);
    expect((await act(id, 'book', dealer)).status).toBe(200);
    const { rows } = await sql<{ id: string; plays: number }>`
      select device_id as id, round(86400000::float8 * case when device_id = ${lasting.id} then 30 else 10 end / every_ms::float8) as plays
      from campaign_devices where campaign_id = ${id}`.execute(server.deps.db);
    expect(new Map(rows.map((row) => [row.id, row.plays]))).toEqual(
      new Map([
        [lasting.id, 300],
        [ending.id, 100],
      ]),
    );
    for (const { id: deviceId } of [lasting, ending]) {
      await api.data('PATCH', `/devices/${deviceId}`, { token: dealer.token, body: { expiresAt: inDays(-2) } });
    }
    expect(await ask()).toMatchObject({ feasible: false, largest: 0, plays: 400 });
    const again = await addCampaign(dealer, body);
    expect((await act(again.id, 'book', dealer)).body.details).toMatchObject({
      conflicts: [
        { free: 0, expiresAt: inDays(-2) },
        { free: 0, expiresAt: inDays(-2) },
      ],
    });
  });

  test('a goal above the capacity, also of creatives that are too long for it, is refused with what fits', async () => {
    const device = await api.addDevice(dealer.token);
    const { id: adId } = await addAd(dealer);
    for (const goal of [
      { kind: 'share', value: 81 },
      // Spots of ten seconds: more than an hour.
      { kind: 'perHour', value: 400 },
      { kind: 'total', value: 1_000_000 },
    ]) {
      const body = bodyOf([adId], { ids: [device.id] }, { goal });
      const found = await api.data<Availability>('POST', '/campaigns/availability', { token: dealer.token, body });
      expect(found).toMatchObject({ feasible: false });
      const { id } = await addCampaign(dealer, body);
      expect((await act(id, 'book', dealer)).body).toMatchObject({ code: 409, error: 'NO_ROOM' });
      const fitting = { ...body, goal: { ...goal, value: found.largest } };
      await api.data('PUT', `/campaigns/${id}`, { token: dealer.token, body: fitting });
      expect((await act(id, 'book', dealer)).status).toBe(200);
      await act(id, 'cancel', dealer);
    }
    expect(await programmes(device)).toEqual([]);
  });

  test('bad input is refused', async () => {
    const { id } = await addAd(dealer);
    const device = await api.addDevice(dealer.token);
    const good = bodyOf([id], { ids: [device.id] });
    const price = (amount: unknown, currency: string, kind = 'fixed') => ({ price: { kind, amount, currency } });
    const refused = [
      { schedule: { from: inDays(-9), to: inDays(-3) } },
      { schedule: { from: inDays(2), to: inDays(1) } },
      { schedule: { from: inDays(0), to: inDays(4000) } },
      { schedule: {} },
      { goal: { kind: 'share', value: 101 } },
      { goal: { kind: 'total', value: 1.5 } },
      { goal: { kind: 'perHour', value: 0 } },
      { adIds: [] },
      { adIds: [id, id] },
      { standing: true },
      price('12345678901234567890', 'EUR'),
      price('0.123456789', 'EUR', 'perPlay'),
      price(0.05, 'EUR'),
      price('-1', 'EUR'),
      price('1e3', 'EUR'),
      price('10.5', 'JPY'),
      price('1.2345', 'KWD'),
      price('1', 'XQZ'),
    ];
    for (const part of refused) {
      const { status, body } = await api.call('POST', '/campaigns', {
        token: dealer.token,
        body: { ...good, ...part },
      });
      expect([part, status, body.error]).toEqual([part, 400, 'INVALID']);
    }
    for (const part of [price('10', 'JPY'), price('1.234', 'KWD'), price('0.0005', 'JPY', 'perPlay')]) {
      expect(await addCampaign(dealer, { ...good, ...part })).toMatchObject(part);
    }
    for (const part of [{ adIds: [MISSING] }, { devices: { ids: [MISSING] } }, { customerId: MISSING }]) {
      expect((await api.call('POST', '/campaigns', { token: dealer.token, body: { ...good, ...part } })).status).toBe(
        404,
      );
    }
  });
});

describe('approval', () => {
  test('a customer requests on a bookable group, the dealer approves, and the device plays the frozen copy', async () => {
    const { device, group } = await bookable();
    const { id: adId } = await addAd(customer);
    const body = bodyOf([adId], group);
    const free = await api.data<Availability>('POST', '/campaigns/availability', { token: customer.token, body });
    expect(free).toMatchObject({ feasible: true, bottlenecks: [{ device: null, free: 0.8 }] });
    const { id } = await addCampaign(customer, body);
    expect((await act(id, 'book', customer)).status).toBe(403);
    expect((await act(id, 'approve', customer)).status).toBe(403);
    expect((await act(id, 'approve', dealer)).body).toMatchObject({ code: 422, error: 'NOT_APPROVABLE' });
    expect((await act(id, 'request', customer)).body.data).toMatchObject({ state: 'requested', changed: false });
    const queue = await api.data<{ items: Campaign[]; total: number }>('GET', '/campaigns?state=requested&total=true', {
      token: dealer.token,
    });
    expect(queue).toMatchObject({ total: 1, items: [{ id }] });
    expect(await programmes(device)).toEqual([]);
    const [first, second] = await Promise.all([act(id, 'approve', dealer), act(id, 'approve', dealer)]);
    expect([first.status, second.status].toSorted()).toEqual([200, 409]);
    expect(await programmes(device)).toMatchObject([{ adId }]);
  });

  test('an ad that changed after the request cannot be approved without a new one', async () => {
    const { device, group } = await bookable();
    const ad = await addAd(customer);
    const { id } = await addCampaign(customer, bodyOf([ad.id], group));
    await act(id, 'request', customer);
    const { regions } = await api.data<{ regions: object }>('GET', `/ads/${ad.id}`, { token: customer.token });
    const body = { ...adBody('Other', ''), regions, updatedAt: ad.updatedAt };
    await api.data('PUT', `/ads/${ad.id}`, { token: customer.token, body });
    expect((await act(id, 'approve', dealer)).body).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
    expect(await api.data('GET', `/campaigns/${id}`, { token: dealer.token })).toMatchObject({ changed: true });
    expect(await programmes(device)).toEqual([]);
    const { body: again } = await act(id, 'request', customer);
    const stale = await act(id, 'approve', dealer, { updatedAt: '2020-01-01T00:00:00.000Z' });
    expect(stale.body.error).toBe('CHANGED_MEANWHILE');
    expect((await act(id, 'approve', dealer, { updatedAt: again.data.updatedAt })).status).toBe(200);
    expect(await programmes(device)).toMatchObject([{ name: 'Other' }]);
  });

  test('a file that has another name by now is the content that was requested', async () => {
    const { group } = await bookable();
    const ad = await addAd(customer);
    const { id } = await addCampaign(customer, bodyOf([ad.id], group));
    await act(id, 'request', customer);
    const { token } = customer;
    const { regions } = await api.data<{ regions: { full: { fileId: string }[] } }>('GET', `/ads/${ad.id}`, { token });
    await api.data('PATCH', `/files/${regions.full[0]?.fileId}`, { token, body: { name: 'Autumn.png' } });
    expect(await api.data('GET', `/campaigns/${id}`, { token: dealer.token })).toMatchObject({ changed: false });
    expect((await act(id, 'approve', dealer)).status).toBe(200);
  });

  test('a dealer below cannot approve its own request on the group of the dealer above', async () => {
    const { device, group } = await bookable();
    const below = await api.addUser(dealer.token, 'leading');
    const { id: adId } = await addAd(below);
    const { id } = await addCampaign(below, bodyOf([adId], group));
    expect((await act(id, 'book', below)).status).toBe(404);
    await act(id, 'request', below);
    const idsOf = async (approvable: boolean, { token }: typeof dealer) => {
      const list = `/campaigns?state=requested&customer=${below.id}&approvable=${approvable}&total=true`;
      const { items, total } = await api.data<{ items: Campaign[]; total: number }>('GET', list, { token });
      expect(total).toBe(items.length);
      return items.map((item) => item.id);
    };
    expect([await idsOf(true, below), await idsOf(false, below)]).toEqual([[], [id]]);
    expect([await idsOf(true, dealer), await idsOf(false, dealer)]).toEqual([[id], []]);
    expect((await act(id, 'approve', below)).body).toMatchObject({ code: 422, error: 'NOT_APPROVABLE' });
    expect(await programmes(device)).toEqual([]);
    expect((await act(id, 'approve', dealer)).status).toBe(200);
  });

  test('a rejection has a remark; a change makes a draft that can be requested again', async () => {
    const { group } = await bookable();
    const { id: adId } = await addAd(customer);
    const body = bodyOf([adId], group);
    const { id } = await addCampaign(customer, body);
    await act(id, 'request', customer);
    expect((await act(id, 'reject', dealer, {})).status).toBe(400);
    expect((await act(id, 'reject', dealer, { remark: 'Too loud' })).body.data).toMatchObject({
      state: 'rejected',
      remark: 'Too loud',
    });
    expect((await act(id, 'approve', dealer)).body.error).toBe('CHANGED_MEANWHILE');
    const { token } = customer;
    const onHomePage = async (person: Person) =>
      (await api.data<HomeSummary>('POST', '/', { token: person.token })).rejectedCampaigns;
    expect([await onHomePage(customer), await onHomePage(dealer)]).toEqual([1, 0]);
    expect(await api.data('PUT', `/campaigns/${id}`, { token, body })).toMatchObject({ state: 'draft' });
    expect(await onHomePage(customer)).toBe(0);
    expect((await act(id, 'request', customer)).status).toBe(200);
    expect((await act(id, 'cancel', customer)).body.data).toMatchObject({ state: 'cancelled' });
    expect(await api.data('DELETE', `/campaigns/${id}`, { token })).toBeNull();
  });
});

describe('actions', () => {
  const actionsFor = async ({ token }: Person, id: string): Promise<string[]> =>
    (await api.data<{ actions: string[] }>('GET', `/campaigns/${id}`, { token })).actions;
  const ofDraft = ['update', 'delete', 'request', 'book'];
  const without = (...refused: string[]) => ofDraft.filter((action) => !refused.includes(action));

  test('on a bookable group of a superior, neither book nor approve is offered below', async () => {
    const { group } = await bookable();
    const below = await api.addUser(dealer.token, 'leading');
    const { id: adId } = await addAd(below);
    const { id } = await addCampaign(below, bodyOf([adId], group));
    expect(await actionsFor(below, id)).toEqual(without('book'));
    expect(await actionsFor(dealer, id)).toEqual(ofDraft);
    await act(id, 'request', below);
    expect(await actionsFor(below, id)).toEqual(['update', 'delete', 'request', 'reject', 'cancel']);
    expect(await actionsFor(dealer, id)).toEqual([
      ...['update', 'delete', 'request', 'approve', 'reject', 'book', 'cancel'],
    ]);
    expect((await act(id, 'approve', dealer)).status).toBe(200);
    // Only superiors end a campaign that a superior booked.
    expect((await act(id, 'cancel', below)).body.error).toBe('LEADING_ONLY');
    expect(await actionsFor(below, id)).toEqual([]);
    expect(await actionsFor(dealer, id)).toEqual(['cancel']);
  });

  test('on a group that is gone, or bookable no more, neither book nor request is offered', async () => {
    const { group } = await bookable();
    const { id: adId } = await addAd(customer);
    const { id } = await addCampaign(customer, bodyOf([adId], group));
    expect(await actionsFor(customer, id)).toEqual(without('book'));
    const { token } = dealer;
    await api.data('PATCH', `/groups/${group.group}`, { token, body: { bookable: false } });
    expect((await act(id, 'request', customer)).status).toBe(404);
    expect(await actionsFor(customer, id)).toEqual(without('book', 'request'));
    expect(await actionsFor(dealer, id)).toEqual(ofDraft);
    await api.data('DELETE', `/groups/${group.group}`, { token });
    expect((await act(id, 'book', dealer)).status).toBe(404);
    expect(await actionsFor(dealer, id)).toEqual(without('book', 'request'));
  });

  test('on a group that a superior keeps to itself does not name it below', async () => {
    await api.addDevice(dealer.token);
    const { id: group } = await api.data<{ id: string }>('POST', '/groups', {
      token: dealer.token,
      body: { name: 'Customers that pay late', filter: {} },
    });
    const { id: adId } = await addAd(customer);
    const { id } = await addCampaign(dealer, bodyOf([adId], { group }, { customerId: customer.id }));
    const seenBy = ({ token }: { token: string }) => api.data<Campaign>('GET', `/campaigns/${id}`, { token });
    expect(await seenBy(dealer)).toMatchObject({ devices: { group }, group: { name: 'Customers that pay late' } });
    expect(await seenBy(customer)).toMatchObject({ devices: null, group: null });
  });

  test('on devices that a superior named, those that need all of them are offered who has them all', async () => {
    const below = await api.addUser(dealer.token, 'leading');
    const own = await api.addDevice(below.token);
    const other = await api.addDevice(dealer.token);
    const { id: adId } = await addAd(below);
    const draft = async (ids: string[]) =>
      (await addCampaign(dealer, bodyOf([adId], { ids }, { customerId: below.id }))).id;
    expect(await actionsFor(below, await draft([own.id]))).toEqual(ofDraft);
    const both = await draft([own.id, other.id]);
    expect((await act(both, 'book', below)).status).toBe(404);
    expect(await actionsFor(below, both)).toEqual(without('book'));
    expect(await actionsFor(dealer, both)).toEqual(ofDraft);
    const none = await draft([other.id]);
    expect((await act(none, 'request', below)).body.error).toBe('NO_DEVICES');
    expect(await actionsFor(below, none)).toEqual(without('book', 'request'));
  });

  test('on named devices of which one is gone, neither book nor approve is offered', async () => {
    const [kept, gone] = [await api.addDevice(dealer.token), await api.addDevice(dealer.token)];
    const { id: adId } = await addAd(dealer);
    const { id } = await addCampaign(dealer, bodyOf([adId], { ids: [kept.id, gone.id] }));
    expect(await actionsFor(dealer, id)).toEqual(ofDraft);
    await api.data('DELETE', `/devices/${gone.id}`, { token: dealer.token });
    expect((await act(id, 'book', dealer)).status).toBe(404);
    expect(await actionsFor(dealer, id)).toEqual(without('book'));
    expect((await act(id, 'request', dealer)).status).toBe(200);
    expect((await act(id, 'approve', dealer)).status).toBe(404);
    expect(await actionsFor(dealer, id)).toEqual(['update', 'delete', 'request', 'reject', 'cancel']);
  });

  test('on a named device that its writer has lost, nothing is offered that needs it', async () => {
    const below = await api.addUser(dealer.token, 'leading');
    const { id: deviceId } = await api.addDevice(below.token);
    const { id: adId } = await addAd(below);
    const { id } = await addCampaign(below, bodyOf([adId], { ids: [deviceId] }));
    expect(await actionsFor(dealer, id)).toEqual(ofDraft);
    const owner = await api.addUser(dealer.token, 'leading');
    await api.data('PATCH', `/devices/${deviceId}`, { token: dealer.token, body: { ownerId: owner.id } });
    expect((await act(id, 'book', dealer)).status).toBe(404);
    expect(await actionsFor(dealer, id)).toEqual(without('book', 'request'));
  });
});

describe('a draft that somebody above changes', () => {
  interface Shown extends Campaign {
    devices: object | null;
    deviceCount: number;
  }
  /** A dealer below with one device, whose superior has another one. */
  async function twoDealers() {
    const below = await api.addUser(dealer.token, 'leading');
    const own = await api.addDevice(below.token);
    const other = await api.addDevice(dealer.token);
    const { id: adId } = await addAd(below);
    return { below, own, other, adId };
  }
  const change = ({ id }: Campaign, { token }: Person, body: object) =>
    api.data<Shown>('PUT', `/campaigns/${id}`, { token, body });
  const readAs = ({ id }: Campaign, { token }: Person) => api.data<Shown>('GET', `/campaigns/${id}`, { token });

  test('keeps the devices of its writer while nobody chooses others', async () => {
    const { below, own, other, adId } = await twoDealers();
    for (const devices of [{ filter: { fits: 'vertical' } }, { ids: [own.id] }]) {
      const made = await addCampaign(below, bodyOf([adId], devices));
      const body = bodyOf([adId], devices, { name: 'Checked', customerId: below.id });
      expect(await change(made, dealer, body)).toMatchObject({ name: 'Checked', devices });
      // Its writer can still read and send it.
      expect(await readAs(made, below)).toMatchObject({ devices });
      expect((await act(made.id, 'book', dealer)).body.data).toMatchObject({ state: 'booked', deviceCount: 1 });
      expect(await programmes(other)).toEqual([]);
      expect(await programmes(own)).toHaveLength(1);
      await act(made.id, 'cancel', dealer);
    }
  });

  test('has as much room as its writer has devices', async () => {
    const { below, adId } = await twoDealers();
    const body = bodyOf([adId], { filter: {} });
    const { id } = await addCampaign(below, body);
    const free = (more: object) =>
      api.data('POST', '/campaigns/availability', { token: dealer.token, body: { ...body, ...more } });
    expect(await free({ campaignId: id })).toMatchObject({ devices: 1 });
    expect(await free({ campaignId: id, devices: { filter: { fits: 'vertical' } } })).toMatchObject({ devices: 2 });
    expect(await free({})).toMatchObject({ devices: 2 });
  });

  test('has the devices of the one that chooses others', async () => {
    const { below, own, other, adId } = await twoDealers();
    const made = await addCampaign(below, bodyOf([adId], { filter: {} }));
    await change(made, dealer, bodyOf([adId], { filter: { fits: 'vertical' } }, { customerId: below.id }));
    expect((await act(made.id, 'book', dealer)).body.data).toMatchObject({ deviceCount: 2 });
    expect(await programmes(own)).toHaveLength(1);
    expect(await programmes(other)).toHaveLength(1);
  });

  test('belongs to the one that changes it after its writer lost a device that it names', async () => {
    const { below, own, adId } = await twoDealers();
    const made = await addCampaign(below, bodyOf([adId], { ids: [own.id] }));
    const { token } = dealer;
    await api.data('PATCH', `/devices/${own.id}`, { token, body: { ownerId: dealer.id } });
    await change(made, dealer, bodyOf([adId], { ids: [own.id] }, { customerId: below.id }));
    expect((await act(made.id, 'book', dealer)).body.data).toMatchObject({ deviceCount: 1 });
  });

  test('written above, means the devices of the one below that changes it, also with the same words', async () => {
    const { below, own, other, adId } = await twoDealers();
    const devices = { filter: {} };
    const made = await addCampaign(dealer, bodyOf([adId], devices, { customerId: below.id }));
    await change(made, below, bodyOf([adId], devices, { customerId: below.id }));
    expect((await act(made.id, 'book', dealer)).body.data).toMatchObject({ deviceCount: 1 });
    expect(await programmes(own)).toHaveLength(1);
    expect(await programmes(other)).toEqual([]);
  });
});

describe('a running campaign', () => {
  const state = async ({ id }: Campaign) =>
    api.data<Campaign & { deviceCount: number; customer: { id: string } }>('GET', `/campaigns/${id}`, {
      token: dealer.token,
    });

  async function run(adIds: string[], ids: string[]): Promise<Campaign> {
    const made = await addCampaign(dealer, bodyOf(adIds, { ids }, { customerId: customer.id }));
    return (await act(made.id, 'book', dealer)).body.data;
  }

  test('loses the creative of an ad that is deleted, ends with the last one, and keeps its files', async () => {
    const device = await api.addDevice(dealer.token);
    const ads = [await addAd(dealer), await addAd(dealer, 'Winter')];
    const adIds = ads.map(({ id }) => id);
    const campaign = await run(adIds, [device.id]);
    const { token } = dealer;
    const { regions } = await api.data<{ regions: { full: { fileId: string }[] } }>('GET', `/ads/${adIds[0]}`, {
      token,
    });
    const deleted = await api.call('DELETE', `/files/${regions.full[0]?.fileId}`, { token });
    expect(deleted.body).toMatchObject({ code: 409, error: 'FILE_IN_USE' });
    await api.data('DELETE', `/ads/${adIds[0]}`, { token });
    await settleCampaigns(server.deps);
    expect(await programmes(device)).toMatchObject([{ adId: adIds[1] }]);
    expect(await state(campaign)).toMatchObject({ state: 'booked', deviceCount: 1 });
    await api.data('DELETE', `/ads/${adIds[1]}`, { token });
    await settleCampaigns(server.deps);
    expect(await programmes(device)).toEqual([]);
    expect(await state(campaign)).toMatchObject({ state: 'cancelled', deviceCount: 0 });
  });

  test('keeps its devices when its group is deleted, and passes to the superior when its customer is', async () => {
    const { device, group } = await bookable();
    const { id: adId } = await addAd(customer);
    const made = await addCampaign(customer, bodyOf([adId], group, { standing: true }));
    await act(made.id, 'request', customer);
    expect((await act(made.id, 'approve', dealer)).status).toBe(200);
    await api.data('DELETE', `/groups/${group.group}`, { token: dealer.token });
    await api.addDevice(dealer.token);
    await settleCampaigns(server.deps);
    expect(await state(made)).toMatchObject({ state: 'booked', deviceCount: 1 });
    await api.data('DELETE', `/users/${customer.id}`, { token: dealer.token });
    await settleCampaigns(server.deps);
    expect(await state(made)).toMatchObject({ state: 'booked', customer: { id: dealer.id } });
    expect(await programmes(device)).toMatchObject([{ adId }]);
  });

  test('stays on its devices when the user that wrote it for a filter is deleted', async () => {
    const partner = await api.addUser(dealer.token, 'leading');
    const device = await api.addDevice(partner.token);
    const other = await api.addDevice(dealer.token);
    const { id: adId } = await addAd(partner);
    const campaign = await addCampaign(partner, bodyOf([adId], { filter: {} }, { standing: true }));
    expect((await act(campaign.id, 'book', partner)).body.data).toMatchObject({ deviceCount: 1 });
    await api.data('DELETE', `/users/${partner.id}`, { token: dealer.token });
    await settleCampaigns(server.deps);
    expect(await state(campaign)).toMatchObject({ state: 'booked', deviceCount: 1, standing: false });
    expect(await programmes(device)).toMatchObject([{ adId }]);
    expect(await programmes(other)).toEqual([]);
  });

  test('loses devices that are deleted or handed to others, and ends without any', async () => {
    const devices = [await api.addDevice(dealer.token), await api.addDevice(dealer.token)];
    const [first, second] = devices.map(({ id }) => id);
    const { id: adId } = await addAd(dealer);
    const campaign = await run(
      [adId],
      devices.map(({ id }) => id),
    );
    await api.data('DELETE', `/devices/${first}`, { token: dealer.token });
    await settleCampaigns(server.deps);
    expect(await state(campaign)).toMatchObject({ state: 'booked', deviceCount: 1 });
    const stranger = await api.addUser(admin, 'leading');
    await api.data('PATCH', `/devices/${second}`, { token: admin, body: { ownerId: stranger.id } });
    const [, handed] = devices;
    expect(handed && (await programmes(handed))).toEqual([]);
    await settleCampaigns(server.deps);
    expect(await state(campaign)).toMatchObject({ state: 'cancelled', deviceCount: 0 });
  });
});
