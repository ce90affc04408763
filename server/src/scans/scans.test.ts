import { type AdBody, localTime, type ReportGroup } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { pairedDevice, type TestDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const boss = await server.createUser('leading');
const member = await server.createUser('member', boss);
const SPOT = { name: 'spot.mp4', orientation: 'vertical', kind: 2 } as const;
const file = await addFile(server, member, await makeMp4(), SPOT);
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';

const bodyOf = (qr: AdBody['qr'], fileId = file.id): AdBody => ({
  name: 'Offer',
  orientation: 'vertical',
  split: 'full',
  qr,
  regions: { full: [{ kind: 'file', fileId }] },
});
const addAd = async (url: string) => dataOf(await member.calls.ads.create({ body: bodyOf({ url }) }));
const release = async (by: Session, adId: string, ids: string[]) =>
  dataOf(await by.calls.ads.release({ params: { id: adId }, body: { devices: { ids } } }));
const addressOn = async (device: TestDevice): Promise<string> =>
  (await device.manifest()).screens.main.find(({ qr }) => qr)?.qr?.address ?? '';
const follow = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${server.url}${address}`, { method, redirect: 'manual', headers: { 'user-agent': PHONE, ...headers } });
const scansOf = async (id: string, by = member) => dataOf(await by.calls.scans.ofRelease({ params: { id } }));

test('a code leads to the address that was released, and each scan counts by device and hour', async () => {
  const [first, second] = [await pairedDevice(server, member), await pairedDevice(server, member)];
  const ad = await addAd('https://example.com/offer');
  expect(ad.qr).toEqual({ url: 'https://example.com/offer', corner: 'bottomRight', size: 'medium' });
  const { id } = await release(member, ad.id, [first.device.id, second.device.id]);
  const [one, other] = [await addressOn(first), await addressOn(second)];
  expect(one).toMatch(/^\/q\/[\w-]{16}$/);
  expect(other).not.toBe(one);
  expect(await addressOn(first)).toBe(one);

  // A later change of the ad does not change what was released.
  const { id: _id, owner: _owner, ...content } = ad;
  const elsewhere = { url: 'https://example.com/other', corner: 'topLeft', size: 'large' } as const;
  dataOf(await member.calls.ads.update({ params: { id: ad.id }, body: { ...content, qr: elsewhere } }));
  const answer = await follow(one);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://example.com/offer']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  await follow(other);
  expect(await scansOf(id)).toMatchObject({ carries: true, total: 2 });
  const { days, hours, devices } = await scansOf(id, boss);
  expect(days).toHaveLength(1);
  expect(hours.reduce((sum, each) => sum + each, 0)).toBe(2);
  expect(devices.map(({ scans }) => scans)).toEqual([1, 1]);
  const { rows } = { rows: await server.deps.db.selectFrom('scan_hours').selectAll().execute() };
  expect(Object.keys(rows[0] ?? {}).toSorted()).toEqual(['device_id', 'hour', 'last_zone', 'release_id', 'scans']);
});

test.each(['Asia/Kolkata', 'Asia/Kathmandu', 'UTC'])(
  'a scan counts in the hour of a device in %s',
  async (timeZone) => {
    const device = await pairedDevice(server, member);
    dataOf(await boss.calls.devices.update({ params: { id: device.device.id }, body: { timeZone } }));
    const { id } = await release(member, (await addAd('https://example.com/')).id, [device.device.id]);
    const address = await addressOn(device);
    // The hour may end meanwhile.
    const before = localTime(Date.now(), timeZone);
    await follow(address);
    const after = localTime(Date.now(), timeZone);
    const { days, hours } = await scansOf(id);
    expect([before.date, after.date]).toContain(days[0]?.day);
    expect([before.minutes, after.minutes].map((minutes) => Math.floor(minutes / 60))).toContain(hours.indexOf(1));
    const [row] = await server.deps.db.selectFrom('scan_hours').selectAll().where('release_id', '=', id).execute();
    expect(localTime(Number(row?.hour), timeZone).minutes % 60).toBe(0);
  },
);

test('robots, previews and repetitions are led on and do not count', async () => {
  const device = await pairedDevice(server, member);
  const { id } = await release(member, (await addAd('https://example.com/')).id, [device.device.id]);
  const address = await addressOn(device);
  const others: Record<string, string>[] = [
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    { 'user-agent': 'WhatsApp/2.23.20.0' },
    { 'user-agent': 'curl/8.0' },
    { 'user-agent': '' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'x-purpose': 'preview' },
  ];
  for (const headers of others) {
    expect((await follow(address, headers)).status).toBe(302);
  }
  expect((await follow(address, {}, 'HEAD')).status).toBe(302);
  expect((await scansOf(id)).total).toBe(0);
  await Promise.all([follow(address), follow(address), follow(address)]);
  expect((await scansOf(id)).total).toBe(1);
  await follow(address, { 'user-agent': `${PHONE} another` });
  expect((await scansOf(id)).total).toBe(2);
});

test('a scan that cannot be stored leads on all the same', async () => {
  const device = await pairedDevice(server, member);
  const { id } = await release(member, (await addAd('https://example.com/')).id, [device.device.id]);
  const address = await addressOn(device);
  await sql`
    create function refuse_scan() returns trigger language plpgsql as $$ begin raise 'no space left'; end $$;
    create trigger refuse_scan before insert on scan_hours execute function refuse_scan()`.execute(server.deps.db);
  const answer = await follow(address);
  await sql`drop function refuse_scan cascade`.execute(server.deps.db);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://example.com/']);
  expect(await scansOf(id)).toMatchObject({ total: 0 });
});

test('codes that were not given out lead nowhere', async () => {
  const [device, stranger] = [await pairedDevice(server, member), await pairedDevice(server, member)];
  await release(member, (await addAd('https://example.com/')).id, [device.device.id]);
  await release(member, (await addAd('https://example.com/')).id, [stranger.device.id]);
  const [mine, foreign] = [await addressOn(device), await addressOn(stranger)];
  const mixed = `/q/${mine.slice(3, 11)}${foreign.slice(11)}`;
  for (const address of [mixed, '/q/x', `/q/${'a'.repeat(16)}`, `/q/${'%2e'.repeat(16)}`]) {
    expect((await follow(address)).status).toBe(404);
  }
  expect((await follow(`${mine}?url=https://evil.example/`)).headers.get('location')).toBe('https://example.com/');
});

