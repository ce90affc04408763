import { expect, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';

const server = new RealServer({ port: 4836 });

test.beforeAll(async () => {
  await server.start();
  await server.login();
});

test.afterAll(() => server.end());

test('on a phone held sideways, every entry of the menu and the account are in reach', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, {
    ...{ viewport: { width: 844, height: 390 }, serviceWorkers: 'block' },
  });
  const page = await phone.newPage();
  await page.goto('/mac');
  const menu = page.getByRole('navigation', { name: 'Main menu' });

  const files = menu.getByRole('link', { name: 'File management' });
  await files.scrollIntoViewIfNeeded();
  await expect(files).toBeInViewport({ ratio: 1 });
  await files.tap();
  await expect(page).toHaveURL(/\/file$/);

  await menu.getByRole('button', { name: 'Account' }).tap();
  await page.getByRole('link', { name: 'Log out' }).tap();
  await expect(page).toHaveURL(/\/log(out|in)/);
  await phone.close();
});
