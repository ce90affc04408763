import { type HttpRelay, startHttpRelay } from '../server/test/http-relay.ts';
import { expect, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
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