test('a code leads nowhere while the account of its release is disabled', async () => {
  const offender = await server.createUser('member', boss);
  const own = await addFile(server, offender, await makeMp4(), SPOT);
  const body = bodyOf({ url: 'https://example.com/' }, own.id);
  const ad = dataOf(await offender.calls.ads.create({ body }));
  const device = await pairedDevice(server, offender);
  const { id } = await release(offender, ad.id, [device.device.id]);
  const address = await addressOn(device);
  const disable = async (change: { disabled: boolean; remark?: string }) =>
    dataOf(await boss.calls.users.update({ params: { id: offender.user.id }, body: change }));
  await disable({ disabled: true, remark: 'Leads to a forged bank' });
  expect((await follow(address)).status).toBe(404);
  expect((await scansOf(id, boss)).total).toBe(0);
  await disable({ disabled: false });
  expect((await follow(address)).headers.get('location')).toBe('https://example.com/');
});

test('an address that is not public is refused with its field, and so is the own one', async () => {
  for (const url of ['javascript:alert(1)', 'http://10.0.0.1/', 'http://[::1]/', 'http://user@example.com/']) {
    expect(await member.calls.ads.create({ body: bodyOf({ url }) })).toMatchObject({
      code: 400,
      details: { fields: [{ path: 'qr.url', rule: 'qr.url' }] },
    });
  }
});

test('the scans of a campaign are those of its creatives', async () => {
  const device = await pairedDevice(server, boss);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const own = await addFile(server, boss, await makeMp4(), SPOT);
  const regions = { full: [{ kind: 'file' as const, fileId: own.id }] };
  const ad = dataOf(
    await boss.calls.ads.create({
      body: { ...bodyOf({ url: 'https://example.com/' }), ownerId: boss.user.id, regions },
    }),
  );
  const campaign = dataOf(
    await boss.calls.campaigns.create({
      body: {
        name: 'Autumn',
        adIds: [ad.id],
        devices: { ids: [device.device.id] },
        schedule: { from: inDays(1), to: inDays(5) },
        goal: { kind: 'perHour', value: 6 },
        price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
      },
    }),
  );
  const params = { id: campaign.id };
  const before = dataOf(await boss.calls.scans.ofCampaign({ params }));
  expect(before).toMatchObject({ carries: false, total: 0 });
  dataOf(await boss.calls.campaigns.book({ params }));
  await follow(await addressOn(device));
  const after = dataOf(await boss.calls.scans.ofCampaign({ params }));
  expect(after).toMatchObject({ carries: true, total: 1, devices: [{ device: { id: device.device.id }, scans: 1 }] });
  expect(await member.calls.scans.ofCampaign({ params })).toMatchObject({ code: 404 });
});

