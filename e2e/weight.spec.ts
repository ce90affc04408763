import { expect, test } from './stories.ts';
import { newPhone } from './phone.ts';
import { PASSWORD, RealServer } from './server.ts';
import { weigh, WEIGHT_GOALS } from './weight.ts';

const server = new RealServer({ port: 4860 });
test.beforeAll(async () => {
  await server.start();
  await server.login();
  // Until the first device the home page draws the QR code of the player's address, and loads the encoder for it.
  expect((await server.calls.devices.create({ body: { mac: '02:00:5e:48:60:01' } })).code).toBe(200);
});
test.afterAll(() => server.end());

test('the login and home pages need no more script and style than their goals', async ({ browser }) => {
  const phone = await newPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  const weight = await weigh(await phone.newCDPSession(page));
  await page.goto('/login', { waitUntil: 'networkidle' });
  expect(weight()).toBeGreaterThan(WEIGHT_GOALS.login / 2);
  expect(weight()).toBeLessThanOrEqual(WEIGHT_GOALS.login);

  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Devices online')).toBeVisible();
  await expect(page.locator('canvas').first()).toBeVisible();
  expect(weight()).toBeLessThanOrEqual(WEIGHT_GOALS.home);
  await phone.close();
});
