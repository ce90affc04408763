import { type HttpRelay, startHttpRelay } from '../server/test/http-relay.ts';
import { expect, test } from './stories.ts';
import { isDataKept, signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';

/** A load balancer, behind which another version of the app answers some requests during an update. */
const server = new RealServer({ port: 4693 });
let balancer: HttpRelay;

test.beforeAll(async () => {
  await server.start();
  balancer = await startHttpRelay(server.origin);
});

test.afterAll(async () => {
  balancer?.end();
  await server.end();
});

test('a page of another version is not kept: the app opens, and is kept once the update is over', async ({
  browser,
}) => {
  const { origin } = balancer;
  const own = await (await fetch(`${origin}/index.html`)).text();
  const body = own.replaceAll('/assets/', '/assets/other-');
  balancer.own = { to: /^\/index\.html/, status: 200, headers: { 'content-type': 'text/html' }, body };
  const phone = await signedInPhone(browser, { origin, row: server.row.bind(server) });
  const page = await phone.newPage();
  const greeting = page.getByRole('navigation').first();
  await page.goto('/');
  await expect.poll(() => balancer.answered, { timeout: 60_000 }).toBeGreaterThan(0);
  const isInstalling = () =>
    page.evaluate(async () => ((await navigator.serviceWorker.getRegistration())?.installing ?? null) !== null);
  await expect.poll(isInstalling, { timeout: 60_000 }).toBe(false);
  await page.goto('/');
  await expect(greeting).toBeVisible();

  balancer.own = undefined;
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await phone.setOffline(true);
  await page.goto('/');
  await expect(greeting).toBeVisible();
  await phone.close();
});

test('data that another version has kept is not shown: it may have another shape', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  await page.goto('/');
  const devices = page.locator('#content').getByRole('link', { name: /^Devices/ });
  await expect(devices).toBeVisible();
  await expect.poll(() => isDataKept(page)).toBe(true);
  // Pages that are left keep nothing any more.
  await page.goto('/manifest.webmanifest');
  await page.evaluate(async () => {
    const store = await caches.open('ams-data');
    const [place] = await store.keys();
    const kept = await (await store.match(place ?? ''))?.json();
    await store.delete(place ?? '');
    const home = kept.state.queries.find(({ queryKey }: { queryKey: string[] }) => queryKey[0] === 'home');
    home.state.data = { numbers: [] };
    await store.put('/last-data?/assets/other.js', new Response(JSON.stringify(kept)));
    await store.put('/last-data', new Response(JSON.stringify(kept)));
  });
  const answered = Promise.withResolvers<void>();
  await page.route(`${server.origin}/api/`, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  answered.resolve();
  await expect(devices).toBeVisible();
  await phone.close();
});
