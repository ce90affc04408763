import type { Device } from '@ams/contract';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { expect, type Page, test } from './stories.ts';

/** Changes that a page could not hear of: it was not shown, or its request failed. */
const server = new RealServer({ port: 4783 });

test.beforeAll(async () => {
  await server.start();
  await server.login();
  await server.addScreens(160);
});

test.afterAll(() => server.end());

async function findDevice(name: string): Promise<Device> {
  const { items } = dataOf(await server.calls.devices.list({ query: { q: name } }));
  const found = items.find((device) => device.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

const rename = async ({ id }: Device, name: string) =>
  dataOf(await server.calls.devices.update({ params: { id }, body: { name } }));

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

/** Opens the list of devices at its end, with all pages loaded. */
async function openLongList(page: Page): Promise<void> {
  await page.goto('/mac');
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.getByText('No more')).toBeInViewport({ timeout: 500 });
  }).toPass();
}

test('a long list that was left shows what changed meanwhile, at the same place', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  await openLongList(page);
  const [opened, other] = await Promise.all([findDevice('Screen 159'), findDevice('Screen 160')]);
  await row(page, 'Screen 159').getByRole('link').first().click();
  await expect(page.getByRole('heading', { name: 'Screen 159' })).toBeVisible();
  await rename(other, 'Cellar');
  // Its event has come when a later one has.
  await rename(opened, 'Attic');
  await expect(page.getByRole('heading', { name: 'Attic' })).toBeVisible();
  await page.goBack();
  await expect(row(page, 'Cellar')).toBeInViewport();
  await expect(row(page, 'Attic')).toBeInViewport();
  await phone.close();
});

test('a row of a long list whose request failed shows the change once there is a network', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  await openLongList(page);
  const device = await findDevice('Screen 158');
  const lost = page.waitForRequest(`**/api/devices/${device.id}`);
  await page.route(`**/api/devices/${device.id}`, (route) => route.abort('internetdisconnected'), { times: 1 });
  await rename(device, 'Garage');
  await lost;
  await expect(row(page, 'Garage')).toBeVisible();
  await phone.close();
});

test('a page whose request fails while the network returns shows the change', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  const device = await findDevice('Screen 001');
  await page.goto(`/mac/${device.id}`);
  await expect(page.getByRole('heading', { name: 'Screen 001' })).toBeVisible();
  await phone.setOffline(true);
  await expect(page.getByText('No network')).toBeVisible();
  const asked = Promise.withResolvers<() => Promise<void>>();
  await page.route(`**/api/devices/${device.id}`, (route) => asked.resolve(() => route.abort('internetdisconnected')), {
    times: 1,
  });
  await rename(device, 'Hall');
  const fail = await asked.promise;
  await phone.setOffline(false);
  await expect(page.getByText('No network')).toBeHidden();
  await fail();
  await expect(page.getByRole('heading', { name: 'Hall' })).toBeVisible();
  await phone.close();
});
