import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, type CDPSession, expect, type Page, test } from './stories.ts';
import { DESK, newPhone, signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** The devices' software: from an APK to an offer, and addresses that anybody can write. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4570 });
const APKS = path.resolve(import.meta.dirname, '../node_modules/io.appium.settings/apks');
const MEGABYTE = 2 ** 20;

let context: BrowserContext;
let page: Page;
let network: CDPSession;
let apk: string;

test.beforeAll(async ({ browser }) => {
  apk = path.join(server.folder, 'settings.apk');
  copyFileSync(path.join(APKS, readdirSync(APKS).find((name) => name.endsWith('.apk')) ?? ''), apk);
  await server.start();
  await server.login();
  context = await signedInPhone(browser, server, { ...DESK, serviceWorkers: 'block' });
  page = await context.newPage();
  network = await context.newCDPSession(page);
});

test.afterAll(async () => {
  await context?.close();
  await server.end();
});

const setUploadSpeed = (uploadThroughput: number) =>
  network.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
  });
const picker = () => page.locator('input[type=file]');
const bar = () => page.getByRole('progressbar', { name: 'Progress of settings.apk' });
const shown = async () => Number(await bar().getAttribute('aria-valuenow'));

test('refuses a truncated APK with a message', async () => {
  const half = path.join(server.folder, 'half.apk');
  const whole = readFileSync(apk);
  writeFileSync(half, whole.subarray(0, whole.length / 2));
  await page.goto('/appupload');
  await picker().setInputFiles(half);
  await expect(page.getByRole('alert')).toContainText('Upload Failed: This file is not an APK, or it is damaged');
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await picker().setInputFiles({ name: 'app.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') });
  await expect(page.getByRole('alert')).toContainText('Please upload files in apk format');
  await page.getByRole('button', { name: 'Choose another file' }).click();
});

test('an APK upload resumes after a pause, on another page, after a lost network and a reload', async () => {
  await setUploadSpeed(MEGABYTE / 2);
  await picker().setInputFiles(apk);
  await expect.poll(shown).toBeGreaterThan(5);
  await page.getByRole('button', { name: 'Pause settings.apk' }).click();
  await expect(page.getByText('Paused')).toBeVisible();
  await page.getByRole('button', { name: 'Resume settings.apk' }).click();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await page.getByRole('link', { name: /1 file uploading/ }).click();
  await expect.poll(shown).toBeGreaterThan(5);

  await context.setOffline(true);
  await expect(page.getByText('Resumes automatically')).toBeVisible();
  await context.setOffline(false);
  await setUploadSpeed(MEGABYTE / 2);
  await expect(page.getByText('Resumes automatically')).toBeHidden();
  const before = await shown();

  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('Unfinished uploads')).toBeVisible();
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  await setUploadSpeed(-1);
  await picker().setInputFiles(apk);
  await expect(page.getByText('io.appium.settings')).toBeVisible();
  expect(before).toBeGreaterThan(0);
  expect(offsets[0]).toBeGreaterThan(0);
  await expect(page.getByText('Unfinished uploads')).toBeHidden();
});

test('it is described, published and listed', async () => {
  await page.getByLabel('Name').fill('Player 📺 100 %/2');
  await page.getByLabel('What’s new').fill('Starts faster');
  await page.getByRole('switch', { name: 'Publish now' }).click();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page).toHaveURL(/\/appdetails\//);
  await expect(page.getByRole('heading', { name: 'Player 📺 100 %/2' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Player 📺 100 %/2' })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('link', { name: /Player 📺/ })).toBeVisible();
});

test('refuses a version that already exists', async () => {
  await page.goto('/appupload');
  await picker().setInputFiles(apk);
  await expect(page.getByRole('alert')).toContainText('“io.appium.settings” already exists as version');
});

test("hostile text in an address is shown as text until the server's data replace it", async ({ browser }) => {
  const app = dataOf(await server.calls.apps.list({ query: { limit: 1 } })).items[0];
  const dialogs: string[] = [];
  /** A person that has never opened this version: facts from an earlier visit would be shown instead. */
  const open = async (words: string[], gate: Promise<void>): Promise<Page> => {
    const storageState = await context.storageState();
    const fresh = await newPhone(browser, server, { ...DESK, serviceWorkers: 'block', storageState });
    const own = await fresh.newPage();
    own.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await own.route('**/api/apps/*', async (route) => {
      await gate;
      await route.continue();
    });
    await own.goto(`/appdetails/${words.map(encodeURIComponent).join('/')}`);
    return own;
  };
  const attack = '<img src=x onerror=alert(1)>';
  const hostile = [
    [attack, attack, 'javascript:alert(1)'],
    ['a/b %', '100 % / 📺', 'data:text/html,<script>alert(1)</script>'],
    ['n'.repeat(10_000), 'c', `https://elsewhere.example/${'u'.repeat(5000)}`],
  ];
  for (const [name = '', content = '', url = ''] of hostile) {
    const words = [app?.id ?? '', name, content, url, 'yesterday', 'maybe', '1e9', '7'];
    const gate = Promise.withResolvers<void>();
    const own = await open(words, gate.promise);
    await expect(own.getByRole('heading', { level: 2 }).first()).toHaveText(name.slice(0, 200));
    await expect(own.locator('a[href^="javascript:"], a[href^="data:"], main img[src="x"]')).toHaveCount(0);
    gate.resolve();
    await expect(own.getByRole('heading', { name: 'Player 📺 100 %/2' })).toBeVisible();
    const link = own.getByRole('link', { name: 'Download APK' });
    await expect(link).toHaveAttribute('href', new RegExp(`^${server.origin}/media/`));
    await own.context().close();
  }
  // Within the app: many a proxy refuses an address whose percent signs encode nothing.
  await page.goto('/applist');
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, '/appdetails/%E0%A4%A/%00/c/u/t/1/1/1');
  await expect(page.getByText('This version no longer exists on the server')).toBeVisible();
  expect(dialogs).toEqual([]);
});
