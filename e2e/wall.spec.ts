import { wallPage } from '../server/src/devices/wall-page.ts';
import { axeOn } from './axe.ts';
import { DESK, newPhone, signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { expect, test } from './stories.ts';

/** A live wall of devices for a reception, by a link that needs no account. */
const server = new RealServer({ port: 4914 });
let device: string;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const { calls } = server;
  device = dataOf(await calls.devices.create({ body: { mac: '02:00:5e:48:96:01', name: 'Lobby', tags: ['wall'] } })).id;
  dataOf(await calls.devices.create({ body: { mac: '02:00:5e:48:96:02', name: 'Store room' } }));
  dataOf(await calls.groups.create({ body: { name: 'Reception', filter: { tags: { all: ['wall'] } } } }));
});
test.afterAll(() => server.end());

test('a wall of a group is shared, follows its devices and ends when it is revoked', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  await page.goto('/groups');
  await page.getByRole('button', { name: 'Actions for Reception' }).click();
  await page.getByRole('button', { name: 'Share a device wall' }).click();
  const sheet = page.getByRole('dialog', { name: 'Share a device wall' });
  await sheet.getByText('Until revoked', { exact: true }).click();
  await sheet.getByRole('button', { name: 'Create link' }).click();
  const url = await sheet.getByTestId('share-url').inputValue();
  expect((await axeOn(page).include('dialog').analyze()).violations).toEqual([]);

  const anybody = await newPhone(browser, server, DESK);
  const wall = await anybody.newPage();
  const faults: string[] = [];
  wall.on('pageerror', (error) => faults.push(error.message));
  await wall.goto(url);
  await expect(wall.getByRole('heading', { level: 1 })).toHaveText('Reception');
  await expect(wall.getByRole('listitem')).toHaveCount(1);
  await expect(wall.getByRole('listitem')).toContainText('Lobby');
  await expect(wall.getByRole('listitem')).toContainText('Offline');
  expect((await axeOn(wall).analyze()).violations).toEqual([]);

  await test.step('a new name appears by itself', async () => {
    dataOf(await server.calls.devices.update({ params: { id: device }, body: { name: 'Main entrance' } }));
    await expect(wall.getByRole('heading', { name: 'Main entrance' })).toBeVisible();
  });

  await test.step('a revoked wall goes dark by itself', async () => {
    await sheet.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Revoke' }).click();
    await expect(wall.getByRole('heading', { level: 1 })).toHaveText('This link is not valid');
  });
  expect(faults).toEqual([]);
  await anybody.close();
  await phone.close();
});

test('a wall whose server does not answer says so, and follows it again', async ({ browser }) => {
  const page = await (await newPhone(browser, server, DESK)).newPage();
  const body = wallPage({ title: 'Reception', tiles: [], total: 0, language: 'en', token: 'token' });
  let answers = true;
  await page.route('**/wall', async (route) => {
    if (answers) await route.fulfill({ contentType: 'text/html', body });
  });
  await page.goto(`${server.origin}/wall`);
  const lost = page.getByRole('status');
  await expect(lost).toBeHidden();
  answers = false;
  await expect(lost).toBeVisible({ timeout: 25_000 });
  answers = true;
  await expect(lost).toBeHidden({ timeout: 25_000 });
  await page.context().close();
});

const TALL =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1920"><rect width="1080" height="1920"/></svg>';

test('pictures of upright screens stay within their tiles, and 40 devices fit on a large screen', async ({
  browser,
}) => {
  const page = await (await newPhone(browser, server, DESK)).newPage();
  await page.route('**/pictures/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: TALL }));
  const name = 'a'.repeat(64);
  const tiles = Array.from({ length: 40 }, (_, index) => ({
    name: `Food hall ${index + 1}`,
    state: 'online' as const,
    isOnline: true,
    picture: { name, takenAt: new Date() },
  }));
  const show = async (count: number, width: number, height: number) => {
    await page.setViewportSize({ width, height });
    const body = wallPage({
      title: 'Reception',
      tiles: tiles.slice(0, count),
      total: count,
      language: 'en',
      token: 'token',
    });
    await page.route('**/wall', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`${server.origin}/wall`);
    await expect(page.getByRole('listitem')).toHaveCount(count);
    const covered = await page.locator('li').evaluateAll(
      (items) =>
        items.filter((item) => {
          const [picture, text] = [item.querySelector('img'), item.querySelector('.text')];
          if (!picture || !text) return true;
          const [a, b] = [picture.getBoundingClientRect(), text.getBoundingClientRect()];
          return a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        }).length,
    );
    expect(covered).toBe(0);
    return page.evaluate(() => document.documentElement.scrollHeight);
  };
  for (const count of [1, 12, 40]) {
    await show(count, 390, 844);
    await show(count, 1280, 800);
  }
  expect(await show(40, 1920, 1080)).toBeLessThanOrEqual(1080);
  await page.context().close();
});
