import path from 'node:path';
import { localTime } from '@ams/contract';
import { expectAccessible } from './axe.ts';
import { type BrowserContext, expect, type Locator, type Page, type Request, test } from './stories.ts';
import { launchKiosk, pairScreen } from './kiosk.ts';
import { colourAt, makePicture } from './media.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';

/** A dealer demands approval of a customer: a release waits, and one tap brings it to the glass. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4690 });
const CUSTOMER = 'miaMiller2026';
const ON_GLASS_MS = 10_000;
/** From the uploaded file to the request. */
const TAPS_MAX = 5;

let kiosk: BrowserContext;
let device: Page;
let dealer: Page;
let customer: Page;
let contexts: BrowserContext[] = [];
let mia: string;
let ad: string;

async function open(browser: Parameters<typeof signedInPhone>[0], username?: string): Promise<Page> {
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block', ...(username && { username }) });
  contexts.push(context);
  return context.newPage();
}

test.beforeAll(async ({ browser }) => {
  await server.start();
  await server.login();
  const { calls } = server;
  mia = dataOf(await calls.users.create({ body: { username: CUSTOMER, password: PASSWORD, role: 'member' } })).id;
  const red = await server.addFile('Red.png', 'color=red:size=540x960', {
    orientation: 'vertical',
    kind: 1,
    owner: mia,
  });
  const regions = { full: [{ kind: 'file' as const, fileId: red.id }] };
  const body = { name: 'Autumn', ownerId: mia, orientation: 'vertical' as const, split: 'full' as const, regions };
  ad = dataOf(await calls.ads.create({ body })).id;
  ({ context: kiosk, page: device } = await launchKiosk(server.folder, { width: 540, height: 960 }));
  await pairScreen(server, device, { ownerId: mia });
  await expect(device.locator('html')).toHaveAttribute('data-state', 'standby');
  dealer = await open(browser);
  customer = await open(browser, CUSTOMER);
});

test.afterAll(async () => {
  await Promise.allSettled([kiosk?.close(), ...contexts.splice(0).map((context) => context.close())]);
  await server.end();
});

async function request(): Promise<void> {
  const asked: string[] = [];
  const onRequest = (each: Request) => void asked.push(each.url());
  customer.on('request', onRequest);
  await customer.goto(`/release/${mia}/1/1?ad=${ad}&step=devices`);
  await customer.getByRole('button', { name: 'Release to 1 device' }).tap();
  await expect(customer).toHaveURL(/\/releases\//);
  await expect(customer.getByText('Waiting for approval').first()).toBeVisible();
  // The devices that it is for; nothing has been sent to them.
  const content = customer.locator('#content');
  await expect(content.getByRole('definition').filter({ hasText: /^1$/ })).toBeVisible();
  await expect(content.getByText('Devices done')).toHaveCount(0);
  await expect(content.getByText('No devices')).toHaveCount(0);
  customer.off('request', onRequest);
  expect(asked.filter((url) => /\/api\/releases\/[^/]+\/(scans|devices)/.test(url))).toEqual([]);
}

/** The customer requests a campaign whose ad was changed. */
async function requestAgain(id: string): Promise<void> {
  const authorization = await customer.evaluate(() => `Bearer ${JSON.parse(localStorage['ams_token']).token}`);
  const { updatedAt } = dataOf(await server.calls.campaigns.get({ params: { id } }));
  const answer = await fetch(`${server.origin}/api/campaigns/${id}/request`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ updatedAt }),
  });
  expect(await answer.json()).toMatchObject({ code: 200 });
}

async function openRequests(): Promise<ReturnType<Page['getByTestId']>> {
  await dealer.goto('/');
  await dealer
    .locator('#content')
    .getByRole('link', { name: /Requests to approve/ })
    .tap();
  const card = dealer.getByTestId('release-request');
  await expect(card).toContainText(CUSTOMER);
  return card;
}

test('a rejected release never plays, and the customer reads why', async () => {
  await dealer.goto(`/user/${mia}`);
  await dealer.getByRole('button', { name: /Require approval/ }).tap();
  await expect(dealer.getByText('Need approval')).toBeVisible();
  await request();
  const card = await openRequests();
  await expect(card.getByTestId('findings')).toContainText('Content checks found nothing.');
  await expectAccessible(dealer);
  await card.getByRole('button', { name: 'Reject' }).tap();
  await dealer.getByRole('dialog').getByRole('textbox').fill('Wrong logo');
  await dealer.getByRole('dialog').getByRole('button', { name: 'Reject' }).tap();
  await expect(dealer.getByText('Nothing to approve')).toBeVisible();
  await expect(customer.getByText('Rejected: Wrong logo')).toBeVisible();
  await expect(customer.getByText('Rejected', { exact: true })).toBeVisible();
  await expect(customer.getByText('Withdrawn', { exact: true })).toHaveCount(0);
  await expectAccessible(customer);
  await expect(device.locator('html')).toHaveAttribute('data-state', 'standby');
});

