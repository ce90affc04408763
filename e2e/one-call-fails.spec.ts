import type { Page } from '@playwright/test';
import { expect, type Locator, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';
import { Walker } from './walker.ts';

/** A server that answers all calls of a page but one. */
const server = new RealServer({ port: 4905 });

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
  path: () => Promise<string>;
}[] = [
  {
    page: 'a user',
    calls: '**/api/colleagues?*',
    username: 'admin',
    shown: (page) => page.getByRole('button', { name: 'Delete user' }),
    path: async () => `/user/${await memberId()}`,
  },
  {
    page: 'settings',
    calls: '**/api/colleagues?*',
    username: 'admin',
    shown: (page) => page.getByRole('link', { name: 'Change password' }),
    path: () => Promise.resolve('/settings'),
  },
  {
    page: 'a group',
    calls: '**/api/releases?group=*',
    username: 'admin',
    shown: (page) => page.getByRole('button', { name: 'Release an ad' }),
    path: async () => {
      const body = { name: 'Halls', filter: { online: true } };
      return `/groups/${dataOf(await server.calls.groups.create({ body })).id}`;
    },
  },
  {
    page: 'a new campaign of a customer',
    calls: '**/api/groups?*',
    username: 'member01',
    shown: (page) => page.getByLabel('Name', { exact: true }),
    path: () => Promise.resolve('/campaigns/new'),
  },
];

async function memberId(): Promise<string> {
  const { items } = dataOf(await server.calls.users.list({ query: { q: 'member01' } }));
  const known = items.find(({ username }) => username === 'member01');
  if (known) return known.id;
  const body = { username: 'member01', password: PASSWORD, role: 'member' as const };
  return dataOf(await server.calls.users.create({ body })).id;
}

for (const { page: name, calls, username, shown, path } of PAGES) {
  test(`the page of ${name} is shown, and does not ask again and again for what failed`, async ({ browser }) => {
    await memberId();
    const phone = await signedInPhone(browser, server, { username });
    const page = await phone.newPage();
    const asked = await failing(page, calls, username === 'admin' ? 'leading' : 'member');
    const walker = new Walker(page);
    await page.goto(await path());
    await expect(shown(page)).toBeVisible();
    await walker.settle();
    expect(asked()).toBeLessThan(4);
    // With the network it is asked once more, and the page stays as it was.
    const before = asked();
    await shown(page).evaluate((element) => element.setAttribute('data-stays', ''));
    await page.evaluate(() => ['offline', 'online'].forEach((name) => window.dispatchEvent(new Event(name))));
    await expect.poll(asked).toBeGreaterThan(before);
    await walker.settle();
    await expect(shown(page)).toHaveAttribute('data-stays');
    await phone.close();
  });
}
