import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { axeOn } from './axe.ts';
import { expect, type Page, test } from './stories.ts';
import { rowsOf } from '../server/test/sheets.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';

const server = new RealServer({ port: 4635 });

test.beforeAll(async () => {
  await server.start();
  await server.login();
});
test.afterAll(() => server.end());

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Device list' }).click();
  await page.getByRole('dialog').getByRole('button', { name: item }).click();
}

const rowsIn = (file: string): string[][] => rowsOf(readFileSync(file));

test('many devices go in by a spreadsheet, the wrong rows come back to be corrected, and all go out again', async ({
  browser,
}) => {
  dataOf(await server.calls.users.create({ body: { username: 'bakery1', password: PASSWORD, role: 'member' } }));
  const context = await signedInPhone(browser, server);
  const page = await context.newPage();
  const file = path.join(server.folder, 'hall.csv');
  writeFileSync(
    file,
    'Name;MAC address;Owner\nEntrance;02-00-5E-10-00-01;bakery1\n=1+1;02005e100002;\nDoor;not one;\nBack;02005e100003;nobody9\n',
  );
  await page.goto('/mac');
  await choose(page, 'Import a spreadsheet');
  const sheet = page.getByRole('dialog', { name: 'Import a spreadsheet' });

  await test.step('the template is there to be filled in', async () => {
    const [template] = await Promise.all([
      page.waitForEvent('download'),
      sheet.getByRole('button', { name: 'Download template' }).click(),
    ]);
    expect(template.suggestedFilename()).toBe('batch import template.xls');
    expect(rowsIn(await template.path())).toEqual([['mac', 'name', 'owner', 'expires', 'tags', 'area', 'address']]);
  });

  await test.step('a page that is called .xls says what it is', async () => {
    const mimeType = 'application/vnd.ms-excel';
    const buffer = Buffer.from('<html><table></table></html>');
    await sheet.getByTestId('sheet').setInputFiles({ name: 'list.xls', mimeType, buffer });
    await expect(sheet.getByRole('alert')).toContainText('damaged or not a spreadsheet');
    await sheet.getByRole('button', { name: 'Choose another file' }).click();
  });

  await test.step('good rows go in, the others are listed', async () => {
    await sheet.getByTestId('sheet').setInputFiles(file);
    await expect(sheet.getByRole('status')).toHaveText(/2\s*devices added\s*2\s*rows not added/);
    const lines = sheet.getByRole('listitem');
    await expect(lines.nth(0)).toContainText('Row 4');
    await expect(lines.nth(0)).toContainText('Not a valid MAC address');
    await expect(lines.nth(1)).toContainText('You do not manage a user with this name');
    expect((await axeOn(page).include('dialog').analyze()).violations).toEqual([]);
  });

  await test.step('corrected, the rows that came back go in', async () => {
    const [rejected] = await Promise.all([
      page.waitForEvent('download'),
      sheet.getByRole('button', { name: 'Download these rows' }).click(),
    ]);
    const text = readFileSync(await rejected.path(), 'utf8');
    expect(text).toContain('"Not a valid MAC address"');
    const corrected = path.join(server.folder, 'corrected.csv');
    writeFileSync(corrected, text.replace('not one', '02005e100004').replace('nobody9', 'BAKERY1'));
    await sheet.getByRole('button', { name: 'Choose another file' }).click();
    await sheet.getByTestId('sheet').setInputFiles(corrected);
    await expect(sheet.getByRole('status')).toHaveText(/2\s*devices added\s*0\s*rows not added/);
    await sheet.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('list', { name: 'Device list' }).getByRole('listitem')).toHaveCount(4);
  });

  await test.step('an export holds what the filter shows, and no formula', async () => {
    await page.getByPlaceholder('MAC, name, owner, place').fill('5e1000');
    await expect(page).toHaveURL(/q=5e1000/);
    const [saved] = await Promise.all([page.waitForEvent('download'), choose(page, 'Export as a spreadsheet')]);
    expect(saved.suggestedFilename()).toMatch(/^device MAC export \d{4}-\d\d-\d\d\.xls$/);
    const [, ...rows] = rowsIn(await saved.path());
    expect(rows.map(([mac, name, owner]) => [mac, name, owner]).toSorted()).toEqual([
      ['02:00:5e:10:00:01', 'Entrance', 'bakery1'],
      ['02:00:5e:10:00:02', "'=1+1", 'admin'],
      ['02:00:5e:10:00:03', 'Back', 'bakery1'],
      ['02:00:5e:10:00:04', 'Door', 'admin'],
    ]);
  });

  await test.step('an export holds those that were chosen by hand', async () => {
    await page.getByRole('button', { name: 'Select devices' }).click();
    const list = page.getByRole('list', { name: 'Device list' });
    for (const name of ['Door', 'Entrance']) await list.getByRole('listitem').filter({ hasText: name }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Actions' }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export as a spreadsheet' }).click(),
    ]);
    const [, ...rows] = rowsIn(await saved.path());
    expect(rows.map(([, name]) => name).toSorted()).toEqual(['Door', 'Entrance']);
  });
  await context.close();
});

test('a sheet whose answer is lost is sent again: its devices are added once, and the report comes', async ({
  browser,
}) => {
  const context = await signedInPhone(browser, server);
  const page = await context.newPage();
  const file = path.join(server.folder, 'lost.csv');
  writeFileSync(file, 'mac;name\n02005e200001;First\n02005e200002;Second\n');
  let tries = 0;
  const cdp = await context.newCDPSession(page);
  await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/devices/import', requestStage: 'Response' }] });
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    tries += 1;
    void (tries > 1
      ? cdp.send('Fetch.continueRequest', { requestId })
      : cdp.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' }));
  });
  await page.goto('/mac');
  await choose(page, 'Import a spreadsheet');
  const sheet = page.getByRole('dialog', { name: 'Import a spreadsheet' });
  await sheet.getByTestId('sheet').setInputFiles(file);
  await expect(sheet.getByRole('alert')).toContainText('It is not known whether devices were added');
  await sheet.getByRole('button', { name: 'Retry' }).click();
  await expect(sheet.getByRole('status')).toHaveText(/2\s*devices added\s*0\s*rows not added/);
  expect(tries).toBe(2);
});
