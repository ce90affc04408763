import type { Ad, MediaFile } from '@ams/contract';
import { type BrowserContext, expect, type Locator, type Page, type Route, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';
import { Walker } from './walker.ts';

/** Fingers that tap twice, and answers that get lost: everything is done once. */
const server = new RealServer({ port: 4900 });

let phone: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  await server.start();
  await server.login();
  phone = await signedInPhone(browser, server);
  page = await phone.newPage();
});

test.afterAll(async () => {
  await Promise.allSettled([phone?.close()]);
  await server.end();
});

const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: typeof name === 'string' });

/** Both taps come before the page can draw anything. */
const tapTwice = (target: Locator): Promise<void> =>
  target.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });

async function countOf(query: string): Promise<number> {
  const row = await server.row(query);
  return Number(row?.['n']);
}

/** A picture of one color, and a device that may show it. */
async function addPicture(color: string, mac: string): Promise<MediaFile> {
  dataOf(await server.calls.devices.create({ body: { mac } }));
  return server.addFile(`${color}.png`, `color=${color}:size=360x640`, { orientation: 'vertical', kind: 1 });
}

async function addAd(name: string, { id: fileId }: MediaFile): Promise<Ad> {
  const regions = { full: [{ kind: 'file' as const, fileId }] };
  const body = { name, orientation: 'vertical' as const, split: 'full' as const, regions };
  return dataOf(await server.calls.ads.create({ body }));
}

test('a double tap creates one user', async () => {
  await page.goto('/user/add');
  await page.getByLabel('Username', { exact: true }).fill('twice1');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await tapTwice(button('Add user'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('twice1');
  await expect(page.getByText('This username is already taken')).toHaveCount(0);
});

test('a double tap creates one invitation code', async () => {
  await page.goto('/invitations');
  await button('Create codes').first().click();
  await tapTwice(page.getByRole('dialog').getByRole('button', { name: 'Create codes' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await countOf('select count(*) as n from invitations')).toBe(1);
});

test('a double tap creates one ad and one release', async () => {
  const ad = await addAd('Twice', await addPicture('Red', '02005e484001'));
  await page.goto(`/release/${ad.owner.id}/1/1?ad=${ad.id}&step=devices`);
  await tapTwice(button(/^Release to 1 device/));
  await expect(page).toHaveURL(/\/releases\//);
  expect(await countOf('select count(*) as n from releases')).toBe(1);

  await page.goto(`/release/${ad.owner.id}/1/1?ad=${ad.id}`);
  await page.getByLabel('Name', { exact: true }).fill('Changed');
  await tapTwice(button('Save draft'));
  await expect(page.getByText('This ad was changed by someone else')).toHaveCount(0);
  await expect(page.getByText('Changed').first()).toBeVisible();
  expect(await countOf('select count(*) as n from ads')).toBe(1);
});

test('a tap whose answer was lost and the next one make one user', async () => {
  await page.goto('/user/add');
  await page.getByLabel('Username', { exact: true }).fill('lost01');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.route(
    '**/api/users',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await button('Add user').click();
  await expect(page.getByText('Network Error').first()).toBeVisible();
  expect(await countOf("select count(*) as n from users where username = 'lost01'")).toBe(1);
  await button('Add user').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('lost01');
});

/** Loses the answer to the next call to an address, and loads the page again, as a phone that is short of memory does. */
async function loseAnswer(address: string, act: () => Promise<void>): Promise<void> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route(address, lose, { times: 1 });
  await act();
  await expect(page.getByText('Network Error').first()).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
}

test('a new ad is made and released once, although the page was loaded again without the answers', async () => {
  const file = await addPicture('Blue', '02005e484006');
  const count = () =>
    countOf(`select count(distinct a.id) * 100 + count(r.id) as n
      from ads a left join releases r on r.ad_id = a.id where a.name = 'Blue'`);
  const release = () => button(/^Release to /).click();
  await page.goto(`/release/${file.owner.id}/1/1?files=${file.id}`);
  await button('Next: devices').click();
  await loseAnswer('**/api/ads', release);
  expect(await count()).toBe(100);
  await loseAnswer('**/api/ads/*/release', release);
  expect(await count()).toBe(101);
  await release();
  await expect(page).toHaveURL(/\/releases\//);
  expect(await count()).toBe(101);
});

test('a campaign is made and booked once, although the page was loaded again without the answers', async () => {
  const ad = await addAd('Green', await addPicture('Green', '02005e484007'));
  await page.goto(`/campaigns/new?ad=${ad.id}`);
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.50');
  const book = () => button('Book').click();
  const states = async () => (await server.row(`select string_agg(state, ' ') as all from campaigns`))?.['all'];
  await loseAnswer('**/api/campaigns', book);
  expect(await states()).toBe('draft');
  await loseAnswer('**/api/campaigns/*/book', book);
  expect(await states()).toBe('booked');
  await book();
  await expect(page).toHaveURL(/\/campaigns\/[\da-f-]{36}$/);
  expect(await states()).toBe('booked');
});

/** Holds the next call to an address, until what is returned is called: then it is answered by `end`. */
async function holdCall(address: string, end: (route: Route) => Promise<void>): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(address, (route) => held.promise.then(() => end(route)), { times: 1 });
  return held.resolve;
}

/** The question on the page of a new device, opened from that of the one before; each page names its device. */
async function askForName(...macs: [string, string]): Promise<Locator> {
  const [one, other] = await Promise.all(
    macs.map(async (mac) => dataOf(await server.calls.devices.create({ body: { mac } }))),
  );
  await page.goto(`/mac/${one?.id}`);
  const walker = new Walker(page);
  await walker.settle();
  await walker.to(`/mac/${other?.id}`);
  await button('Actions').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  const question = page.getByRole('dialog', { name: 'Rename' });
  await question.getByRole('textbox').fill('Other device');
  return question;
}

test('a question about one device is not answered on the page of another one', async () => {
  const question = await askForName('02005e484002', '02005e484003');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/48:40:02/);
  await expect(question).toHaveCount(0);
});

test('a question whose answer is on its way stays open when Escape is pressed twice, with what was typed', async () => {
  const question = await askForName('02005e484004', '02005e484005');
  const refuse = await holdCall('**/api/devices/*', (route) => route.fulfill({ status: 503, body: '' }));
  const asked = page.waitForRequest((request) => request.method() === 'PATCH');
  await question.getByRole('button', { name: 'Save' }).click();
  await asked;
  for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
  refuse();
  await expect(page.getByText('Request failed with status code 503').first()).toBeVisible();
  await expect(question.getByRole('textbox')).toHaveValue('Other device');
  await question.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Other device');
});

test('an answer that comes after its page was left leads nobody away from another page', async () => {
  await page.goto('/invitations');
  const walker = new Walker(page);
  await walker.to('/user/add');
  await page.getByLabel('Username', { exact: true }).fill('slow01');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const answer = await holdCall('**/api/users', (route) => route.continue());
  await Promise.all([page.waitForRequest('**/api/users'), button('Add user').click()]);
  await page.goBack();
  await button('Create codes').first().click();
  const days = page.getByRole('dialog').getByLabel('Days');
  await days.fill('12');
  answer();
  await expect(page.getByText('User added')).toBeVisible();
  await walker.settle();
  expect(new URL(page.url()).pathname).toBe('/invitations');
  await expect(days).toHaveValue('12');
});
