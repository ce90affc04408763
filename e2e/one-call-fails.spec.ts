import path from 'node:path';
import { detailsPath } from '../web/src/apps/address.ts';
import { expect, type Locator, type Page, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';
import { Walker } from './walker.ts';

const APK = path.resolve(import.meta.dirname, '../node_modules/io.appium.settings/apks/settings_apk-debug.apk');

/** A server that answers all calls of a page but one. */
const server = new RealServer({ port: 4944 });

test.beforeAll(async () => {
  await server.start();
  await server.login();
});

test.afterAll(() => server.end());

/** Answers calls with 503, as the server does; returns how many there were. */
async function failing(page: Page, calls: string, role: string): Promise<() => number> {
  let count = 0;
  await page.route(calls, (route) => {
    count += 1;
    return route.fulfill({ status: 503, headers: { role }, body: '' });
  });
  return () => count;
}

/** The pages below and a part of each that the failure does not concern. */
const PAGES: {
  page: string;
  calls: string;
  username: string;
  shown: (page: Page) => Locator;
  address: () => Promise<string>;
}[] = [
  {
    page: 'a user',
    calls: '**/api/colleagues?*',
    username: 'admin',
    shown: (page) => page.getByRole('button', { name: 'Delete user' }),
    address: async () => `/user/${await memberId()}`,
  },
  {
    page: 'settings',
    calls: '**/api/colleagues?*',
    username: 'admin',
    shown: (page) => page.getByRole('link', { name: 'Change password' }),
    address: () => Promise.resolve('/settings'),
  },
  {
    page: 'a group',
    calls: '**/api/releases?group=*',
    username: 'admin',
    shown: (page) => page.getByRole('button', { name: 'Release an ad' }),
    address: async () => {
      const body = { name: 'Halls', filter: { online: true } };
      return `/groups/${dataOf(await server.calls.groups.create({ body })).id}`;
    },
  },
  {
    page: 'a new campaign of a customer',
    calls: '**/api/groups?*',
    username: 'member01',
    shown: (page) => page.getByLabel('Name', { exact: true }),
    address: () => Promise.resolve('/campaigns/new'),
  },
];

async function memberId(): Promise<string> {
  const { items } = dataOf(await server.calls.users.list({ query: { q: 'member01' } }));
  const known = items.find(({ username }) => username === 'member01');
  if (known) return known.id;
  const body = { username: 'member01', password: PASSWORD, role: 'member' as const };
  return dataOf(await server.calls.users.create({ body })).id;
}

for (const { page: name, calls, username, shown, address } of PAGES) {
  test(`the page of ${name} is shown, and does not ask again and again for what failed`, async ({ browser }) => {
    await memberId();
    const phone = await signedInPhone(browser, server, { username });
    const page = await phone.newPage();
    const asked = await failing(page, calls, username === 'admin' ? 'leading' : 'member');
    const walker = new Walker(page);
    await page.goto(await address());
    await expect(shown(page)).toBeVisible();
    await walker.settle();
    expect(asked()).toBeLessThan(4);
    // With the network it is asked once more, and the page stays as it was.
    const before = asked();
    await shown(page).evaluate((element) => element.setAttribute('data-stays', ''));
    await page.evaluate(() => ['offline', 'online'].forEach((event) => window.dispatchEvent(new Event(event))));
    await expect.poll(asked).toBeGreaterThan(before);
    await walker.settle();
    await expect(shown(page)).toHaveAttribute('data-stays');
    await phone.close();
  });
}

test('what is typed stays when a proxy answers for the server', async ({ browser }) => {
  const phone = await signedInPhone(browser, server);
  const page = await phone.newPage();
  const proxy = (calls: string) => page.route(calls, (route) => route.fulfill({ status: 502, body: '<html></html>' }));
  const fail = page.getByText('Request failed with status code 502').first();

  await test.step('a password for a user', async () => {
    await page.goto(`/user/${await memberId()}?password=set`);
    const form = page.getByRole('form', { name: 'Change password' });
    for (const name of ['New password', 'Confirm password']) await form.getByLabel(name).fill('another-password-1');
    await proxy('**/api/users/*/password');
    await form.getByRole('button', { name: 'Change password' }).click();
    await expect(fail).toBeVisible();
    await expect(form.getByLabel('New password')).toHaveValue('another-password-1');
  });

  await test.step('a new campaign', async () => {
    await page.goto('/campaigns/new');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Autumn');
    await name.evaluate((element) => element.setAttribute('data-stays', ''));
    await proxy('**/api/groups?*');
    await page.getByText('A group', { exact: true }).click();
    await expect(fail).toBeVisible();
    await expect(name).toHaveAttribute('data-stays');
    await expect(page.getByRole('button', { name: 'Book' })).toBeVisible();
  });

  await test.step('the description of an app version', async () => {
    await page.goto(detailsPath(await server.addApp(APK)));
    await page.getByRole('button', { name: 'Edit' }).click();
    const text = page.getByRole('dialog').getByLabel('What’s new');
    await text.fill('Starts twice as fast');
    await proxy('**/api/apps/*');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(fail).toBeVisible();
    await expect(text).toHaveValue('Starts twice as fast');
  });
  await phone.close();
});
