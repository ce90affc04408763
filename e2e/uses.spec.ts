import { axeOn } from './axe.ts';
import { DESK, signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { expect, test } from './stories.ts';

/** The uses of a file, and the devices of an ad. */
const server = new RealServer({ port: 4917 });
let owner: string;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const { calls } = server;
  const { id } = dataOf(await calls.devices.create({ body: { mac: '02:00:5e:48:97:01', name: 'Lobby' } }));
  dataOf(await calls.devices.create({ body: { mac: '02:00:5e:48:97:02', name: 'Without the ad' } }));
  const image = await server.addFile('Menu.png', 'color=blue:size=360x640', { orientation: 'vertical', kind: 1 });
  const regions = { full: [{ kind: 'file' as const, fileId: image.id }] };
  const body = { name: 'Lunch menu', orientation: 'vertical' as const, split: 'full' as const, regions };
  const ad = dataOf(await calls.ads.create({ body }));
  dataOf(await calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [id] } } }));
  owner = ad.owner.id;
});
test.afterAll(() => server.end());

test('a file leads to its ads, releases and devices, an ad to its devices', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();

  await test.step('from the preview of the file', async () => {
    await page.goto(`/matlist/${owner}/admin/0/0/0/1/1`);
    await page.getByRole('list').getByText('Menu').first().click();
    await page.getByRole('button', { name: 'Where it is used' }).click();
    const sheet = page.getByRole('dialog', { name: 'Where it is used' });
    await expect(sheet.getByText('Lunch menu')).toBeVisible();
    await expect(sheet.getByRole('link', { name: '1 live release' })).toBeVisible();
    expect((await axeOn(page).include('dialog').analyze()).violations).toEqual([]);
    await sheet.getByRole('link', { name: '1 device' }).click();
    await expect(page).toHaveURL(/\/mac\?ad=/);
    await expect(page.getByRole('button', { name: 'Ad released to it: Lunch menu' })).toBeVisible();
    const list = page.getByRole('list', { name: 'Device list' });
    await expect(list.getByText('Lobby')).toBeVisible();
    await expect(list.getByRole('listitem')).toHaveCount(1);
  });

  await test.step('from the menu of the ad', async () => {
    await page.goto(`/adlist/${owner}/admin/0/1/1`);
    await page
      .getByRole('button', { name: /Lunch menu/ })
      .last()
      .click();
    await page.getByRole('button', { name: 'Where it plays' }).click();
    const sheet = page.getByRole('dialog', { name: 'Where it plays' });
    await expect(sheet.getByText('Waiting')).toBeVisible();
    await sheet.getByRole('link', { name: 'Lobby' }).click();
    await expect(page).toHaveURL(/\/mac\/[\w-]+$/);
  });
  await phone.close();
});

test('the panel beside the files of a desk has it in its menu', async ({ browser }) => {
  const desk = await signedInPhone(browser, server, { serviceWorkers: 'block', ...DESK });
  const page = await desk.newPage();
  await page.goto(`/matlist/${owner}/admin/0/0/0/1/1`);
  await page.getByTestId('row').first().click();
  await page
    .getByTestId('panel')
    .getByRole('button', { name: /Actions for|Menu/ })
    .click();
  await page.getByRole('button', { name: 'Where it is used' }).click();
  await expect(page.getByRole('dialog', { name: 'Where it is used' }).getByText('Lunch menu')).toBeVisible();
  await desk.close();
});
