import { expect, test } from './stories.ts';
import { logIn, newPhone, signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';
import { weigh, WEIGHT_LIMITS } from './weight.ts';

const server = new RealServer({ port: 4860 });
test.beforeAll(async () => {
  await server.start();
  await server.login();
  // Until the first device the home page draws the QR code of the player's address, and loads the encoder for it.
  expect((await server.calls.devices.create({ body: { mac: '02:00:5e:48:60:01' } })).code).toBe(200);
});
test.afterAll(() => server.end());

function expectWithin(weight: { script: number; style: number }, page: keyof typeof WEIGHT_LIMITS): void {
  const limits = WEIGHT_LIMITS[page];
  // A file without a size was not measured.
  expect(weight.script, `script of ${page}`).toBeGreaterThan(limits.script / 2);
  expect(weight.script, `script of ${page}`).toBeLessThanOrEqual(limits.script);
  expect(weight.style, `style of ${page}`).toBeGreaterThan(limits.style / 2);
  expect(weight.style, `style of ${page}`).toBeLessThanOrEqual(limits.style);
}

test('the login and home pages need no more script and style than their limits', async ({ browser }) => {
  const phone = await newPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  const weight = await weigh(await phone.newCDPSession(page));
  await page.goto('/login', { waitUntil: 'networkidle' });
  expectWithin(weight(), 'login');

  await logIn(page, 'admin');
  await expect(page.getByText('Devices online')).toBeVisible();
  await page.getByRole('img', { name: /^Plays/ }).scrollIntoViewIfNeeded();
  await expect(page.locator('canvas')).toHaveCount(2);
  expectWithin(weight(), 'home');
  await phone.close();
});

test('the device list needs no more script and style than its limits', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  const weight = await weigh(await phone.newCDPSession(page));
  await page.goto('/mac');
  await expect(page.getByTestId('device')).toHaveCount(1);
  expectWithin(weight(), 'devices');
  await phone.close();
});

test('a picture is shown without any script until the first page is there', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  await page.route('**/*', (route) =>
    ['document', 'stylesheet', 'image'].includes(route.request().resourceType()) ? route.continue() : route.abort(),
  );
  await page.goto('/mac');
  const picture = page.locator('body > img');
  const box = await picture.boundingBox();
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(box && [box.x + box.width / 2, box.y + box.height / 2]).toEqual([width / 2, height / 2]);
  await page.unroute('**/*');
  await page.goto('/mac');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(picture).toBeHidden();
  await phone.close();
});

test('the files of other pages wait for the data of this one', async ({ browser }) => {
  const phone = await signedInPhone(browser, server);
  const page = await phone.newPage();
  const answer = Promise.withResolvers<void>();
  await page.route('**/api/', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const workers = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Longer than an idle page waited before: 3 s at most.
  await page.clock.runFor(4000);
  expect(await workers()).toBe(0);
  answer.resolve();
  await expect(page.getByText('Devices online')).toBeVisible();
  await expect
    .poll(async () => {
      await page.clock.runFor(1000);
      return workers();
    })
    .toBe(1);
  await phone.close();
});
