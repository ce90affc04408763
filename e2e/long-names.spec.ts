import { expect, type Page, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { Walker } from './walker.ts';

/** Names that cannot be broken between words, on a phone. */
const server = new RealServer({ port: 4907 });
const LONG = 'W'.repeat(60);
const DAY = 86_400_000;

test.beforeAll(async () => {
  await server.start();
  await server.login();
});

test.afterAll(() => server.end());

/** Nothing makes the page wider than the screen. */
async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
}

test('long names leave the page as wide as the phone, and every button of a question on it', async ({ browser }) => {
  const device = dataOf(
    await server.calls.devices.create({ body: { mac: '02005e490701', name: LONG, area: LONG, address: LONG } }),
  );
  const expiresAt = new Date(Date.now() + 2 * DAY).toISOString().slice(0, 10);
  dataOf(await server.calls.devices.update({ params: { id: device.id }, body: { expiresAt } }));
  const phone = await signedInPhone(browser, server);
  const page = await phone.newPage();
  const walker = new Walker(page);

  for (const address of ['/', '/occupancy']) {
    await page.goto(address);
    await walker.settle();
    await expect(page.getByText(LONG).first()).toBeVisible();
    await expectToFit(page);
  }

  await page.goto(`/mac/${device.id}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete device' }).click();
  for (const name of ['Cancel', 'Delete device']) {
    await expect(page.getByRole('dialog').getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await phone.close();
});
