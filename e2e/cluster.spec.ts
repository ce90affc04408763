import path from 'node:path';
import { type BrowserContext, expect, type Page, test } from './stories.ts';
import { Cluster } from './cluster.ts';
import { launchKiosk } from './kiosk.ts';
import { colourAt, makeClip, makePicture, pad } from './media.ts';
import { newPhone, nextCaptcha } from './phone.ts';
import { PASSWORD } from './server.ts';

/** The main job once more, where no two requests come to the same server process. */
test.describe.configure({ mode: 'serial' });

const cluster = new Cluster(4640);
const CLIP = path.join(cluster.folder, 'Autumn sale.mp4');
const PICTURE = path.join(cluster.folder, 'Poster.png');

let phone: BrowserContext;
let operator: Page;
let kiosk: BrowserContext;
let device: Page;

test.beforeAll(async ({ browser }) => {
  makeClip(CLIP, 2);
  // Several parts, to S3.
  pad(CLIP, 17 * 2 ** 20);
  makePicture(PICTURE, 'blue', '1080x1920');
  await cluster.start();
  phone = await newPhone(browser, cluster);
  operator = await phone.newPage();
  ({ context: kiosk, page: device } = await launchKiosk(cluster.folder, { width: 540, height: 960 }));
});

test.afterAll(async () => {
  await Promise.allSettled([kiosk?.close(), phone?.close()]);
  await cluster.end();
});

const badge = (name: 'online' | 'download'): ReturnType<Page['locator']> => operator.getByTestId(name).first();

test('the operator logs in with the code that the other process drew', async () => {
  const answer = await nextCaptcha(operator, cluster, () => operator.goto('/login'));
  await operator.getByLabel('Username').fill('admin');
  await operator.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await operator.getByLabel('Verification code', { exact: true }).fill(answer);
  await operator.getByRole('button', { name: 'Log in' }).click();
  await expect(
    operator
      .getByRole('main')
      .getByRole('link', { name: /Devices/ })
      .first(),
  ).toBeVisible();
});

async function upload(tab: string, file: string): Promise<void> {
  await operator.goto('/file');
  await operator.getByRole('main').getByRole('link', { name: /admin/ }).first().click();
  await operator.getByRole('link', { name: new RegExp(`^${tab}`) }).click();
  await operator.getByRole('link', { name: 'Upload' }).first().click();
  await operator.getByTestId('album').setInputFiles(file);
  await expect(operator.getByTestId('upload')).toHaveAttribute('data-state', 'done');
  await operator.getByRole('link', { name: 'Go to files' }).click();
  const name = path.basename(file).replace(/\..*$/, '');
  await expect(operator.locator('article[data-state=ready]')).toContainText(name);
}

test('a video and a picture are uploaded, each piece through another process, and shown from S3', async () => {
  await upload('Video', CLIP);
  await upload('Full picture', PICTURE);
  const still = operator.locator('article[data-state=ready] img').first();
  await expect.poll(() => still.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const left = await cluster.row('select count(*) as count from uploads');
  expect(Number(left?.['count'])).toBe(0);
});

test('a device is paired and online', async () => {
  await device.goto(`${cluster.origin}/player/`);
  await expect(device.getByTestId('code')).toHaveText(/^\d{6}$/);
  const address = (await device.locator('[data-qr]').getAttribute('data-qr')) ?? '';
  expect(address.startsWith(`${cluster.origin}/scancode?mac=`)).toBe(true);
  await operator.goto(address);
  await operator.getByLabel(/^Name/).fill('Lobby');
  await operator.getByRole('button', { name: 'Pair' }).click();
  await expect(operator).toHaveURL(/\/mac\//);
  await expect(badge('online')).toHaveAttribute('data-state', 'online');
});

async function release(file: string, kind: 'Pictures' | 'Videos'): Promise<void> {
  await operator.goto('/ad');
  await operator.getByRole('main').getByRole('link', { name: /admin/ }).first().click();
  await operator.getByRole('link', { name: 'New ad' }).first().click();
  await operator.locator('button[data-region=full]').click();
  await operator.getByText(kind, { exact: true }).click();
  await operator.getByTestId('file-choice').filter({ hasText: file }).click();
  await operator.getByRole('button', { name: 'Done' }).click();
  await operator.getByRole('button', { name: 'Next: devices' }).click();
  await operator.getByRole('button', { name: 'Release to 1 device' }).click();
  await expect(operator).toHaveURL(/\/releases\//);
  await expect(operator.getByTestId('count-done')).toContainText('1');
}

test('an ad is released; the device fetches it from S3 and plays, and the open page shows it by itself', async () => {
  const fetched: string[] = [];
  device.on('response', (response) => fetched.push(`${response.status()} ${new URL(response.url()).origin}`));
  await release('Autumn sale', 'Videos');
  await expect(device.locator('html')).toHaveAttribute('data-state', 'playing');
  expect(fetched).toContain(`302 ${cluster.origin}`);
  expect(fetched.filter((line) => /^20[06] /.test(line) && !line.endsWith(cluster.origin)).length).toBeGreaterThan(0);
});

test('when one process ends, the other one continues everything', async () => {
  await cluster.member(0).stop();
  await release('Poster', 'Pictures');
  await expect.poll(() => colourAt(device, 0.5, 0.5)).toBe('blue');
  await operator.goto('/mac');
  await expect(badge('online')).toHaveAttribute('data-state', 'online');
});
