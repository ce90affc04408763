import { addDays } from '@ams/contract';
import { axeOn } from './axe.ts';
import { type Browser, type BrowserContext, expect, type Locator, type Page, test } from './stories.ts';
import { pairScreen } from './kiosk.ts';
import { newPhone, signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';

/** Many devices at once, as a dealer and a customer meet them on their phones. */
const server = new RealServer({ port: 4610 });
const LONG_PRESS = { delay: 650 };
/** More than are done within the answer. */
const CHAIN = 40_000;

const opened: BrowserContext[] = [];

test.beforeAll(async () => {
  await server.start();
  await server.login();
  dataOf(await server.calls.users.create({ body: { username: 'mia01', password: PASSWORD, role: 'member' } }));
});

test.afterEach(async () => {
  await Promise.all(opened.splice(0).map((context) => context.close()));
});

test.afterAll(() => server.end());

async function open(browser: Browser, address: string, username = 'admin'): Promise<Page> {
  const phone = await signedInPhone(browser, server, { username, reducedMotion: 'reduce' });
  opened.push(phone);
  const page = await phone.newPage();
  await page.goto(address);
  return page;
}

let macs = 0;
const addDevice = async (name: string, ownerId?: string): Promise<string> => {
  const mac = `02005e20${(macs += 1).toString(16).padStart(4, '0')}`;
  return dataOf(await server.calls.devices.create({ body: { mac, name, ...(ownerId && { ownerId }) } })).id;
};

const card = (page: Page, name: string): Locator => page.getByTestId('device').filter({ hasText: name });
const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Select' });
const owners = async (q: string): Promise<string[]> =>
  dataOf(await server.calls.devices.list({ query: { q } })).items.map((device) => device.owner.username);

async function pick(page: Page, action: string): Promise<void> {
  await bar(page).getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
}

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await axeOn(page).withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test('a long press selects devices, and the selected ones are reassigned to a customer', async ({ browser }) => {
  for (const name of ['Kiosk 1', 'Kiosk 2', 'Kiosk 3']) await addDevice(name);
  const page = await open(browser, '/mac');

  await test.step('a tap opens, a long press chooses, Escape ends it', async () => {
    await card(page, 'Kiosk 2').getByRole('link').click(LONG_PRESS);
    await expect(bar(page)).toContainText('1 selected');
    await expect(page).toHaveURL(/\/mac$/);
    await card(page, 'Kiosk 1').click();
    await expect(bar(page)).toContainText('2 selected');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(bar(page)).toHaveCount(0);
  });

  await test.step('by keyboard', async () => {
    await page.getByRole('button', { name: 'Select devices' }).focus();
    await page.keyboard.press('Enter');
    await card(page, 'Kiosk 3').getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await expect(card(page, 'Kiosk 3').getByRole('checkbox')).toBeChecked();
    await page.keyboard.press('Enter');
    await expect(bar(page)).toContainText('0 selected');
  });

  await test.step('the owner', async () => {
    for (const name of ['Kiosk 1', 'Kiosk 3']) await card(page, name).getByRole('checkbox').click();
    await pick(page, 'Change owner');
    await page.getByRole('dialog').getByRole('option', { name: 'mia01' }).click();
    const question = page.getByRole('dialog', { name: 'Change owner · 2 devices' });
    await expect(question).toContainText('The new owner is mia01');
    await expect(question.getByTestId('preview')).toContainText('2 devices: admin → mia01');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByTestId('undo').getByText('Done: Change owner · 2 devices')).toBeVisible();
    await expect(bar(page)).toHaveCount(0);
    expect(await owners('Kiosk')).toEqual(['mia01', 'admin', 'mia01']);
  });

  await test.step('the time zone, after a question that shows what changes', async () => {
    await card(page, 'Kiosk 2').getByRole('link').click(LONG_PRESS);
    await pick(page, 'Change time zone');
    await page.getByPlaceholder('City or region').fill('Tokyo');
    await page.getByRole('button', { name: /Asia\/Tokyo/ }).click();
    const question = page.getByRole('dialog', { name: 'Change time zone · 1 device' }).last();
    await expect(question.getByTestId('preview')).toContainText('1 device: UTC → Asia/Tokyo');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByTestId('undo').getByText('Done: Change time zone · 1 device')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test('a customer restarts and clears devices; the result lists failures with reasons', async ({ browser }) => {
  const { id: ownerId } = dataOf(await server.calls.users.list({ query: { q: 'mia01' } })).items[0] ?? { id: '' };
  await addDevice('Door 1', ownerId);
  const gone = await addDevice('Door 2', ownerId);
  // A device that was never paired has no player to restart.
  await server.row(`update devices set paired_at = now() where name like 'Door %' returning id`);
  const page = await open(browser, '/mac?q=Door', 'mia01');
  for (const name of ['Door 1', 'Door 2']) {
    if (name === 'Door 1') await card(page, name).getByRole('link').click(LONG_PRESS);
    else await card(page, name).getByRole('checkbox').click();
  }
  await bar(page).getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('dialog', { name: '2 devices' }).getByRole('listitem')).toHaveText([
    'Release an ad',
    'Rename devices',
    'Add or remove tags',
    'Working hours',
    'Volume and brightness',
    'Restart',
    'Delete ad files',
    /^Export as a spreadsheet/,
  ]);
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
  dataOf(await server.calls.devices.delete({ params: { id: gone } }));
  const dialog = page.getByRole('dialog', { name: 'Restart · 2 devices' });
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const result = dialog.filter({ has: page.getByRole('list') });
  await expect(result).toContainText('Done 1');
  await expect(result).toContainText('Failed 1');
  await expect(result.getByRole('listitem')).toContainText([/Door 2.*Deleted in the meantime, or no longer yours/]);
  await expectAccessible(page);
});

test('all matching devices get another expiry date, in the list and on their pages', async ({ browser }) => {
  await server.row(
    `insert into devices (id, mac, name, owner_id)
     select gen_random_uuid(), lpad(to_hex(n), 12, '0'), 'Chain ' || n, (select id from users where username = 'admin')
     from generate_series(1, $1::bigint) n`,
    CHAIN,
  );
  // The last one in the order of the list: until it is released, the batch cannot end.
  const letGo = await server.hold(
    `select from devices where name like 'Chain %' order by created_at, id limit 1 for update`,
  );
  const page = await open(browser, '/mac?q=Chain');
  await page.getByRole('button', { name: 'Select devices' }).click();
  await bar(page).getByRole('button', { name: 'Select all 40,000' }).click();
  await expect(page.getByTestId('device').first().getByRole('checkbox')).toBeChecked();
  await pick(page, 'Set expiry date');
  const sheet = page.getByRole('dialog', { name: 'Set expiry date · 40,000 devices' });
  const date = addDays(new Date().toISOString().slice(0, 10), 366);
  await sheet.getByText('Set to').click();
  await sheet.getByRole('textbox', { name: 'Expiry date' }).fill(date);
  await expect(sheet.getByTestId('preview')).toContainText('40,000 devices would expire earlier');
  await sheet.getByRole('button', { name: 'Save' }).click();

  const progress = page.getByRole('region', { name: 'Set expiry date · 40,000 devices' });
  await expect(progress).toContainText('of 40,000');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(progress).toHaveCount(0);
  await page.getByRole('link', { name: 'Devices', exact: true }).click();
  await expect(progress).toContainText('of 40,000');
  await letGo();
  const result = page.getByRole('dialog', { name: 'Set expiry date · 40,000 devices' });
  await expect(result).toContainText('Done 40,000', { timeout: 60_000 });
  await result.getByRole('button', { name: 'Close' }).last().click();
  await page.reload();
  await expect(page.getByTestId('device').first()).toBeVisible();
  await expect(result).toHaveCount(0);
  const count = await server.row('select count(*)::int as n from devices where expires_on = $1', date);
  expect(count?.['n']).toBe(CHAIN);
});

test('each device is extended from its own date, and Undo gives the dates back', async ({ browser }) => {
  const dates = ['2091-01-31', '2092-06-15'];
  for (const [n, expiresAt] of dates.entries()) {
    const { id } = dataOf(
      await server.calls.devices.create({ body: { mac: `02:00:5e:21:0e:0${n}`, name: `Extended ${n}` } }),
    );
    dataOf(await server.calls.devices.update({ params: { id }, body: { expiresAt } }));
  }
  const stored = async () =>
    dataOf(await server.calls.devices.list({ query: { q: 'Extended' } }))
      .items.map(({ expiresAt }) => expiresAt)
      .toSorted();
  const page = await open(browser, '/mac?q=Extended');
  await page.getByRole('button', { name: 'Select devices' }).click();
  await bar(page).getByRole('button', { name: 'Select all 2' }).click();
  await pick(page, 'Set expiry date');
  const sheet = page.getByRole('dialog', { name: 'Set expiry date · 2 devices' });
  await expect(sheet.getByTestId('preview')).toContainText('1 device: 31 Jan 2091 → 28 Feb 2091');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toEqual(['2091-02-28', '2092-07-15']);
  await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toEqual(dates);
});

test('devices no longer expire after a preview, and Undo gives the dates back', async ({ browser }) => {
  const { id } = dataOf(await server.calls.devices.create({ body: { mac: '02:00:5e:21:0f:00', name: 'Lasting 0' } }));
  const other = await server.calls.devices.create({ body: { mac: '02:00:5e:21:0f:01', name: 'Lasting 1' } });
  dataOf(await server.calls.devices.update({ params: { id }, body: { expiresAt: '2091-01-31' } }));
  dataOf(await server.calls.devices.update({ params: { id: dataOf(other).id }, body: { expiresAt: null } }));
  const stored = async () => dataOf(await server.calls.devices.get({ params: { id } })).expiresAt;
  const page = await open(browser, '/mac?q=Lasting');
  await page.getByRole('button', { name: 'Select devices' }).click();
  await bar(page).getByRole('button', { name: 'Select all 2' }).click();
  await pick(page, 'Set expiry date');
  const sheet = page.getByRole('dialog', { name: 'Set expiry date · 2 devices' });
  await sheet.getByText('Does not expire').click();
  await expect(sheet.getByTestId('preview')).toContainText('1 device: 31 Jan 2091 → Does not expire');
  await expect(sheet.getByTestId('preview')).toContainText('1 device unchanged');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toBe(null);
  await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toBe('2091-01-31');
});

test('a change of one device can be undone: its name, its location and its tags', async ({ browser }) => {
  const id = await addDevice('Single');
  const before = { area: 'Harbour', address: 'Quay 1', tags: ['glass', 'new'] };
  dataOf(await server.calls.devices.update({ params: { id }, body: before }));
  const stored = async () => {
    const { name, area, address, tags } = dataOf(await server.calls.devices.get({ params: { id } }));
    return { name, area, address, tags };
  };
  const page = await open(browser, `/mac/${id}`);
  const act = async (action: string) => {
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
  };
  const undo = () => page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click();

  await act('Rename');
  await page.getByRole('textbox', { name: 'Name' }).fill('Renamed single');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toEqual({ ...before, name: 'Renamed single' });
  await undo();
  await expect.poll(stored).toEqual({ ...before, name: 'Single' });

  await act('Set location');
  await page.getByRole('button', { name: 'Remove location' }).click();
  await expect.poll(stored).toEqual({ ...before, name: 'Single', area: null, address: null });
  await undo();
  await expect.poll(stored).toEqual({ ...before, name: 'Single' });

  await act('Set location');
  await page.getByLabel('Address').fill('Quay 2');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toEqual({ ...before, name: 'Single', address: 'Quay 2' });
  await undo();
  await expect.poll(stored).toEqual({ ...before, name: 'Single' });

  await act('Set tags');
  await page.getByRole('dialog').getByLabel('Tags', { exact: true }).fill('sold');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toEqual({ ...before, name: 'Single', tags: ['glass', 'new', 'sold'] });
  await undo();
  await expect.poll(stored).toEqual({ ...before, name: 'Single' });
});

test('devices are renamed after a preview of their new names, and Undo gives the old ones back', async ({
  browser,
}) => {
  const names = ['Renamed west', 'Renamed east', 'Renamed north', 'Renamed south'];
  const ids: string[] = [];
  for (const name of names) ids.push(await addDevice(name));
  const stored = () =>
    Promise.all(ids.map(async (id) => dataOf(await server.calls.devices.get({ params: { id } })).name));
  const page = await open(browser, '/mac?q=Renamed');
  await page.getByRole('button', { name: 'Select devices' }).click();
  await bar(page).getByRole('button', { name: 'Select all 4' }).click();
  await pick(page, 'Rename devices');
  const sheet = page.getByRole('dialog', { name: 'Rename devices · 4 devices' });
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(sheet.getByRole('alert')).toHaveText('Enter a name');
  await sheet.getByLabel('Name', { exact: true }).fill('Quay {n}');
  // The newest is the first of the list.
  await expect(sheet.getByTestId('preview').locator('p')).toHaveText([
    '1 device: Renamed south → Quay 1',
    '1 device: Renamed north → Quay 2',
    '1 device: Renamed east → Quay 3',
    '1 device with other values',
  ]);
  expect(await stored()).toEqual(names);
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect.poll(stored).toEqual(['Quay 4', 'Quay 3', 'Quay 2', 'Quay 1']);
  await expect(sheet).toHaveCount(0);
  await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(stored).toEqual(names);
});

test('a device executes commands: it clears its files and restarts', async ({ browser }) => {
  const screen = await newPhone(browser, server, { viewport: { width: 640, height: 360 } });
  opened.push(screen);
  const player = await screen.newPage();
  const { id } = await pairScreen(server, player, { mac: '02-00-5e-21-00-01', name: 'Counter' });
  const file = await server.addFile('blue.png', 'color=blue:size=640x360', { orientation: 'horizontal', kind: 1 });
  const body = {
    name: 'Summer',
    orientation: 'horizontal' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: file.id }] },
  };
  const ad = dataOf(await server.calls.ads.create({ body }));
  dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [id] } } }));
  const state = () => player.locator('html').getAttribute('data-state');
  await expect.poll(state).toBe('playing');

  const page = await open(browser, `/mac/${id}`);
  await expect(page.getByRole('listitem').filter({ hasText: 'blue.png' })).toContainText('On screen');
  await page.getByRole('button', { name: 'Delete ad files' }).first().click();
  const question = page.getByRole('dialog', { name: 'Delete ad files · Counter' });
  await question.getByRole('button', { name: 'Delete ad files' }).click();
  await expect(page.getByText('No ad files')).toBeVisible();
  await expect.poll(state).toBe('standby');
  const stored = () =>
    player.evaluate(async () => {
      const files: string[] = [];
      const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
        for await (const entry of folder.values()) {
          if (entry.kind === 'directory') await walk(entry);
          else files.push(entry.name);
        }
      };
      await walk(await navigator.storage.getDirectory());
      return files;
    });
  await expect.poll(stored).not.toContain(file.sha256);

  await player.evaluate(() => document.documentElement.setAttribute('data-before', 'restart'));
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('dialog', { name: 'Actions' }).getByRole('button', { name: 'Restart' }).click();
  await page.getByRole('dialog', { name: 'Restart · Counter' }).getByRole('button', { name: 'Restart' }).click();
  await expect.poll(() => player.locator('html').getAttribute('data-before')).toBeNull();
  await expect.poll(state).toBe('standby');
});
