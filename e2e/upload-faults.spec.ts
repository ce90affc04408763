import { once } from 'node:events';
import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type BrowserContext, expect, type Page, test } from './stories.ts';
import { makeClip, makePicture, pad } from './media.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** Uploads through proxies that refuse, and into a full quota: nothing has to be chosen again. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4953 });
const made = (name: string): string => path.join(server.folder, name);
const UPLOADS = /\/api\/uploads\/[^/]+$/;
/** The proxy passes on so much of a request, and answers 504. */
const PASSED_BYTES = 2 ** 17;

let phone: BrowserContext;
let page: Page;
let proxy: Server;
let me: string;

test.beforeAll(async ({ browser }) => {
  makeClip(made('Long.mp4'), 1);
  pad(made('Long.mp4'), 10 * PASSED_BYTES);
  makeClip(made('Refused.mp4'), 1);
  makePicture(made('Poster.jpg'), 'blue', '1080x1920');
  await server.start();
  await server.login();
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  page = await phone.newPage();
  me = dataOf(await server.calls.users.list({ query: { q: 'admin' } })).items[0]?.id ?? '';
});

test.afterAll(async () => {
  await phone?.close();
  proxy?.close();
  await server.end();
});

const row = (name: string) => page.getByTestId('upload').filter({ hasText: name });

async function choose(name: string, kind: 1 | 2): Promise<void> {
  await page.goto(`/upload/${me}/admin/0/0/0/${kind}/${kind}`);
  await page.getByTestId('album').setInputFiles(made(name));
}

/** A proxy that gives each request a limited time: it passes on the beginning, and answers 504. Counts its answers. */
async function impatientProxy(): Promise<{ origin: string; answers: () => number }> {
  let answers = 0;
  proxy = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const passed = body.subarray(0, PASSED_BYTES);
    const { host: _, ...headers } = incoming.headers;
    const upstream = send(new URL(incoming.url ?? '', server.origin), {
      method: incoming.method,
      headers: { ...headers, 'content-length': passed.length },
    });
    upstream.end(passed);
    const [answer] = (await once(upstream, 'response')) as [typeof incoming];
    if (passed.length === body.length) {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      return void answer.pipe(outgoing);
    }
    answer.resume();
    answers += 1;
    outgoing.writeHead(504).end();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, answers: () => answers };
}

test('an upload arrives whose proxy ends each request after a while, however often', async () => {
  const { origin, answers } = await impatientProxy();
  await page.route(UPLOADS, (route) =>
    route.request().method() === 'PATCH'
      ? route.continue({ url: route.request().url().replace(server.origin, origin) })
      : route.continue(),
  );
  await choose('Long.mp4', 2);
  await expect(row('Long.mp4')).toHaveAttribute('data-state', 'done');
  expect(answers(), 'more than in a row end the retries').toBeGreaterThan(7);
  await page.unroute(UPLOADS);
});

test('an upload that a proxy refuses as too large can be tried again', async () => {
  await page.route(UPLOADS, (route) => route.fulfill({ status: 413, body: '<html>413</html>' }));
  await choose('Refused.mp4', 2);
  await expect(row('Refused.mp4')).toHaveAttribute('data-state', 'failed');
  await page.unroute(UPLOADS);
  await page.getByRole('button', { name: 'Retry Refused.mp4' }).click();
  await expect(row('Refused.mp4')).toHaveAttribute('data-state', 'done');
});

test('a file for which the quota had no room can be tried again once there is', async () => {
  const setQuota = async (quotaBytes: number | null) =>
    dataOf(await server.calls.users.update({ params: { id: me }, body: { quotaBytes } }));
  await setQuota(1);
  await choose('Poster.jpg', 1);
  await expect(row('Poster.jpg')).toHaveAttribute('data-state', 'failed');
  await setQuota(null);
  await page.getByRole('button', { name: 'Retry Poster.jpg' }).click();
  await expect(row('Poster.jpg')).toHaveAttribute('data-state', 'done');
});
