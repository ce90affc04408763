import { expect, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { Walker } from './walker.ts';

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

for (const [what, viewport] of Object.entries({
  'a phone held sideways': { width: 844, height: 390 },
  'a tablet held upright': { width: 768, height: 1024 },
})) {
  test(`on ${what}, each part of the form of an ad has room`, async ({ browser }) => {
    const { calls } = server;
    const video = await server.addFile('Autumn sale.mp4', 'testsrc=size=640x360:rate=10:duration=1', {
      ...{ orientation: 'horizontal', kind: 2 },
    });
    const middle = [{ kind: 'file' as const, fileId: video.id }];
    const ad = dataOf(
      await calls.ads.create({
        body: { name: `On ${what}`, orientation: 'horizontal', split: 'three', regions: { middle } },
      }),
    );
    const phone = await signedInPhone(browser, server, { viewport, serviceWorkers: 'block' });
    const page = await phone.newPage();
    const walker = new Walker(page);
    await page.goto(`/release/${ad.owner.id}/2/2?ad=${ad.id}`);
    await expect(page.getByText('Autumn sale.mp4')).toBeVisible();
    await walker.settle();
    const cut = await page
      .locator('main')
      .locator('section, fieldset, label, li, li *')
      .evaluateAll((parts) =>
        parts
          .filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
          .filter((part) => getComputedStyle(part).display !== 'inline' && !part.closest('.visually-hidden'))
          .map((part) => `${part.tagName} ${part.textContent}`),
      );
    expect(cut).toEqual([]);
    await phone.close();
  });
}
