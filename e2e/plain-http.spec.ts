import { expect, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** The server of a shop answers without TLS: browsers lack there what they give to secure pages alone. */
const server = new RealServer({ port: 4697 });
const HOST = 'ams.test';

test.beforeAll(async () => {
  await server.start();
  await server.login();
});

test.afterAll(() => server.end());

test('over plain HTTP, MACs are copied and working hours are set', async ({ browser }, { project }) => {
  const device = dataOf(await server.calls.devices.create({ body: { mac: '02005e469701', name: 'Door' } }));
  const { launchOptions = {} } = project.use;
  const shop = await browser.browserType().launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
  });
  try {
    const origin = server.origin.replace('127.0.0.1', HOST);
    const { origins } = await (await signedInPhone(shop, server)).storageState();
    const localStorage = origins.flatMap((each) => each.localStorage);
    const insecure = await shop.newContext({
      viewport: { width: 390, height: 844 },
      baseURL: origin,
      locale: 'en-GB',
      storageState: { cookies: [], origins: [{ origin, localStorage }] },
    });
    const page = await insecure.newPage();
    await page.goto('/mac');
    expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
    await page.getByRole('button', { name: /Copy MAC/ }).click();
    await expect(page.getByText('MAC copied')).toBeVisible();
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('Control+V');
    await expect(page.getByRole('searchbox')).toHaveValue('02:00:5e:46:97:01');

    await page.goto(`/mac/${device.id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Working hours' }).click();
    const sheet = page.getByRole('dialog', { name: 'Working hours' });
    await sheet.getByText('Set hours', { exact: true }).click();
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => dataOf(await server.calls.devices.get({ params: { id: device.id } })).workingHours)
      .not.toBeNull();
  } finally {
    await shop.close();
  }
});
