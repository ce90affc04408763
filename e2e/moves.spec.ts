import { enrolDevice } from './live.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { expect, type Page, test } from './stories.ts';

/** Pages whose parts arrive one after the other. */
const server = new RealServer({ port: 4780 });

test.beforeAll(async () => {
  await server.start();
  await server.login();
});

test.afterAll(() => server.end());

/** Has calls answered so much later. */
const delay = (page: Page, calls: string, ms: number) =>
  page.route(calls, async (route) => {
    await page.waitForTimeout(ms);
    await route.continue();
  });

/** Notes the elements that the browser counts as moved without a person's doing; returns their class names. */
async function watchMoves(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(globalThis, { moved });
    const note = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) {
        const { sources = [] } = entry as PerformanceEntry & { sources?: { node: Node | null }[] };
        moved.push(...sources.map(({ node }) => (node instanceof Element ? node.className : String(node?.nodeName))));
      }
    };
    new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as typeof globalThis & { moved: string[] }).moved);
}

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test(`nothing moves on the home page once its steps can be tapped, ${viewport.width} pixels wide`, async ({
    browser,
  }) => {
    await enrolDevice(server, '02:00:00:00:47:80');
    const phone = await signedInPhone(browser, server, { viewport, serviceWorkers: 'block' });
    const page = await phone.newPage();
    const moved = await watchMoves(page);
    // Both arrive after the numbers: devices that wait, and that campaigns cannot be counted.
    await delay(page, '**/api/devices/waiting', 800);
    await page.route('**/api/campaigns?short=*', async (route) => {
      await page.waitForTimeout(1200);
      await route.abort();
    });
    await page.goto('/');
    await expect(page.getByRole('link', { name: /Upload a video or a picture/ })).toBeVisible();
    await expect(page.getByRole('img', { name: 'Open this address on the device' })).toBeVisible();
    await expect(page.getByRole('heading', { name: /waiting/i })).toBeVisible();
    await expect(page.getByText('Could not load')).toBeVisible();
    expect(await moved()).toEqual([]);
    await phone.close();
  });
}

test('the button of a takeover stays in its place while groups arrive', async ({ browser }) => {
  const { calls } = server;
  const file = await server.addFile('Red.png', 'color=red:size=540x960', { orientation: 'vertical', kind: 1 });
  const { id: ownerId } = file.owner;
  const regions = { full: [{ kind: 'file' as const, fileId: file.id }] };
  const ad = { name: 'Autumn', ownerId, orientation: 'vertical' as const, split: 'full' as const, regions };
  const { id } = dataOf(await calls.ads.create({ body: ad }));
  dataOf(await calls.groups.create({ body: { name: 'Halls', filter: { online: true } } }));
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  const moved = await watchMoves(page);
  await delay(page, '**/api/groups?*', 800);
  await page.goto(`/takeover?ad=${id}`);
  await expect(page.getByRole('button', { name: 'Hold to take over' })).toBeVisible();
  await expect(page.getByText('Halls')).toBeVisible();
  expect(await moved()).toEqual([]);
  await phone.close();
});
