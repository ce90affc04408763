import { axeOn } from './axe.ts';
import { DESK, signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { type Browser, expect, type Page, test } from './stories.ts';

/** The calendar: an agenda on the phone, columns of hours on a desk. */
const server = new RealServer({ port: 4895 });
let device: string;
/** Plays nothing before the evening. */
let bar: string;
let noon: string;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const { calls } = server;
  const add = async (mac: string, name: string) => dataOf(await calls.devices.create({ body: { mac, name } })).id;
  device = await add('02:00:5e:48:95:01', 'Lobby');
  const other = await add('02:00:5e:48:95:02', 'Canteen');
  bar = await add('02:00:5e:48:95:03', 'Bar');
  const image = await server.addFile('Menu.png', 'color=blue:size=360x640', { orientation: 'vertical', kind: 1 });
  const release = async (name: string, ids: string[], over: object = {}) => {
    const regions = { full: [{ kind: 'file' as const, fileId: image.id }] };
    const ad = dataOf(await calls.ads.create({ body: { name, orientation: 'vertical', split: 'full', regions } }));
    return dataOf(await calls.ads.release({ params: { id: ad.id }, body: { devices: { ids }, ...over } })).id;
  };
  await release('House rules', [device, other]);
  noon = await release('Lunch menu', [device], { schedule: { hours: [{ from: '11:00', to: '14:00' }] } });
  await release('Dessert', [device], { replace: false, schedule: { hours: [{ from: '12:00', to: '14:00' }] } });
  await release('Cocktails', [bar], { schedule: { hours: [{ from: '17:00', to: '23:00' }] } });
  dataOf(await calls.groups.create({ body: { name: 'All screens', filter: {} } }));
});
test.afterAll(() => server.end());

async function open(browser: Browser, options: object = {}): Promise<Page> {
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block', ...options });
  return context.newPage();
}

test('the agenda of a device leads to what plays next week', async ({ browser }) => {
  const page = await open(browser);
  await page.goto(`/mac/${device}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Calendar' }).click();
  await expect(page.getByRole('heading', { name: 'Calendar: Lobby' })).toBeVisible();
  await page.getByRole('button', { name: 'Later' }).click();
  const lunch = page.getByRole('link', { name: /11:00 – 12:00\s*Lunch menu/ });
  await expect(lunch).toHaveCount(7);
  expect((await axeOn(page).analyze()).violations).toEqual([]);

  await test.step('several in turn are listed', async () => {
    await page
      .getByRole('button', { name: /12:00 – 14:00\s*Lunch menu and Dessert/ })
      .first()
      .click();
    const sheet = page.getByRole('dialog', { name: '12:00 – 14:00' });
    await expect(sheet.getByRole('link', { name: 'Dessert' })).toBeVisible();
    await sheet.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('one leads to its release', async () => {
    await lunch.first().click();
    await expect(page).toHaveURL(new RegExp(`/releases/${noon}$`));
  });
  await page.context().close();
});

test('the calendar of a group shows sets of devices with the same content', async ({ browser }) => {
  // The reader is in the time zone of the devices.
  const page = await open(browser, { ...DESK, timezoneId: 'UTC' });
  await page.goto('/groups');
  await page.getByRole('button', { name: 'Actions for All screens' }).click();
  await page.getByRole('button', { name: 'Calendar' }).click();
  await expect(page.getByRole('heading', { name: 'Calendar: All screens' })).toBeVisible();
  // The choice is in the address, which changes a moment after the tap.
  const day = page.getByRole('radio', { name: 'Day' });
  await day.click({ force: true });
  await expect(day).toBeChecked();
  await page.getByRole('button', { name: 'Later' }).click();
  const sets = page.getByRole('group', { name: 'Devices with the same content' });
  const lunch = page.getByRole('link', { name: /Lunch menu/ });
  await sets.getByRole('button', { name: /Lobby/ }).click();
  await expect(lunch).toBeVisible();
  await sets.getByRole('button', { name: /Canteen/ }).click();
  await expect(page.getByRole('link', { name: /House rules\s*All day/ })).toBeVisible();
  await expect(lunch).toHaveCount(0);
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  await page.context().close();
});

test('on a desk, a day opens an hour before the first ad, below the name of the day', async ({ browser }) => {
  const page = await open(browser, DESK);
  await page.goto(`/calendar?device=${bar}&view=day`);
  await expect(page.getByRole('heading', { name: 'Calendar: Bar' })).toBeVisible();
  await page.getByRole('button', { name: 'Later' }).click();
  const hour = (text: string) => page.locator('ol[aria-hidden] li').filter({ hasText: text });
  await expect(page.getByRole('link', { name: /Cocktails/ })).toBeInViewport();
  await expect(hour('16:00')).toBeInViewport();
  await expect(hour('00:00')).not.toBeInViewport();
  await expect(page.getByRole('heading', { level: 2 })).toBeInViewport();
  await page.context().close();
});

test('today is the day of the device, also for a reader on another date', async ({ browser }) => {
  // 11 hours behind the device, or 14 ahead.
  const timezoneId = new Date().getUTCHours() < 10 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  const page = await open(browser, { ...DESK, timezoneId });
  await page.goto(`/calendar?device=${bar}&view=day`);
  const today = page.locator('h2[data-today=true]');
  await expect(today).toBeVisible();
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(page.getByRole('link', { name: /Cocktails/ })).toBeVisible();
  await expect(today).toHaveCount(0);
  await page.getByRole('button', { name: 'Today' }).click();
  await expect(today).toBeVisible();
  await page.context().close();
});

test('in Arabic, a Latin name in a column is cut at its end', async ({ browser }) => {
  const page = await open(browser, DESK);
  await page.addInitScript(() => localStorage.setItem('lang', 'ar'));
  await page.goto(`/calendar?device=${device}`);
  // Later: this week's lunches may be over.
  await page.getByRole('button', { name: 'التالي' }).click();
  const name = page.getByRole('listitem').getByText('Lunch menu', { exact: true }).last();
  await expect(name).toBeVisible();
  await expect(name).toHaveCSS('direction', 'ltr');
  await expect(name).toHaveCSS('text-align', 'right');
  await page.context().close();
});