test('the home page names a rejected release until it is requested again, and leads to its ad', async () => {
  await customer.goto('/');
  const rejected = customer.locator('#content').getByRole('link', { name: /Rejected releases/ });
  await expect(rejected).toContainText('1');
  await rejected.tap();
  await expect(customer.getByTestId('release')).toHaveCount(1);
  await expectAccessible(customer);
  await customer.getByTestId('release').tap();
  await customer.locator('#content').getByRole('link', { name: 'Edit' }).tap();
  await expect(customer.getByLabel('Name')).toHaveValue('Autumn');
  await request();
  await expect(customer.getByRole('link', { name: 'Edit' })).toHaveCount(0);
  await customer.goto('/');
  await expect(
    customer
      .locator('#content')
      .getByRole('link', { name: /Devices/ })
      .first(),
  ).toBeVisible();
  await expect(rejected).toHaveCount(0);
  await customer.goto('/releases?active=rejected&open=true');
  await expect(customer.getByTestId('release')).toHaveCount(0);
  await customer.getByRole('button', { name: 'Recent, not requested again' }).tap();
  await expect(customer.getByTestId('release')).toHaveCount(1);
  const { calls } = server;
  for (const { id } of dataOf(await calls.releases.list({ query: { approval: 'requested' } })).items)
    dataOf(await calls.releases.reject({ params: { id }, body: { remark: 'Twice' } }));
});

test('one tap approves, and it is on the glass within ten seconds', async () => {
  const known = Promise.withResolvers<void>();
  await dealer.route('**/api/ads/*/checks', async (route) => {
    await known.promise;
    await route.continue();
  });
  await request();
  await test.step('the list of all releases leads to it', async () => {
    await customer.goto('/releases');
    await expect(customer.getByText('Nothing released yet')).toBeVisible();
    // Below the filters.
    await customer.getByRole('button', { name: 'Waiting for approval (1)' }).last().tap();
    await expect(customer).toHaveURL(/active=requested/);
  });
  await expect(customer.getByText('Waiting for approval').first()).toBeVisible();
  const row = customer.getByTestId('release');
  await expect(row).toContainText('1 device');
  await expect(row).not.toContainText('Devices done');
  const card = await openRequests();
  await test.step('but not before the preview and the findings are shown', async () => {
    for (const name of ['Approve', 'Reject']) await expect(card.getByRole('button', { name })).toBeDisabled();
    await expect(card.getByTestId('stage')).toBeHidden();
    known.resolve();
    await expect(card.getByTestId('findings')).toBeVisible();
    await expect(card.getByTestId('stage')).toBeVisible();
    for (const name of ['Approve', 'Reject']) await expect(card.getByRole('button', { name })).toBeEnabled();
    await dealer.unroute('**/api/ads/*/checks');
  });
  await card.getByRole('button', { name: 'Approve' }).tap();
  const approvedAt = Date.now();
  await expect.poll(() => colourAt(device, 0.5, 0.5), { intervals: [100], timeout: ON_GLASS_MS }).toBe('red');
  expect(Date.now() - approvedAt).toBeLessThan(ON_GLASS_MS);
  await expect(dealer.getByText('Nothing to approve')).toBeVisible();
});

test('an uploaded picture is requested as a campaign in five taps and approved with one; it is on the glass when it is due', async () => {
  const { calls } = server;
  for (const { id } of dataOf(await calls.releases.list({ query: { active: 'true' } })).items)
    dataOf(await calls.releases.withdraw({ params: { id } }));
  const filter = { owner: mia };
  dataOf(await calls.groups.create({ body: { name: 'Lobby', filter, bookable: true } }));
  await customer.goto(`/upload/${mia}/${CUSTOMER}/1/0/0/1/1`);
  const picture = path.join(server.folder, 'Blue.png');
  makePicture(picture, 'blue', '540x960');
  await customer.getByTestId('album').setInputFiles(picture);
  await expect(customer.getByRole('link', { name: 'Make an ad' })).toBeVisible();

  let taps = 0;
  const tap = async (locator: Locator) => {
    taps += 1;
    await locator.tap();
  };
  await tap(customer.getByRole('link', { name: 'Make an ad' }));
  await tap(customer.getByRole('button', { name: 'New campaign' }));
  const first = customer.getByLabel('First day');
  await tap(first);
  // The device and the customer are in the same time zone.
  await first.fill(localTime(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone).date);
  await tap(customer.getByRole('textbox', { name: 'Amount' }));
  await customer.keyboard.type('12.50');
  await tap(customer.getByRole('button', { name: 'Request', exact: true }));
  await expect(customer.getByRole('status').filter({ hasText: 'Waiting for approval' })).toBeVisible();
  expect(taps).toBeLessThanOrEqual(TAPS_MAX);

  await dealer.goto('/approvals');
  const card = dealer.getByTestId('request');
  await expect(card).toContainText('Blue');
  await test.step('what is requested anew is what the card shows', async () => {
    const pictured = () => card.locator('img').first().getAttribute('src');
    const before = await pictured();
    const [campaign] = dataOf(await calls.campaigns.list({ query: { state: 'requested' } })).items;
    const { id = '' } = campaign?.creatives[0]?.ad ?? {};
    const { id: _id, owner: _owner, updatedAt, ...content } = dataOf(await calls.ads.get({ params: { id } }));
    const { regions } = dataOf(await calls.ads.get({ params: { id: ad } }));
    dataOf(await calls.ads.update({ params: { id }, body: { ...content, regions, updatedAt } }));
    await requestAgain(campaign?.id ?? '');
    await expect.poll(pictured).not.toBe(before);
    const changed = dataOf(await calls.ads.get({ params: { id } }));
    dataOf(await calls.ads.update({ params: { id }, body: { ...content, updatedAt: changed.updatedAt } }));
    await requestAgain(campaign?.id ?? '');
    await expect.poll(pictured).toBe(before);
  });
  await card.getByRole('button', { name: 'Approve' }).tap();
  const approvedAt = Date.now();
  await expect.poll(() => colourAt(device, 0.5, 0.5), { intervals: [100], timeout: ON_GLASS_MS }).toBe('blue');
  expect(Date.now() - approvedAt).toBeLessThan(ON_GLASS_MS);
});
