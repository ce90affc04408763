import { axeOn } from './axe.ts';
import { type Browser, type BrowserContext, expect, type Page, test } from './stories.ts';
import { DESK, signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';

/** Search over everything, the account menu of the desk, and the settings. */
const server = new RealServer({ port: 4875 });
let context: BrowserContext;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const { id } = dataOf(
    await server.calls.users.create({ body: { username: 'lyonTrams', password: PASSWORD, role: 'member' } }),
  );
  for (const [mac, name] of [
    ['02:00:5e:48:70:01', 'Lyon station'],
    ['02:00:5e:48:70:02', 'Lyon market'],
    ['02:00:5e:48:70:03', 'Paris'],
  ] as const) {
    dataOf(await server.calls.devices.create({ body: { mac, name, ownerId: id } }));
  }
});
test.afterEach(() => context.close());
test.afterAll(() => server.end());

async function open(browser: Browser, options: Parameters<typeof signedInPhone>[2] = {}): Promise<Page> {
  context = await signedInPhone(browser, server, { serviceWorkers: 'block', ...options });
  return context.newPage();
}

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const options = (page: Page) => palette(page).getByRole('option');

test('Ctrl-K finds devices, users and pages by keyboard alone', async ({ browser }) => {
  const page = await open(browser, DESK);
  await page.goto('/reports');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette(page).getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('lyon');
  await expect(options(page)).toContainText(['Lyon market', 'Lyon station', 'lyonTrams']);
  const { violations } = await axeOn(page).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(palette(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Lyon (market|station)$/);

  await page.keyboard.press('Control+k');
  await page.keyboard.type('activity');
  await expect(options(page)).toHaveText(['Activity log']);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/audit$/);

  for (const [text, name, path] of [
    ['calendar', 'Calendar', '/calendar'],
    ['upload soft', 'Upload software', '/appupload'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    await expect(options(page)).toHaveText([name]);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${path}$`));
  }

  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing like this');
  await expect(palette(page).getByText('No results')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toHaveCount(0);
});

test('what is typed while the palette is being loaded is searched for', async ({ browser }) => {
  const page = await open(browser, DESK);
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  const typed = Promise.withResolvers<void>();
  await page.route('**/assets/*', async (route) => {
    await typed.promise;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ly');
  typed.resolve();
  await page.keyboard.type('on', { delay: 60 });
  await expect(palette(page).getByRole('searchbox')).toHaveValue('lyon');
  await page.keyboard.type('tr');
  await expect(palette(page).getByRole('searchbox')).toHaveValue('lyontr');
  await expect(options(page)).toContainText(['lyonTrams']);
});

test('the slash focuses the search of a list, and elsewhere opens the palette', async ({ browser }) => {
  const page = await open(browser, DESK);
  await page.goto('/mac');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('/');
  const search = page.locator('#content').getByRole('searchbox');
  await expect(search).toBeFocused();
  await page.keyboard.type('a/b');
  await expect(search).toHaveValue('a/b');
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  await page.keyboard.press('/');
  await expect(palette(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
});

test('on a phone the home page searches everything', async ({ browser }) => {
  const page = await open(browser);
  await page.goto('/');
  await page.getByRole('button', { name: 'Search everything' }).tap();
  await palette(page).getByRole('searchbox').fill('02-00-5e-48-70-03');
  await expect(options(page)).toContainText(['Paris']);
  await options(page).first().tap();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paris');
});

test('the account menu of the desk holds settings, language, theme, password, two-factor and log out', async ({
  browser,
}) => {
  const page = await open(browser, DESK);
  await page.goto('/mac');
  const button = page.getByRole('button', { name: 'Account: admin' });
  await button.click();
  const menu = page.getByRole('group', { name: 'Account' });
  await expect(menu.getByRole('link')).toHaveText(['Settings', 'Change password', 'Two-factor login', 'Log out']);
  await menu.getByText('Dark', { exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const { violations } = await axeOn(page).include('nav').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await menu.getByLabel('Language').selectOption('de');
  await expect(page.getByRole('group', { name: 'Konto' }).getByRole('link').first()).toHaveText('Einstellungen');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('group', { name: 'Konto' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Konto: admin' }).click();
  await page.getByRole('group', { name: 'Konto' }).getByRole('link', { name: 'Einstellungen' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Einstellungen');
  await expect(page.getByRole('group', { name: 'Konto' })).toHaveCount(0);
});

test('the settings hold the account, how the app looks, password, two-factor, colleagues, working hours and alerts', async ({
  browser,
}) => {
  const page = await open(browser, { username: 'lyonTrams' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Settings' }).tap();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Account',
    'Password',
    'Two-factor login',
    'Colleagues',
    'Language and appearance',
    'Default working hours',
    'Alerts',
  ]);
  await page.getByRole('link', { name: 'Change password' }).tap();
  await expect(page.getByRole('button', { name: 'Change password' })).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).tap();
  await expect(page.getByRole('link', { name: 'Log out' })).toBeVisible();
});