test('the scans of a deleted device keep their days and hours', async () => {
  const device = await pairedDevice(server, member);
  const params = { id: device.device.id };
  dataOf(await boss.calls.devices.update({ params, body: { timeZone: 'Pacific/Kiritimati' } }));
  const { id } = await release(member, (await addAd('https://example.com/')).id, [params.id]);
  await follow(await addressOn(device));
  const { days, hours, total } = await scansOf(id);
  expect(total).toBe(1);
  dataOf(await boss.calls.devices.delete({ params }));
  expect(await scansOf(id)).toMatchObject({ days, hours, total, devices: [] });
});

test('people see the scans of what is in their scope', async () => {
  const device = await pairedDevice(server, member);
  const { id } = await release(member, (await addAd('https://example.com/')).id, [device.device.id]);
  const stranger = await server.createUser('leading');
  expect(await stranger.calls.scans.ofRelease({ params: { id } })).toMatchObject({ code: 404 });
});

test('a play report counts scans beside plays, by device, ad and day; files have none', async () => {
  const owner = await server.createUser('member', boss);
  const own = await addFile(server, owner, await makeMp4(5), SPOT);
  const [first, second] = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  // The day is the device's own.
  await boss.calls.devices.update({ params: { id: second.device.id }, body: { timeZone: 'Pacific/Kiritimati' } });
  const regions = { full: [{ kind: 'file' as const, fileId: own.id }] };
  const body = { ...bodyOf({ url: 'https://example.com/' }), name: 'Scanned', regions };
  const ad = dataOf(await owner.calls.ads.create({ body }));
  await release(owner, ad.id, [first.device.id, second.device.id]);
  for (const agent of ['one', 'two']) await follow(await addressOn(first), { 'user-agent': `${PHONE} ${agent}` });
  await follow(await addressOn(second));

  const { reports } = owner.calls;
  const totalOf = async (query: object) => dataOf(await reports.history({ query: { days: 2, ...query } })).scans;
  expect(await totalOf({})).toBe(3);
  expect(await totalOf({ device: second.device.id })).toBe(1);
  expect(await totalOf({ ad: ad.id })).toBe(3);
  expect(await totalOf({ file: own.id })).toBeNull();
  const rowsOf = async (group: ReportGroup) => {
    const { items } = dataOf(await reports.plays({ query: { days: 2, group } }));
    return items.map(({ id, plays, scans }) => ({ id, plays, scans }));
  };
  expect(await rowsOf('ad')).toEqual([{ id: ad.id, plays: 0, scans: 3 }]);
  expect((await rowsOf('device')).toSorted((a, b) => Number(b.scans) - Number(a.scans))).toEqual([
    { id: first.device.id, plays: 0, scans: 2 },
    { id: second.device.id, plays: 0, scans: 1 },
  ]);
  const zones = { [first.device.id]: first.device.timeZone, [second.device.id]: 'Pacific/Kiritimati' };
  const stored = await server.deps.db.selectFrom('scan_hours').selectAll().execute();
  const days: Record<string, number> = {};
  for (const { device_id, hour, scans } of stored.filter((row) => row.device_id in zones)) {
    const day = localTime(hour.getTime(), zones[device_id] ?? '').date;
    days[day] = (days[day] ?? 0) + scans;
  }
  expect(Object.fromEntries((await rowsOf('day')).map(({ id, scans }) => [id, scans]))).toEqual(days);
  expect((await rowsOf('hour')).reduce((sum, { scans }) => sum + (scans ?? 0), 0)).toBe(3);
  expect(await rowsOf('file')).toEqual([]);
  const stranger = await server.createUser('leading');
  expect(dataOf(await stranger.calls.reports.history({ query: { days: 2 } })).scans).toBe(0);

  const exported = await fetch(`${server.url}/api/reports/plays/export?days=2&group=ad&format=csv`, {
    headers: { 'authorization': `Bearer ${owner.token}`, 'accept-language': 'en' },
  });
  expect(await exported.text()).toMatch(/QR code scans\r?\nScanned,0,0,0,3/);
});
