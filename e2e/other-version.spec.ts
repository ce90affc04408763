import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';

/** A load balancer, behind which another version of the app answers some requests during an update. */
const server = new RealServer({ port: 4696 });
const { hostname, port } = new URL(server.origin);
let otherPage: string | undefined;
let timesOther = 0;

const balancer = createServer((asked, reply) => {
  if (otherPage !== undefined && asked.url?.startsWith('/index.html')) {
    timesOther += 1;
    return void reply.writeHead(200, { 'content-type': 'text/html' }).end(otherPage);
  }
  const passed = request(
    { hostname, port, method: asked.method, path: asked.url, headers: asked.headers },
    (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    },
  );
  passed.on('error', () => reply.destroy());
  asked.pipe(passed);
});

test.beforeAll(async () => {
  await server.start();
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
});

test.afterAll(async () => {
  balancer.closeAllConnections();
  balancer.close();
  await server.end();
});

test('a page of another version is not kept: the app opens, and is kept once the update is over', async ({
  browser,
}) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has such an address
  const origin = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`;
  const own = await (await fetch(`${origin}/index.html`)).text();
  otherPage = own.replaceAll('/assets/', '/assets/other-');
  const phone = await signedInPhone(browser, { origin, row: server.row.bind(server) });
  const page = await phone.newPage();
  const greeting = page.getByRole('navigation').first();
  await page.goto('/');
  await expect.poll(() => timesOther, { timeout: 60_000 }).toBeGreaterThan(0);
  const isInstalling = () =>
    page.evaluate(async () => ((await navigator.serviceWorker.getRegistration())?.installing ?? null) !== null);
  await expect.poll(isInstalling, { timeout: 60_000 }).toBe(false);
  await page.goto('/');
  await expect(greeting).toBeVisible();

  otherPage = undefined;
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await phone.setOffline(true);
  await page.goto('/');
  await expect(greeting).toBeVisible();
  await phone.close();
});
