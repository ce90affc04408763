import { appendFileSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, type CDPSession, expect, type Page, test } from './stories.ts';
import { makeCameraClip, makeClip, makeLargeClip, makePicture } from './media.ts';
import { DESK, logIn, signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';

/** Files on a phone: choosing, mending, interrupting, deleting. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4560 });
const made = (name: string): string => path.join(server.folder, name);
const LARGE = made('Noise.mp4');
const MEGABYTE = 2 ** 20;

let phone: BrowserContext;
let page: Page;
let network: CDPSession;
let me: string;

test.beforeAll(async ({ browser }) => {
  makeClip(made('clip.mp4'), 1);
  makeLargeClip(LARGE);
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
    copyFileSync(made('clip.mp4'), made(`clip ${number}.mp4`));
  }
  makePicture(made('Poster.jpg'), 'blue', '1080x1920');
  await server.start();
  await server.login();
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  page = await phone.newPage();
  network = await phone.newCDPSession(page);
  me = dataOf(await server.calls.users.list({ query: { q: 'admin' } })).items[0]?.id ?? '';
});

test.afterAll(async () => {
  await phone?.close();
  await server.end();
});

const row = (name: string) => page.getByTestId('upload').filter({ hasText: name });
const album = () => page.getByTestId('album');

/** Limits how fast bytes leave the phone; bytes a second, -1 for as fast as it can. */
async function setUploadSpeed(bytesPerSecond: number): Promise<void> {
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

const endOf = (box: { y: number; height: number } | null): number => (box ? box.y + box.height : Infinity);

test('of ten files the tenth waits for room', async () => {
  await page.goto(`/upload/${me}/admin/1/0/0/1/2`);
  await setUploadSpeed(MEGABYTE / 8);
  await album().setInputFiles([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => made(`clip ${number}.mp4`)));
  await expect(page.getByTestId('upload')).toHaveCount(10);
  await expect(row('clip 10.mp4')).toHaveAttribute('data-state', 'refused');
  await expect(row('clip 10.mp4')).toContainText('At most 9 files at a time');
  await setUploadSpeed(-1);
  await expect(page.locator('[data-testid=upload][data-state=done]')).toHaveCount(9);
  await page.getByRole('button', { name: 'Retry clip 10.mp4' }).click();
  await expect(row('clip 10.mp4')).toHaveAttribute('data-state', 'done');
  await page.getByRole('button', { name: 'Clear finished' }).click();
  await expect(page.getByTestId('upload')).toHaveCount(0);
});

test('a name with special symbols is mended in place', async () => {
  const buffer = Buffer.from('not read before its name is mended');
  await album().setInputFiles({ name: '50% off.mp4', mimeType: 'video/mp4', buffer });
  await expect(row('50% off')).toHaveAttribute('data-state', 'refused');
  await expect(row('50% off')).toContainText('File names cannot have special symbols');
  await expect(page.getByLabel('New name')).toHaveValue('50_ off.mp4');
  await page.getByRole('button', { name: 'Rename' }).click();
  // The name is fine now; the content is not.
  await expect(row('50_ off')).toHaveAttribute('data-state', 'failed');
  await expect(row('50_ off')).toContainText('Please upload files in mp4');
  await page.getByRole('button', { name: 'Remove 50_ off.mp4' }).click();
});

test('another format is refused before anything is sent', async () => {
  await album().setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') });
  await expect(row('notes.txt')).toHaveAttribute('data-state', 'refused');
  await expect(row('notes.txt')).toContainText('Please upload files in mp4, m4v, mov, webm, mkv format');
  await page.getByRole('button', { name: 'Clear finished' }).click();
});

test('an upload can be paused, continues on another page, and survives a reload', async () => {
  await setUploadSpeed(MEGABYTE);
  await album().setInputFiles(LARGE);
  const bar = row('Noise.mp4').getByRole('progressbar');
  const shown = async () => Number(await bar.getAttribute('aria-valuenow'));
  await expect.poll(shown).toBeGreaterThan(2);
  await page.getByRole('button', { name: 'Pause Noise.mp4' }).click();
  await expect(row('Noise.mp4')).toHaveAttribute('data-state', 'paused');
  const atPause = await shown();

  await page.getByRole('link', { name: 'Home' }).click();
  const indicator = page.getByTestId('upload-indicator');
  await expect(indicator).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const [main, below] = [await page.getByRole('main').boundingBox(), await indicator.boundingBox()];
    expect(endOf(main), 'the indicator covers nothing').toBeLessThanOrEqual(below?.y ?? 0);
  }).toPass();
  await indicator.click();
  await page.getByRole('button', { name: 'Resume Noise.mp4' }).click();
  await expect.poll(shown).toBeGreaterThan(atPause);

  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(`${server.origin}/`);
  await page.getByRole('link', { name: /1 file uploading/ }).click();
  await expect.poll(shown).toBeGreaterThan(atPause);

  await page.reload();
  await expect(page.getByText('Unfinished uploads')).toBeVisible();
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  await setUploadSpeed(-1);
  await album().setInputFiles(LARGE);
  await expect(row('Noise.mp4')).toHaveAttribute('data-state', 'done');
  expect(offsets[0]).toBeGreaterThan(0);
  await expect(page.getByText('Unfinished uploads')).toBeHidden();
});

