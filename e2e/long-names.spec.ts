import { expect, type Page, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { Walker } from './walker.ts';

/** Names that cannot be broken between words or run the other way than the page, on a phone. */
const server = new RealServer({ port: 4947 });
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

/** Runs in the page: the elements in which the first sign of `name` is not on the left of the second. */
function turnedNames(name: string): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const leftOf = (node: Node, at: number): number => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect().left;
  };
  const turned: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.textContent?.indexOf(name) ?? -1;
    if (at >= 0 && leftOf(node, at) > leftOf(node, at + 1)) turned.push(node.parentElement?.outerHTML ?? '');
  }
  return turned;
}

test('in Arabic, a Latin name that begins with a sign is not turned round', async ({ browser }) => {
  const name = '+49 Shop';
  const device = dataOf(
    await server.calls.devices.create({ body: { mac: '02005e490702', name, area: name, address: name } }),
  );
  const file = await server.addFile('Poster.png', 'color=blue:size=360x640', { orientation: 'vertical', kind: 1 });
  const ad = dataOf(
    await server.calls.ads.create({
      body: { name, orientation: 'vertical', split: 'full', regions: { full: [{ kind: 'file', fileId: file.id }] } },
    }),
  );
  const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
  const campaign = dataOf(
    await server.calls.campaigns.create({
      body: {
        ...{ name, adIds: [ad.id], devices: { ids: [device.id] } },
        schedule: { from: inDays(1), to: inDays(20) },
        goal: { kind: 'perHour', value: 6 },
        price: { kind: 'perPlay', amount: '1', currency: 'EUR' },
      },
    }),
  );
  dataOf(await server.calls.campaigns.book({ params: { id: campaign.id } }));
  const phone = await signedInPhone(browser, server);
  await phone.addInitScript(() => localStorage.setItem('lang', 'ar'));
  const page = await phone.newPage();
  const walker = new Walker(page);
  const addresses = ['/mac', `/mac/${device.id}`, '/occupancy', '/campaigns', `/campaigns/${campaign.id}`];
  for (const address of [...addresses, `/campaigns/${campaign.id}/statement`, `/adlist/${ad.owner.id}/admin/0/1/1`]) {
    await page.goto(address);
    await walker.settle();
    await expect(page.getByText(name).first()).toBeVisible();
    expect(await page.evaluate(turnedNames, name), address).toEqual([]);
  }
  await phone.close();
});
