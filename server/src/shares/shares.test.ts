import { createHash, randomUUID } from 'node:crypto';
import { addDays, type CreatedShare, LANGUAGES, type MediaFile } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { lockAccount } from '../platform/auth/authority.ts';
import { messagesFor } from '../platform/http/messages.ts';
import { sharedFormats } from '../platform/http/shared-formats.ts';

const server = await startTestServer();
const { db } = server.deps;
const DAY_MS = 86_400_000;
let dealer: Session;
let customer: Session;
let video: MediaFile;

beforeAll(async () => {
  dealer = await server.createUser('leading');
  customer = await server.createUser('member', dealer);
  video = await addFile(server, customer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
});

/** An ad of the customer that played three times on 1 July 2026. */
async function played(name: string) {
  const player = await pairedDevice(server, customer);
  const regions = { full: [{ kind: 'file' as const, fileId: video.id }] };
  const body = { name, orientation: 'vertical' as const, split: 'full' as const, regions };
  const ad = dataOf(await customer.calls.ads.create({ body }));
  const devices = { ids: [player.device.id] };
  const sent = dataOf(await customer.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
  await sql`update release_devices set started_at = '2020-01-01' where release_id = ${sent.id}`.execute(db);
  const plays = [8, 9, 10].map((hour) => ({
    releaseId: sent.id,
    sha256: video.sha256,
    at: `2026-07-01T${String(hour).padStart(2, '0')}:00:00.000Z`,
    durationMs: 2000,
    screen: 'main' as const,
  }));
  dataOf(await player.calls.player.plays({ body: { batch: randomUUID(), plays } }));
  return { ad, device: player.device.id };
}

const share = async (report: object, who = dealer, days = 30): Promise<CreatedShare> =>
  dataOf(await who.calls.shares.create({ body: { subject: { kind: 'report', report }, days } }));

const JULY = { from: '2026-07-01', to: '2026-07-02' };

/** Opens a link as a stranger. */
async function open(url: string, language = 'en') {
  const reply = await fetch(url, { headers: { 'accept-language': language } });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
}

test('a link shows the report to anybody, as a page to be printed', async () => {
  const { ad } = await played('Autumn <b>"sale"</b>');
  const made = await share({ ...JULY, ad: ad.id, owner: customer.user.id, group: 'day' });
  expect(made).toMatchObject({ kind: 'report', state: 'active', createdBy: { username: dealer.user.username } });
  expect(made.title).toBe(`${customer.user.username} · Autumn <b>"sale"</b> · 2026-07-01 – 2026-07-02`);
  const { status, headers, text } = await open(made.url);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  // Browsers print to a file with the title of the document.
  const about = `${customer.user.username} · Autumn &lt;b&gt;&quot;sale&quot;&lt;/b&gt; · 2026-07-01 – 2026-07-02`;
  expect(text).toContain(`<title>Play report · ${about}</title>`);
  expect(text).toContain('Autumn &lt;b&gt;&quot;sale&quot;&lt;/b&gt;');
  expect(text).toContain('<td>Jul 1, 2026</td><td class="number">3</td>');
  expect(text).toContain('<svg');
  expect(text).toContain('@page');
  expect(text).not.toContain('<script');
  expect((await open(made.url, 'de')).text).toContain('<html lang="de" dir="ltr">');
  expect((await open(made.url, 'ar')).text).toContain('dir="rtl"');
});

test('a page leaves no trace: it is not indexed, kept or passed on, and runs nothing', async () => {
  const { url } = await share(JULY);
  const { headers, text } = await open(url);
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(headers.get('content-security-policy')).not.toContain('unsafe');
  const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
});

test('only a hash of the token is stored', async () => {
  const { url, id } = await share(JULY);
  const token = url.split('/').at(-1) ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  const { rows } = await sql<{ row: string }>`select s::text as row from shares s where id = ${id}`.execute(db);
  expect(rows[0]?.row).not.toContain(token);
  const audit = await sql<{ row: string }>`select a::text as row from audit a where target_id = ${id}`.execute(db);
  expect(audit.rows.map(({ row }) => row).join()).not.toContain(token);
});

const invalid = async (url: string): Promise<void> => {
  const { status, text, headers } = await open(url);
  expect(status).toBe(404);
  expect(text).toContain('This link is not valid');
  expect(headers.get('x-robots-tag')).toContain('noindex');
};

test('a revoked, expired, unknown or malformed link shows the same page', async () => {
  const revoked = await share(JULY);
  dataOf(await dealer.calls.shares.revoke({ params: { id: revoked.id } }));
  dataOf(await dealer.calls.shares.revoke({ params: { id: revoked.id } }));
  await invalid(revoked.url);
  const expired = await share(JULY);
  await sql`update shares set expires_at = now() where id = ${expired.id}`.execute(db);
  await invalid(expired.url);
  await invalid(`${server.url}/share/${'A'.repeat(43)}`);
  await invalid(`${server.url}/share/short`);
  expect((await open(`${server.url}/share/${'A'.repeat(5000)}`)).status).toBeGreaterThanOrEqual(400);
  const { items } = dataOf(await dealer.calls.shares.list({ query: {} }));
  expect(items.find(({ id }) => id === revoked.id)?.state).toBe('revoked');
  expect(items.find(({ id }) => id === expired.id)?.state).toBe('expired');
});

test('a link shows no more than its maker may see now', async () => {
  const below = await server.createUser('leading', dealer);
  const buyer = await server.createUser('member', below);
  const made = await share({ ...JULY, owner: buyer.user.id }, below);
  expect((await open(made.url)).status).toBe(200);
  dataOf(await dealer.calls.users.update({ params: { id: below.user.id }, body: { disabled: true, remark: 'left' } }));
  await invalid(made.url);
  dataOf(await dealer.calls.users.update({ params: { id: below.user.id }, body: { disabled: false } }));
  expect((await open(made.url)).status).toBe(200);
  dataOf(await dealer.calls.users.delete({ params: { id: below.user.id } }));
  await invalid(made.url);

  const { ad, device } = await played('Handed over');
  const own = await share({ ...JULY, device, group: 'day' }, customer);
  expect((await open(own.url)).text).toContain('<td class="number">3</td>');
  const other = await server.createUser('member', dealer);
  dataOf(await dealer.calls.devices.update({ params: { id: device }, body: { ownerId: other.user.id } }));
  await invalid(own.url);
  expect((await open((await share({ ...JULY, ad: ad.id }, customer)).url)).status).toBe(200);
});

test('nobody shares, sees or revokes what is out of scope', async () => {
  const { ad } = await played('Mine');
  const stranger = await server.createUser('leading');
  const subject = { kind: 'report' as const, report: { ...JULY, ad: ad.id } };
  expect(await stranger.calls.shares.create({ body: { subject } })).toMatchObject({ error: 'NOT_FOUND' });
  const made = await share({ ...JULY, ad: ad.id }, customer);
  expect(await stranger.calls.shares.revoke({ params: { id: made.id } })).toMatchObject({ error: 'NOT_FOUND' });
  expect(dataOf(await stranger.calls.shares.list({ query: {} })).items).toEqual([]);
  expect(dataOf(await dealer.calls.shares.list({ query: {} })).items.map(({ id }) => id)).toContain(made.id);
});

test('a number of days is fixed when the link is made, and days have limits', async () => {
  const made = await share({ days: 2, owner: dealer.user.id });
  const { created_at: madeAt } = await db
    .updateTable('shares')
    .set({ created_at: sql`created_at - interval '7 days'` })
    .where('id', '=', made.id)
    .returning('created_at')
    .executeTakeFirstOrThrow();
  const to = madeAt.toISOString().slice(0, 10);
  const { period } = sharedFormats('en');
  expect((await open(made.url)).text).toContain(period({ from: addDays(to, -1), to }));
  const refused = await dealer.calls.shares.create({
    body: { subject: { kind: 'report', report: { days: 7 } }, days: 400 },
  });
  expect(refused).toMatchObject({ code: 400 });
});

test('a link to the last days shows the plays of the report, also where the dates of devices differ', async () => {
  const owner = await server.createUser('member', dealer);
  const file = await addFile(server, owner, await makeMp4(1, 2), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  // It is always a later day on the first one.
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const { device, calls } = await pairedDevice(server, owner);
    dataOf(await dealer.calls.devices.update({ params: { id: device.id }, body: { timeZone } }));
    const ad = await addAd(owner, timeZone, file.id);
    const body = { devices: { ids: [device.id] } };
    const { id: releaseId } = dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body }));
    await sql`update release_devices set started_at = '2020-01-01' where release_id = ${releaseId}`.execute(db);
    // The present moment, and 24 and 48 hours before it.
    const plays = [0, 1, 2].map((days) => ({
      ...{ releaseId, sha256: file.sha256, durationMs: 2000, screen: 'main' as const },
      at: new Date(Date.now() - days * DAY_MS - 5000).toISOString(),
    }));
    expect(dataOf(await calls.player.plays({ body: { batch: randomUUID(), plays } })).accepted).toBe(3);
  }
  for (const days of [1, 2]) {
    const report = { days, owner: owner.user.id, group: 'ad' as const };
    const { plays } = dataOf(await owner.calls.reports.history({ query: report }));
    const { text } = await open((await share(report, owner)).url);
    const cells = [...text.matchAll(/<td class="number">(\d+)<\/td>/g)].map(([, cell]) => Number(cell));
    expect([days, plays, cells]).toEqual([days, 2 * days, [days, days, 2 * days]]);
  }
});

