import { type Ad, addDays, type MediaFile } from '@ams/contract';
import { axeOn } from './axe.ts';
import { type BrowserContext, expect, type Page, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** Releasing an ad that plays somewhere already aims at the right screens. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4665 });
let phone: BrowserContext;
let page: Page;
let red: MediaFile;
let ad: Ad;

async function addDevice(index: number, name: string, screen: { width: number; height: number }): Promise<string> {
  const { id } = dataOf(await server.calls.devices.create({ body: { mac: `02005e46650${index}`, name } }));
  await server.row('update devices set screens = $2::jsonb where id = $1', id, JSON.stringify([screen]));
  return id;
}

const VERTICAL = { width: 1080, height: 1920 };
const HORIZONTAL = { width: 1920, height: 1080 };

test.beforeAll(async ({ browser }) => {
  await server.start();
  await server.login();
  red = await server.addFile('Red.png', 'color=red:size=360x640', { orientation: 'vertical', kind: 1 });
  const ids = [await addDevice(1, 'Door', VERTICAL), await addDevice(2, 'Hall', VERTICAL)];
  await addDevice(3, 'Lift', VERTICAL);
  await addDevice(4, 'Wide wall', HORIZONTAL);
  const body = {
    name: 'Autumn',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: red.id }] },
  };
  ad = dataOf(await server.calls.ads.create({ body }));
  dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids } } }));
  phone = await signedInPhone(browser, server);
  page = await phone.newPage();
});

test.afterAll(async () => {
  await phone?.close();
  await server.end();
});

const button = (name: string | RegExp) => page.getByRole('button', { name });
const dialog = () => page.getByRole('dialog').last();

test('the devices that play the ad are chosen, and stand before the options', async () => {
  await page.goto(`/release/${ad.owner.id}/1/2?ad=${ad.id}&step=devices`);
  await expect(page.getByLabel('Where it plays (2)')).toBeChecked();
  await expect(button('Release to 2 devices')).toBeVisible();
  const devices = await page.getByRole('heading', { name: 'Devices' }).boundingBox();
  const options = await page.getByText('Options', { exact: true }).boundingBox();
  expect(devices?.y).toBeLessThan(options?.y ?? 0);
  await page.getByText('All (3)').click();
  await expect(button('Release to 3 devices')).toBeVisible();
});

test('a device of the other orientation is found on request, and asks first', async () => {
  await page.getByText('Select', { exact: true }).click();
  const rows = dialog().getByTestId('device-choice');
  await expect(rows).toHaveCount(3);
  await dialog().getByRole('group', { name: 'Orientation' }).getByRole('button', { name: 'All' }).click();
  await expect(rows).toHaveCount(4);
  await rows.filter({ hasText: 'Wide wall' }).click();
  const { violations } = await axeOn(page).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  await dialog().getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Selected devices: 1')).toBeVisible();
  await button('Release to 1 device').click();
  await expect(dialog()).toContainText('Devices whose screen has the other orientation: 1.');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await expect(button('Release to 1 device')).toBeVisible();
});

test('all that match are chosen by one tap, as the filter that shows them', async () => {
  await button('Change').last().click();
  await dialog().getByRole('group', { name: 'Orientation' }).getByRole('button', { name: 'All' }).click();
  await dialog().getByRole('button', { name: 'Select all 4 that match' }).click();
  await dialog().getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('All devices that match: 4')).toBeVisible();
  await button('Release to 4 devices').click();
  const sent = page.waitForRequest((request) => request.url().endsWith(`/api/ads/${ad.id}/release`));
  await dialog().getByRole('button', { name: 'Release anyway' }).click();
  expect((await sent).postDataJSON()).toMatchObject({ devices: { filter: { owner: ad.owner.id } } });
  await expect(page).toHaveURL(/\/releases\//);
  await expect(page.getByTestId('release-device')).toHaveCount(4);
});

test('devices that a later step of a release is planned for are not among those where it plays', async () => {
  const { name: _name, id: _id, owner, ...content } = ad;
  const steps = dataOf(await server.calls.ads.create({ body: { ...content, name: 'Steps' } }));
  const devices = { filter: { owner: owner.id, fits: 'vertical' as const } };
  const stages = [{ percent: 10 }, { percent: 100 }];
  dataOf(await server.calls.ads.release({ params: { id: steps.id }, body: { devices, stages } }));
  await page.goto(`/release/${owner.id}/1/2?ad=${steps.id}&step=devices`);
  await expect(page.getByLabel('Where it plays (1)')).toBeChecked();
  await expect(button('Release to 1 device')).toBeVisible();
});