test('an upload whose last answer was lost with its page is no longer listed as unfinished', async () => {
  await setUploadSpeed(-1);
  const name = 'Lost answer.mp4';
  copyFileSync(made('clip 1.mp4'), made(name));
  // Its bytes arrive, and nobody learns of it.
  const stored = Promise.withResolvers<void>();
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const answer = await route.fetch();
    if (answer.headers()['file-id'] === undefined) return route.fulfill({ response: answer });
    stored.resolve();
  });
  await album().setInputFiles(made(name));
  await stored.promise;
  await page.unroute('**/api/uploads/*');
  await page.reload();
  await expect(page.getByText('1 file uploaded')).toBeVisible();
  await expect(page.getByText('Unfinished uploads')).toBeHidden();
  await page.reload();
  await expect(album()).toBeAttached();
  await expect(page.getByText('Unfinished uploads')).toBeHidden();
  const { items } = dataOf(await server.calls.files.list({ query: { q: name } }));
  expect(items).toHaveLength(1);
  dataOf(await server.calls.files.delete({ params: { id: items[0]?.id ?? '' } }));
});

test('a file that another tab sends is not sent twice', async () => {
  await setUploadSpeed(MEGABYTE);
  copyFileSync(LARGE, made('Twice.mp4'));
  await album().setInputFiles(made('Twice.mp4'));
  await expect(row('Twice.mp4').getByRole('progressbar')).toBeVisible();
  const other = await phone.newPage();
  await other.goto(`/upload/${me}/admin/1/0/0/1/2`);
  await other.getByTestId('album').setInputFiles(made('Twice.mp4'));
  const there = other.getByTestId('upload').filter({ hasText: 'Twice.mp4' });
  await expect(there).toContainText('Another tab is already uploading this file');
  await page.getByRole('button', { name: 'Pause Twice.mp4' }).click();
  await other.getByRole('button', { name: 'Retry Twice.mp4' }).click();
  await expect(there).toContainText('Ready');
  await other.close();
  await setUploadSpeed(-1);
  await page.getByRole('button', { name: 'Remove Twice.mp4' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  const [twice] = dataOf(await server.calls.files.list({ query: { q: 'Twice' } })).items;
  dataOf(await server.calls.files.delete({ params: { id: twice?.id ?? '' } }));
});

/** A large file of this name is on its way, slowly, and some of it has arrived. */
async function beginSlowly(name: string): Promise<void> {
  await setUploadSpeed(MEGABYTE);
  copyFileSync(LARGE, made(name));
  await album().setInputFiles(made(name));
  const bar = row(name).getByRole('progressbar');
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(2);
}

test('an upload whose uploader logs out and in again continues from what arrived', async () => {
  await beginSlowly('Later.mp4');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: 'Log out' }).click();
  await logIn(page, 'admin');
  await page.getByTestId('upload-indicator').click();
  await expect(row('Later.mp4')).toHaveAttribute('data-state', 'paused');
  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await setUploadSpeed(-1);
  await page.getByRole('button', { name: 'Resume Later.mp4' }).click();
  expect(Number((await sent).headers()['upload-offset'])).toBeGreaterThan(0);
  await expect(row('Later.mp4')).toContainText('Ready');
  const [later] = dataOf(await server.calls.files.list({ query: { q: 'Later' } })).items;
  dataOf(await server.calls.files.delete({ params: { id: later?.id ?? '' } }));
});

test('a file that changed while it was sent says so, and what arrived of it can be removed', async () => {
  await beginSlowly('Export.mp4');
  await page.getByRole('button', { name: 'Pause Export.mp4' }).click();
  appendFileSync(made('Export.mp4'), 'exported anew');
  await page.getByRole('button', { name: 'Resume Export.mp4' }).click();
  await expect(row('Export.mp4')).toContainText('This file cannot be read.');
  await setUploadSpeed(-1);
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Remove Export.mp4' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  expect((await removed).status()).toBe(204);
});

test('the page shows the conversion of a video that screens cannot play', async () => {
  makeCameraClip(made('Camera.mp4'));
  await page.goto(`/upload/${me}/admin/1/0/0/2/2`);
  await album().setInputFiles(made('Camera.mp4'));
  await expect(row('Camera.mp4')).toContainText('Processing…');
  await expect(row('Camera.mp4')).toContainText('Ready');
});