test.each(LANGUAGES)('a page in %s has no unfilled placeholder', async (language) => {
  const { url } = await share(JULY);
  expect((await open(url, language)).text).not.toMatch(/\{\{|undefined|NaN|Invalid Date/);
});

test('a link that is opened while somebody changes its maker shows its report', async () => {
  const made = await share({ ...JULY, owner: customer.user.id, group: 'day' });
  const opened = await db.transaction().execute(async (trx) => {
    await lockAccount(trx, dealer.user.id);
    await sql`update users set remark = 'new' where id = ${dealer.user.id}`.execute(trx);
    const page = open(made.url);
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%for key share%'`.execute(db);
      expect(rows).toHaveLength(1);
    });
    return { page };
  });
  expect((await opened.page).status).toBe(200);
});

test('guesses are limited per address', async () => {
  const statuses = [];
  for (let n = 0; n < 70; n += 1) statuses.push((await open(`${server.url}/share/guess${n}`)).status);
  expect(statuses).toContain(429);
});

test('a reader that opens links too often receives an error page', async () => {
  const often = await startTestServer();
  const url = `${often.url}/share/${'A'.repeat(43)}`;
  let last = await open(url, 'de');
  for (let opened = 1; last.status === 404 && opened < 100; opened += 1) last = await open(url, 'de');
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(last.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(last.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(last.text).toContain('<html lang="de" dir="ltr">');
  expect(last.text).toContain(messagesFor('de').errors.TOO_MANY.split('{{')[0]);
});