test('a page that the browser loads again has the changes of before, and releases them', async () => {
  const { name: _name, id: _id, ...content } = ad;
  const changed = dataOf(await server.calls.ads.create({ body: { ...content, name: 'Spring' } }));
  await page.goto(`/release/${changed.owner.id}/1/2?ad=${changed.id}`);
  await page.getByLabel('Name').fill('Spring sale');
  await button('Next: devices').click();
  await expect(button('Release to 3 devices')).toBeVisible();
  page.once('dialog', (leaving) => void leaving.accept());
  await page.reload();
  await expect(page.getByText('Draft restored')).toBeVisible();
  await button('Release to 3 devices').click();
  await expect(page).toHaveURL(/\/releases\//);
  expect(dataOf(await server.calls.ads.get({ params: { id: changed.id } })).name).toBe('Spring sale');
});

test('a region without files asks first', async () => {
  const top = await server.addFile('Top.png', 'color=blue:size=640x240', { orientation: 'vertical', kind: 3 });
  const regions = { top: [{ kind: 'file' as const, fileId: top.id }] };
  const body = { name: 'Gaps', orientation: 'vertical' as const, split: 'three' as const, regions };
  const gaps = dataOf(await server.calls.ads.create({ body }));
  await page.goto(`/release/${gaps.owner.id}/1/2?ad=${gaps.id}&step=devices`);
  await button('Release to 3 devices').click();
  await expect(dialog()).toContainText('Regions without files stay dark: middle and bottom.');
  await dialog().getByRole('button', { name: 'Release anyway' }).click();
  await expect(page).toHaveURL(/\/releases\//);
});

test('an ad that was turned or emptied since its release says so before its devices are updated', async () => {
  const { updatedAt } = dataOf(await server.calls.ads.get({ params: { id: ad.id } }));
  const wide = await server.addFile('Wide.png', 'color=green:size=640x360', { orientation: 'horizontal', kind: 4 });
  const body = {
    name: 'Autumn',
    orientation: 'horizontal' as const,
    split: 'three' as const,
    regions: { right: [{ kind: 'file' as const, fileId: wide.id }] },
    updatedAt,
  };
  dataOf(await server.calls.ads.update({ params: { id: ad.id }, body }));
  await page.goto(`/adlist/${ad.owner.id}/admin/0/0/0?orientation=horizontal`);
  await button('Update 4 devices').click();
  await expect(dialog()).toContainText('Devices whose screen has the other orientation: 3.');
  await expect(dialog()).toContainText('Regions without files stay dark: left and middle.');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  const turned = dataOf(await server.calls.ads.get({ params: { id: ad.id } }));
  const before = { ...ad, updatedAt: turned.updatedAt };
  dataOf(await server.calls.ads.update({ params: { id: ad.id }, body: before }));
});

test('devices chosen in their list begin the release of an ad, which is chosen then', async () => {
  await page.goto('/mac');
  await button('Select devices').click();
  const card = (name: string) => page.getByRole('article').filter({ hasText: name });
  await card('Lift').click();
  await card('Wide wall').click();
  await button('Actions').click();
  await expect(dialog().getByRole('button', { name: 'Restart' })).toHaveCount(0);
  await dialog().getByRole('button', { name: 'Release an ad' }).click();
  await dialog()
    .getByRole('link', { name: /Autumn/ })
    .click();
  await expect(page.getByText('Selected devices: 2')).toBeVisible();
  const step = (name: string) => page.getByRole('list').getByRole('button', { name });
  await step('Content').click();
  await expect(step('Content')).toHaveAttribute('aria-current', 'step');
  await step('Devices').click();
  await expect(page.getByText('Selected devices: 2')).toBeVisible();
  await button('Release to 2 devices').click();
  await expect(dialog()).toContainText('Devices whose screen has the other orientation: 1.');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
});

test('the page of a device releases an ad to it', async () => {
  await page.goto('/mac');
  await page.getByRole('link', { name: 'Lift' }).click();
  await button('Actions').click();
  await dialog().getByRole('button', { name: 'Release an ad' }).click();
  await dialog()
    .getByRole('link', { name: /Autumn/ })
    .click();
  await button('Release to 1 device').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Autumn');
});

test('what was withdrawn on the page of a device can be undone', async () => {
  const find = async () => dataOf(await server.calls.devices.list({ query: { q: 'Hall' } })).items[0];
  const { id } = (await find()) ?? { id: '' };
  const files = async () => dataOf(await server.calls.devices.listFiles({ params: { id } })).items.length;
  const before = await files();
  expect(before).toBeGreaterThan(0);
  await page.goto(`/mac/${id}`);
  await button('Delete ad files').first().click();
  await dialog().getByRole('button', { name: 'Delete ad files' }).click();
  await expect(page.getByText('No ad files')).toBeVisible();
  expect(await files()).toBe(0);
  await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('No ad files')).toHaveCount(0);
  expect(await files()).toBe(before);
});

test('an ad is withdrawn from its releases, which can be undone; its campaign continues', async () => {
  const { calls } = server;
  const device = async (q: string) => dataOf(await calls.devices.list({ query: { q } })).items[0]?.id ?? '';
  const ids = [await device('Hall'), await device('Lift')];
  const body = {
    name: 'Winter',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: red.id }] },
  };
  const winter = dataOf(await calls.ads.create({ body }));
  for (const id of ids)
    dataOf(await calls.ads.release({ params: { id: winter.id }, body: { devices: { ids: [id] } } }));
  const today = new Date().toISOString().slice(0, 10);
  const { id: campaign } = dataOf(
    await calls.campaigns.create({
      body: {
        name: 'Winter sale',
        adIds: [winter.id],
        devices: { ids },
        schedule: { from: addDays(today, 1), to: addDays(today, 20) },
        goal: { kind: 'perHour', value: 1 },
        price: { kind: 'fixed', amount: '100', currency: 'EUR' },
      },
    }),
  );
  dataOf(await calls.campaigns.book({ params: { id: campaign } }));
  /** Its releases that are not withdrawn: those of the campaign, and others. */
  const live = async () => {
    const { items } = dataOf(await calls.releases.list({ query: { ad: winter.id, active: 'true' } }));
    return [items.filter(({ campaignId }) => campaignId !== null).length, items.filter((r) => !r.campaignId).length];
  };
  const ofCampaign = (await live())[0];
  expect(ofCampaign).toBeGreaterThan(0);

  await page.goto(`/adlist/${winter.owner.id}/admin/0/1/1`);
  const ask = async () => {
    await page.getByRole('button', { name: /Actions for.*Winter/ }).click();
    await page.getByRole('button', { name: /^Withdraw/ }).click();
    await expect(dialog()).toContainText('2 releases end');
    await expect(dialog()).toContainText('Campaigns with this ad continue until they are cancelled.');
  };
  const undo = async (text: string) => {
    const offer = page.getByTestId('undo');
    await expect(offer).toContainText(text);
    await offer.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(live).toEqual([ofCampaign, 2]);
  };
  await ask();
  // The second one cannot be withdrawn: the first can still be undone.
  await page.route('**/api/releases/*/withdraw', (route) => route.abort(), { times: 1 });
  await page.route('**/api/releases/*/withdraw', (route) => route.continue(), { times: 1 });
  await dialog().getByRole('button', { name: 'Withdraw' }).click();
  await expect.poll(live).toEqual([ofCampaign, 1]);
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await undo('1 release withdrawn, others not');

  await ask();
  await dialog().getByRole('button', { name: 'Withdraw' }).click();
  await expect.poll(live).toEqual([ofCampaign, 0]);
  await undo('Withdrawn');
  expect(dataOf(await calls.campaigns.get({ params: { id: campaign } })).state).toBe('booked');
});

test('the first steps end with a word of success and the next two things', async () => {
  const steps = page.getByRole('heading', { name: 'Your first ad is released' });
  await page.goto('/');
  await expect(page.getByText('Devices online')).toBeVisible();
  await expect(steps).toHaveCount(0);
  await page.evaluate(() => localStorage.setItem('ams_first_steps', JSON.stringify('begun')));
  await page.reload();
  await expect(steps).toBeVisible();
  await expect(page.getByRole('link', { name: 'Set up alerts' })).toBeVisible();
  await expect(page.getByText('npm run backup')).toBeVisible();
  const { violations } = await axeOn(page).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await button('Close').click();
  await expect(steps).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Devices online')).toBeVisible();
  await expect(steps).toHaveCount(0);
});
