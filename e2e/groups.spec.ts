import { axeOn } from './axe.ts';
import { type BrowserContext, expect, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';
import { callersAt } from '../server/test/callers.ts';

/** Tags of devices, and groups: filters with a name. */
const server = new RealServer({ port: 4885 });
let phone: BrowserContext;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  for (const [mac, name, tags] of [
    ['02:00:5e:48:85:01', 'Lyon station', ['lyon', 'portrait']],
    ['02:00:5e:48:85:02', 'Lyon market', ['lyon']],
    ['02:00:5e:48:85:03', 'Paris', []],
  ] as const) {
    dataOf(await server.calls.devices.create({ body: { mac, name, tags: [...tags] } }));
  }
  const red = await server.addFile('Red.png', 'color=red:size=360x640', { orientation: 'vertical', kind: 1 });
  const full = [{ kind: 'file' as const, fileId: red.id }];
  const body = { name: 'Autumn', orientation: 'vertical' as const, split: 'full' as const, regions: { full } };
  dataOf(await server.calls.ads.create({ body }));
});
test.afterAll(() => server.end());
test.afterEach(() => phone.close());

test('a filter by tags becomes a group, which has the devices that are tagged later', async ({ browser }) => {
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  const list = page.getByRole('list', { name: 'Device list' });

  await test.step('a tag is set on the page of a device', async () => {
    await page.goto('/mac?q=Paris');
    await list.getByRole('link').first().click();
    await page.getByRole('button', { name: 'Actions', exact: true }).click();
    await page.getByRole('button', { name: 'Set tags' }).click();
    const sheet = page.getByRole('dialog', { name: 'Set tags' });
    await sheet.getByLabel('Tags', { exact: true }).fill('PARIS, Shop window');
    expect((await axeOn(page).include('dialog').analyze()).violations).toEqual([]);
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('link', { name: 'shop window' })).toBeVisible();
  });

  await test.step('twenty long tags wrap within the sheet, each can be taken out, and the field stays in reach', async () => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Set tags' }).click();
    const sheet = page.getByRole('dialog', { name: 'Set tags' });
    const field = sheet.getByLabel('Tags', { exact: true });
    const many = Array.from(
      { length: 18 },
      (_, index) => `a tag of thirty characters ${String(index).padStart(3, '0')}`,
    );
    await field.fill(`${many.join(', ')},`);
    const chips = sheet.getByRole('button', { name: /^Remove the tag/ });
    await expect(chips).toHaveCount(20);
    const width = await sheet.evaluate((element) => element.clientWidth);
    const boxes = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().toJSON()));
    expect(boxes.every(({ left, right }) => left >= 0 && right <= width)).toBe(true);
    expect(new Set(boxes.map(({ top }) => top)).size).toBeGreaterThan(10);
    await expect(field).toBeInViewport();
    await expect(sheet.getByRole('button', { name: 'Save' })).toBeInViewport();
    await field.press('Backspace');
    await expect(chips).toHaveCount(19);
    await field.fill('Corridor');
    await field.press('Enter');
    await expect(sheet.getByRole('button', { name: 'Remove the tag corridor' })).toBeVisible();
    await expect(field).toHaveValue('');
    await page.keyboard.press('Escape');
  });

  await test.step('a tap on a tag filters the list; the filter is saved as a group', async () => {
    await page.goto('/mac?tag=lyon');
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await page.getByRole('button', { name: 'Actions for Device list' }).click();
    await page.getByRole('button', { name: 'Save as a group' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as a group' });
    await dialog.getByLabel('Group name').fill('All of Lyon');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Group saved')).toBeVisible();
  });

  await test.step('tags are filters by all, by any and by none of them; each is a chip that a tap removes', async () => {
    const filterBy = async (tags: string[], how: string) => {
      await page.getByRole('button', { name: 'Filter by tags' }).click();
      const sheet = page.getByRole('dialog', { name: 'Filter by tags' });
      for (const tag of tags) await sheet.getByRole('button', { name: tag, exact: true }).click();
      await sheet.getByText(how, { exact: true }).click();
      expect((await axeOn(page).include('dialog').analyze()).violations).toEqual([]);
      await sheet.getByRole('button', { name: 'Apply' }).click();
      await expect(sheet).toHaveCount(0);
    };
    const filters = page.getByRole('group', { name: 'Filters' });
    await page.goto('/mac');
    await filterBy(['portrait', 'paris'], 'At least one of these tags');
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await filterBy(['shop window'], 'None of these tags');
    await expect(page).toHaveURL(/anyTag=portrait%2Cparis&noTag=shop\+window$/);
    await expect(list.getByRole('listitem')).toHaveCount(1);
    await expect(list.getByText('Lyon station')).toBeVisible();
    await page.reload();
    await expect(list.getByRole('listitem')).toHaveCount(1);
    await filters.getByRole('button', { name: 'At least one of these tags: portrait, paris' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(2);
    await filters.getByRole('button', { name: 'None of these tags: shop window' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(3);
    await filterBy(['lyon', 'portrait'], 'All of these tags');
    await expect(list.getByRole('listitem')).toHaveCount(1);
    await filters.getByRole('button', { name: 'Tag: portrait' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(2);
  });

  await test.step('a batch tags another device, and it is in the group', async () => {
    await page.goto('/mac?q=Paris');
    await page.getByRole('button', { name: 'Select devices' }).click();
    await list.getByRole('listitem').first().click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Add or remove tags' }).click();
    const sheet = page.getByRole('dialog').filter({ hasText: 'Add tags' });
    await sheet.getByLabel('Add tags', { exact: true }).fill('Lyon');
    await expect(sheet.getByTestId('preview')).toContainText('1 device: paris, shop window → lyon, paris, shop window');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet).toHaveCount(0);
    await page.goto('/groups');
    await page.getByRole('link', { name: /All of Lyon.*3 devices/ }).click();
    await expect(page.getByRole('heading', { name: 'All of Lyon' })).toBeVisible();
    await expect(list.getByRole('listitem')).toHaveCount(3);
    expect((await axeOn(page).analyze()).violations).toEqual([]);
  });

  await test.step('the group is a filter of the device list', async () => {
    await page.getByRole('button', { name: 'Actions for All of Lyon' }).click();
    await page.getByRole('button', { name: 'Device list' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(3);
    await page.getByRole('button', { name: 'Group: All of Lyon' }).click();
    await expect(page).toHaveURL(/\/mac$/);
    await page.goBack();
  });

  await test.step('the filters of the group are changed in the list', async () => {
    const conditions = page.getByRole('heading', { name: 'Filters' }).locator('xpath=ancestor::section');
    await expect(conditions.getByRole('listitem')).toHaveText(['lyon']);
    await page.getByRole('button', { name: 'Actions for All of Lyon' }).click();
    await page.getByRole('button', { name: 'Change filters' }).click();
    const bar = page.getByRole('region', { name: 'Change filters' });
    await expect(bar).toContainText('All of Lyon');
    await page.getByRole('button', { name: 'Not paired' }).click();
    expect((await axeOn(page).analyze()).violations).toEqual([]);
    await bar.getByRole('button', { name: 'Save' }).click();
    await expect(conditions.getByRole('listitem')).toHaveText(['lyon', 'Not paired']);
    await expect(list.getByRole('listitem')).toHaveCount(3);
  });

  await test.step('a batch for the whole group changes its devices', async () => {
    await page.getByRole('button', { name: 'Actions on all devices' }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Add or remove tags' }).click();
    const sheet = page.getByRole('dialog').filter({ hasText: 'Add tags' });
    await sheet.getByLabel('Add tags', { exact: true }).fill('Rhône');
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet).toHaveCount(0);
    await page.goto('/mac?tag=rhône');
    await expect(list.getByRole('listitem')).toHaveCount(3);
  });

  await test.step('a standing release to the group reaches a device that is tagged later', async () => {
    await page.goto('/groups');
    await page.getByRole('link', { name: /All of Lyon/ }).click();
    await page.getByRole('button', { name: 'Release an ad' }).click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /Autumn/ })
      .click();
    await page.getByRole('switch', { name: 'Also devices that match later' }).click();
    expect((await axeOn(page).analyze()).violations).toEqual([]);
    await page.getByRole('button', { name: 'Release to 3 devices' }).click();
    await expect(page.getByText('Standing', { exact: true })).toBeVisible();
    dataOf(
      await server.calls.devices.create({ body: { mac: '02:00:5e:48:85:04', name: 'Lyon hall', tags: ['lyon'] } }),
    );
    await expect(page.getByText('Lyon hall')).toBeVisible();
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await expect(page.getByText('Withdrawn').first()).toBeVisible();
  });

  await test.step('a group is deleted, and its devices stay', async () => {
    await page.goto('/groups');
    await page.getByRole('button', { name: 'Actions for All of Lyon' }).click();
    await page.getByRole('button', { name: 'Delete group' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click();
    await expect(page.getByText('No groups yet')).toBeVisible();
    await page.goto('/mac');
    await expect(list.getByRole('listitem')).toHaveCount(4);
  });
});

test('alerts about a group that was deleted with its owner ask for other devices', async ({ browser }) => {
  const { calls } = server;
  const username = 'ottoDealer2026';
  const below = dataOf(await calls.users.create({ body: { username, password: PASSWORD, role: 'leading' } }));
  const otto = await callersAt(server.origin).login(username, PASSWORD);
  const { id: group } = dataOf(await otto.calls.groups.create({ body: { name: 'Stations', filter: {} } }));
  const settings = { email: null, webhook: null, offlineMinutes: 15, expiringDays: null, group };
  dataOf(await calls.alerts.update({ body: settings }));
  dataOf(await calls.users.delete({ params: { id: below.id } }));
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  const save = page.getByRole('button', { name: 'Save' });
  const notice = page.getByRole('alert').filter({ hasText: 'The group was deleted' });
  await page.goto('/alerts');
  await expect(notice).toBeVisible();
  expect((await axeOn(page).analyze()).violations).toEqual([]);

  // Another setting chooses no devices.
  await page.getByRole('textbox', { name: 'Webhook' }).fill('https://example.com/alerts');
  await save.click();
  await expect(page.getByText('Saved')).toBeVisible();
  await expect(notice).toBeVisible();
  expect(dataOf(await calls.alerts.get()).group).toEqual({ id: group, name: null });

  await page.getByRole('button', { name: 'All devices' }).click();
  await expect(notice).toHaveCount(0);
  await save.click();
  await expect.poll(async () => dataOf(await calls.alerts.get()).group).toBeNull();
});

test('a group says that it has more areas than are named', async ({ browser }) => {
  await server.row(
    `insert into devices (id, mac, name, owner_id, area, tags)
     select gen_random_uuid(), '02005e4886' || lpad(to_hex(n), 2, '0'), 'Kiosk ' || n, u.id, 'Area ' || n, '{kiosk}'
     from users u, generate_series(1, 60) n where u.username = 'admin'`,
  );
  const body = { name: 'Kiosks', filter: { tags: { all: ['kiosk'] } }, bookable: true };
  const { id } = dataOf(await server.calls.groups.create({ body }));
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  await page.goto('/groups');
  await expect(page.getByRole('link', { name: 'Kiosks' })).toContainText('Area 1 · Area 10 · Area 11 · …');
  await page.goto(`/groups/${id}`);
  await expect(page.getByText(/^Area 1 · Area 10 .* · …$/)).toBeVisible();
  await page.goto('/campaigns/new');
  await page.getByText('A group', { exact: true }).click();
  await expect(page.getByText('Area 1 · Area 10 · Area 11 · …')).toBeVisible();
});

test('the page of an empty group leads to its filters', async ({ browser }) => {
  const body = { name: 'Nobody yet', filter: { tags: { all: ['nobody'] } } };
  const { id } = dataOf(await server.calls.groups.create({ body }));
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  await page.goto(`/groups/${id}`);
  await page.getByRole('link', { name: 'Change filters' }).click();
  await expect(page).toHaveURL(new RegExp(`/mac\\?.*nobody.*&changing=${id}`));
});

test('the page of a group first names its devices that need attention, and leads to them', async ({ browser }) => {
  const [, expiresSoon] = await Promise.all(
    ['02:00:5e:48:85:31', '02:00:5e:48:85:32'].map(async (mac) =>
      dataOf(await server.calls.devices.create({ body: { mac, tags: ['harbour'] } })),
    ),
  );
  const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  dataOf(await server.calls.devices.update({ params: { id: expiresSoon?.id ?? '' }, body: { expiresAt } }));
  const body = { name: 'Harbour', filter: { tags: { all: ['harbour'] } } };
  const { id } = dataOf(await server.calls.groups.create({ body }));
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  let fails = true;
  await page.route(/expiry=expiring/, (route) =>
    fails
      ? route.fulfill({ status: 503, json: { code: 503, message: 'Busy', error: 'UNAVAILABLE' } })
      : route.continue(),
  );
  let messages = 0;
  await page.addLocatorHandler(page.getByText('Busy'), async () => void (messages += 1), { noWaitAfter: true });
  await page.goto(`/groups/${id}`);
  const content = page.locator('#content');
  await expect(content.getByText('Could not load')).toBeVisible();
  // The page says it; a message would come again every half a minute.
  expect(messages).toBe(0);
  fails = false;
  await content.getByRole('button', { name: 'Retry' }).tap();
  const expiring = content.getByRole('link', { name: /Expires soon/ });
  await expect(expiring).toContainText('1');
  await expect(content.getByRole('heading', { name: 'Needs attention' })).toBeVisible();
  await expect(content.getByRole('link', { name: /Offline|Failed/ })).toHaveCount(0);
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  await expiring.tap();
  await expect(page.getByTestId('device')).toHaveCount(1);
  await expect(page.getByTestId('device')).toContainText('02:00:5E:48:85:32');
});