test('waits without a network and resumes automatically', async () => {
  await page.goto(`/upload/${me}/admin/0/0/0/1/1`);
  await phone.setOffline(true);
  await album().setInputFiles(made('Poster.jpg'));
  await expect(row('Poster.jpg')).toContainText('Resumes automatically');
  await phone.setOffline(false);
  await expect(row('Poster.jpg')).toHaveAttribute('data-state', 'done');
});

test('a tab is in the address: back returns to it', async () => {
  await page.goto(`/file`);
  await page.getByRole('link', { name: /admin/ }).first().click();
  await page.getByRole('link', { name: 'Split picture', exact: true }).click();
  await page.getByRole('link', { name: 'Two-split bottom' }).click();
  await expect(page).toHaveURL(/\/2\/2\/0\/1\/5$/);
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await expect(page).toHaveURL(/\/upload\/.*\/2\/2\/0\/1\/5$/);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/matlist\/.*\/2\/2\/0\/1\/5$/);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page).toHaveURL(/\/file$/);
});

test('a file is seen full screen and back closes it', async () => {
  await page.goto(`/matlist/${me}/admin/1/0/0/1/2`);
  await expect(page.locator('article[data-state=ready]')).toHaveCount(11);
  await page.getByRole('button', { name: 'Preview clip 3.mp4' }).click();
  const video = page.locator('dialog video');
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
  await page.goBack();
  await expect(page.locator('dialog')).toHaveCount(0);
});

test('a file is renamed', async () => {
  await page.getByRole('button', { name: 'Actions for clip 3.mp4' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('Name', { exact: true }).fill('a/b.mp4');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText('File names cannot have special symbols');
  await page.getByLabel('Name', { exact: true }).fill('Spring.mp4');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Preview Spring.mp4' })).toBeVisible();
});

test('of several files those in a live release stay, and the ads are named', async () => {
  const [spring] = dataOf(await server.calls.files.list({ query: { q: 'Spring' } })).items;
  const device = dataOf(await server.calls.devices.create({ body: { mac: '02:00:00:00:00:07' } }));
  const ad = dataOf(
    await server.calls.ads.create({
      body: {
        name: 'Autumn campaign',
        orientation: 'vertical',
        split: 'full',
        regions: { full: [{ kind: 'file', fileId: spring?.id ?? '' }] },
      },
    }),
  );
  dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }));

  await page.getByRole('button', { name: 'Select' }).click();
  await expect(page.getByRole('toolbar').getByRole('button', { name: 'Release' })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Spring.mp4' }).click();
  await page.getByRole('checkbox', { name: 'clip 1.mp4' }).click();
  await expect(page.getByRole('toolbar')).toContainText('2 selected');
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  const kept = page.getByRole('dialog');
  await expect(kept).toContainText('1 file was not deleted');
  await expect(kept).toContainText('Used by released ads: Autumn campaign');
  await kept.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: 'Preview clip 1.mp4' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Preview Spring.mp4' })).toBeVisible();
});

test('an ad begins with the files that were chosen, in that order', async () => {
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('checkbox', { name: 'clip 5.mp4' }).click();
  await page.getByRole('checkbox', { name: 'clip 2.mp4' }).click();
  await page.getByRole('toolbar').getByRole('button', { name: 'Release' }).click();
  await expect(page).toHaveURL(new RegExp(`/release/${me}/1/2\\?files=`));
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: /clip \d\.mp4/ });
  await expect(rows).toHaveText([/clip 5\.mp4/, /clip 2\.mp4/]);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Preview clip 5.mp4' })).toBeVisible();
});

test('changes of another user appear without a reload', async () => {
  const [clip] = dataOf(await server.calls.files.list({ query: { q: 'clip 2' } })).items;
  dataOf(await server.calls.files.update({ params: { id: clip?.id ?? '' }, body: { name: 'Renamed elsewhere.mp4' } }));
  await expect(page.getByRole('button', { name: 'Preview Renamed elsewhere.mp4' })).toBeVisible();
});

test('a member goes straight to its own files, and back leads where it came from', async ({ browser }) => {
  await server.calls.users.create({ body: { username: 'anna2026', password: PASSWORD, role: 'member' } });
  const context = await signedInPhone(browser, server, { ...DESK, username: 'anna2026', serviceWorkers: 'block' });
  const own = await context.newPage();
  await own.goto('/');
  await own.getByRole('link', { name: 'File management' }).click();
  await expect(own).toHaveURL(/\/matlist\/[0-9a-f-]+\/anna2026\/0\/0\/0\/1\/1$/);
  await expect(own.getByText('No files yet')).toBeVisible();
  await own.goBack();
  await expect(own).toHaveURL(`${server.origin}/`);
  await context.close();
});
