import { expectAccessible } from './axe.ts';
import { type BrowserContext, expect, test } from './stories.ts';
import { DESK, signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** A campaign whose only screen is never online cannot be delivered: its dealer learns that without looking for it. */
const server = new RealServer({ port: 4903 });
const contexts: BrowserContext[] = [];

/** Campaigns are looked at every minute. */
const MINUTE_MS = 90_000;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const { calls } = server;
  const device = dataOf(await calls.devices.create({ body: { mac: '02:00:5e:48:86:01', name: 'Lyon station' } }));
  const red = await server.addFile('Red.png', 'color=red:size=360x640', { orientation: 'vertical', kind: 1 });
  const regions = { full: [{ kind: 'file' as const, fileId: red.id }] };
  const ad = dataOf(
    await calls.ads.create({ body: { name: 'Autumn', orientation: 'vertical', split: 'full', regions } }),
  );
  const days = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
  const { id } = dataOf(
    await calls.campaigns.create({
      body: {
        name: 'Autumn',
        adIds: [ad.id],
        devices: { ids: [device.id] },
        schedule: { from: days(0), to: days(20) },
        goal: { kind: 'total', value: 5000 },
        price: { kind: 'fixed', amount: '100.00', currency: 'EUR' },
      },
    }),
  );
  dataOf(await calls.campaigns.book({ params: { id } }));
  // Devices have had the time to come back since its start.
  await server.row(`update server_processes set started_at = now() - interval '1 hour'`);
});
test.afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
test.afterAll(() => server.end());

test('home names a campaign that cannot be delivered in full, and leads to it', async ({ browser }) => {
  test.setTimeout(3 * MINUTE_MS);
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block', ...DESK });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto('/');
  // It appears by itself, while the page is open.
  const attention = page.locator('#content').getByRole('link', { name: /Campaigns short of plays/ });
  await expect(attention).toBeVisible({ timeout: MINUTE_MS });
  await attention.click();
  await expect(page).toHaveURL(/\/campaigns\?short=true/);
  await expect(page.getByRole('button', { name: 'Cannot be delivered in full' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuetext', '0 of 5,000');
  await page.getByRole('grid').getByText('Autumn').click();
  await expect(page.getByText(/^Cannot be delivered in full: 5,000 of 5,000 ordered plays/)).toBeVisible();
  await expect(page.getByRole('img', { name: /Plays by day/ })).toBeVisible();
  await expectAccessible(page);
});
