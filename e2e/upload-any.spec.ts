import { readFileSync } from 'node:fs';
import path from 'node:path';
import { UPLOAD_LIMITS } from '@ams/contract';
import { makeClip, makePicture } from './media.ts';
import { signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';
import { type BrowserContext, expect, type Page, test } from './stories.ts';

/** Uploading without choosing a kind: the content decides, and an ad takes the files along. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4890 });
const made = (name: string): string => path.join(server.folder, name);
let phone: BrowserContext;
let page: Page;

test.beforeAll(async ({ browser }) => {
  makeClip(made('Clip.mp4'), 1);
  makePicture(made('Poster.jpg'), 'blue', '1080x1920');
  makePicture(made('Wide.jpg'), 'red', '1920x1080');
  makePicture(made('Late.jpg'), 'lime', '1080x1920');
  await server.start();
  await server.login();
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  page = await phone.newPage();
});
test.afterAll(async () => {
  await phone?.close();
  await server.end();
});

const row = (name: string) => page.getByTestId('upload').filter({ hasText: name });

test('files that were chosen at once become what their content is', async () => {
  await page.goto('/');
  await page.getByRole('link', { name: /Upload a video or a picture/ }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Files of any kind' })).toBeVisible();
  await page.getByTestId('album').setInputFiles(['Clip.mp4', 'Poster.jpg', 'Wide.jpg'].map(made));
  await expect(row('Clip.mp4')).toContainText('Video · Vertical screen');
  await expect(row('Poster.jpg')).toContainText('Full picture · Vertical screen');
  await expect(row('Wide.jpg')).toContainText('Full picture · Horizontal screen');
});

test('"Make an ad" stays in its place and waits until the app knows what a further file is', async () => {
  const known = Promise.withResolvers<void>();
  const link = page.getByRole('link', { name: 'Make an ad · Vertical screen' });
  await expect(link).toBeVisible();
  await page.route(/\/api\/files\/[\w-]+$/, async (route) => {
    await known.promise;
    await route.continue();
  });
  await page.getByTestId('album').setInputFiles(made('Late.jpg'));
  await expect(row('Late.jpg')).toHaveAttribute('data-state', 'done');
  await expect(link).toBeHidden();
  await expect(page.getByRole('button', { name: 'Make an ad' })).toBeDisabled();
  known.resolve();
  await expect(link).toBeVisible();
  await page.unroute(/\/api\/files\/[\w-]+$/);
});

test('an ad takes the uploaded files along, also of several kinds, and those of the other orientation make another', async () => {
  const links = page.getByRole('link', { name: 'Make an ad' });
  await expect(links).toHaveText(['Make an ad · Vertical screen', 'Make an ad · Horizontal screen']);
  await links.last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New ad');
  await expect(page.getByText('Wide.jpg').first()).toBeVisible();
  await expect(page.getByText('Clip.mp4')).toHaveCount(0);
  await page.goBack();
  await links.first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New ad');
  await expect(page.getByText('Clip.mp4').first()).toBeVisible();
  await expect(page.getByText('Poster.jpg').first()).toBeVisible();
  await expect(page.getByText('Wide.jpg')).toHaveCount(0);
});

test('all surplus files of a choice are tried again at once', async () => {
  const buffer = readFileSync(made('Poster.jpg'));
  const names = Array.from({ length: UPLOAD_LIMITS.maxFiles + 3 }, (_, n) => `Surplus ${n}.jpg`);
  await page.goto('/');
  await page.getByRole('link', { name: /Upload a video or a picture/ }).click();
  await page.getByTestId('album').setInputFiles(names.map((name) => ({ name, mimeType: 'image/jpeg', buffer })));
  const rows = (state: string) =>
    page.locator(`[data-testid=upload][data-state=${state}]`).filter({ hasText: 'Surplus' });
  await expect(rows('refused')).toHaveCount(3);
  await expect(rows('done')).toHaveCount(UPLOAD_LIMITS.maxFiles);
  await page.getByRole('button', { name: 'Retry', exact: true }).click();
  await expect(rows('done')).toHaveCount(names.length);
  await expect(page.getByRole('button', { name: 'Retry', exact: true })).toHaveCount(0);
});
