import path from 'node:path';
import { type BrowserContext, expect, type Page, test } from './stories.ts';
import { launchKiosk } from './kiosk.ts';
import { colourAt, makeClip, makePicture } from './media.ts';
import { newPhone, nextCaptcha } from './phone.ts';
import { PASSWORD, RealServer } from './server.ts';

/**
 * The main job from the view of its people: an operator with a phone, and a device with a screen.
 * Each test is a step of one story.
 */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4240, captcha: 'on', ownPostgres: true });
const CLIP = path.join(server.folder, 'Autumn sale.mp4');
const PICTURE = path.join(server.folder, 'Poster.jpg');

let phone: BrowserContext;
let operator: Page;
let kiosk: BrowserContext;
let device: Page;
let deviceMac: string;

test.beforeAll(async ({ browser }) => {
  makeClip(CLIP, 2);
  makePicture(PICTURE, 'blue', '1080x480');
  await server.start();
  phone = await newPhone(browser, server);
  operator = await phone.newPage();
  ({ context: kiosk, page: device } = await launchKiosk(server.folder, { width: 540, height: 960 }));
});

test.afterAll(async () => {
  await Promise.allSettled([kiosk?.close(), phone?.close()]);
  await server.end();
});

const playsToday = async (): Promise<number> => {
  const row = await server.row('select coalesce(sum(plays), 0) as plays from play_days');
  return Number(row?.['plays']);
};

const badge = (name: 'online' | 'download'): ReturnType<Page['locator']> => operator.getByTestId(name).first();

test('the operator logs in with the verification code and sees the home page', async () => {
  await operator.goto('/mac');
  await expect(operator).toHaveURL(/\/login/);
  await expect(operator).toHaveTitle('Advertising Management System');
  await operator.getByLabel('Username').fill('admin');
  await operator.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await expect(operator.getByAltText('Verification code picture')).toBeVisible();
  await operator.getByLabel('Verification code', { exact: true }).fill('wrong');
  const answer = await nextCaptcha(operator, server, () => operator.getByRole('button', { name: 'Log in' }).click());
  await expect(
    operator.getByText('The verification code is wrong or already used. Enter the new one.').first(),
  ).toBeVisible();
  await operator.getByLabel('Verification code', { exact: true }).fill(answer);
  await operator.getByRole('button', { name: 'Log in' }).click();
  // Back to where the person was going.
  await expect(operator).toHaveURL(/\/mac$/);
  await operator.goto('/');
  await expect(
    operator
      .getByRole('main')
      .getByRole('link', { name: /Devices/ })
      .first(),
  ).toContainText('0');
  // An empty installation shows what to do first.
  await expect(operator.getByRole('list').filter({ hasText: 'Pair a device' }).getByRole('link')).toHaveCount(3);
});

/** From a user's files of one kind to its upload page. */
async function openFiles(tab: string): Promise<void> {
  await operator.goto('/file');
  await operator.getByRole('main').getByRole('link', { name: /admin/ }).first().click();
  await expect(operator).toHaveURL(/\/matlist\//);
  await operator.getByRole('link', { name: new RegExp(`^${tab}`) }).click();
}

test('a video is uploaded; the connection breaks on the way and nothing is lost', async () => {
  await openFiles('Video');
  await operator.getByRole('link', { name: 'Upload' }).first().click();
  await expect(operator).toHaveURL(/\/upload\//);
  // The network goes away while the bytes are sent, and comes back.
  let broken = 0;
  await phone.route('**/api/uploads/*', async (route) => {
    if (route.request().method() === 'PATCH' && broken < 1) {
      broken += 1;
      await route.abort('internetdisconnected');
    } else await route.fallback();
  });
  await operator.getByTestId('album').setInputFiles(CLIP);
  await expect(operator.getByTestId('upload')).toHaveAttribute('data-state', 'done');
  expect(broken).toBe(1);
  await phone.unroute('**/api/uploads/*');
  await operator.getByRole('link', { name: 'Go to files' }).click();
  await expect(operator.locator('article[data-state=ready]')).toContainText('Autumn sale');
});

test('a text that calls itself a video is refused, with the reason', async () => {
  await operator.getByRole('link', { name: 'Upload' }).first().click();
  await operator.getByTestId('album').setInputFiles({
    name: 'not a film.mp4',
    mimeType: 'video/mp4',
    buffer: Buffer.from('This is a text, whatever its name says. '.repeat(500)),
  });
  const row = operator.getByTestId('upload').filter({ hasText: 'not a film' });
  await expect(row).toHaveAttribute('data-state', /failed|refused/);
  await expect(row).toContainText('Please upload files in');
});

test('a picture for the top of a three-split screen is uploaded', async () => {
  await openFiles('Split picture');
  await operator.getByRole('link', { name: 'Upload' }).first().click();
  await operator.getByTestId('album').setInputFiles(PICTURE);
  await expect(operator.getByTestId('upload')).toHaveAttribute('data-state', 'done');
  await operator.getByRole('link', { name: 'Go to files' }).click();
  await expect(operator.locator('article[data-state=ready]')).toContainText('Poster');
});

test('the device shows its MAC, a code and a QR code; the operator opens that address and pairs it', async () => {
  await device.goto(`${server.origin}/player/`);
  await expect(device.getByTestId('code')).toHaveText(/^\d{6}$/);
  await expect(device.getByText('Or open')).toHaveText(
    `Or open ${new URL(server.origin).host}/scancode and enter the code`,
  );
  deviceMac = (await device.getByTestId('mac').textContent()) ?? '';
  expect(deviceMac).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i);
  const address = (await device.locator('[data-qr]').getAttribute('data-qr')) ?? '';
  expect(address.startsWith(`${server.origin}/scancode?mac=`)).toBe(true);

  await operator.goto(address);
  await operator.getByLabel(/^Name/).fill('Lobby');
  await operator.getByRole('button', { name: 'Pair' }).click();
  await expect(operator).toHaveURL(/\/mac\//);
  await expect(badge('online')).toHaveAttribute('data-state', 'online');
  await expect(badge('download')).toHaveAttribute('data-state', 'done');
  await expect(device.locator('html')).toHaveAttribute('data-state', 'standby');
});

/** Chooses a file by name for a region of the screen that is drawn. */
async function choose(region: string, file: string): Promise<void> {
  await operator.locator(`button[data-region=${region}]`).click();
  await operator.getByTestId('file-choice').filter({ hasText: file }).click();
  await operator.getByRole('button', { name: 'Done' }).click();
}

/** From the filled form to the page that shows how far each device is. A region without files asks first. */
async function release({ asks = false } = {}): Promise<void> {
  await operator.getByRole('button', { name: 'Next: devices' }).click();
  await operator.getByRole('button', { name: 'Release to 1 device' }).click();
  if (asks) await operator.getByRole('dialog').getByRole('button', { name: 'Release anyway' }).click();
  await expect(operator).toHaveURL(/\/releases\//);
}

async function newAd(): Promise<void> {
  await operator.goto('/ad');
  await operator.getByRole('main').getByRole('link', { name: /admin/ }).first().click();
  await expect(operator).toHaveURL(/\/adlist\//);
  await operator.getByRole('link', { name: 'New ad' }).first().click();
  await expect(operator).toHaveURL(/\/release\//);
}

test('a full-screen ad is made and released; the operator sees it arrive without reloading', async () => {
  await newAd();
  await choose('full', 'Autumn sale');
  await release();
  await expect(operator.getByTestId('count-done')).toContainText('1');
  await expect(device.locator('html')).toHaveAttribute('data-state', 'playing');
});

/** Both colours of the clip are seen at a place: its frames change, and they are its own. */
async function expectClipAt(across: number, down: number): Promise<void> {
  for (const colour of ['red', 'lime', 'red']) {
    await expect.poll(() => colourAt(device, across, down), { intervals: [50] }).toBe(colour);
  }
}

test('the device plays the clip over its whole screen', async () => {
  await expectClipAt(0.5, 0.1);
  await expectClipAt(0.5, 0.9);
});

test('waiting becomes done on the open device page within a second of the truth', async () => {
  await operator.goto('/mac');
  // Data of an earlier visit are not confirmed yet.
  const asked = operator.waitForResponse(/\/api\/devices\/[0-9a-f-]+$/);
  await operator.getByTestId('device').first().getByRole('link').first().click();
  await asked;
  await expect(operator).toHaveURL(/\/mac\//);
  await expect(badge('download')).toHaveAttribute('data-state', 'done');
  const truths = await operator.evaluateHandle(() => {
    const seen: { state: string; at: number }[] = [];
    const look = (): void => {
      const state = document.querySelector('[data-testid=download]')?.getAttribute('data-state') ?? '';
      if (state !== seen.at(-1)?.state) seen.push({ state, at: Date.now() });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
    return seen;
  });

  const second = await phone.newPage();
  const first = operator;
  // The page hears of changes once a second, and the device would have its files sooner.
  await kiosk.route('**/media/**', async (route) => {
    await expect(first.getByTestId('download').first()).toHaveAttribute('data-state', 'waiting');
    await route.continue();
  });
  operator = second;
  await newAd();
  await operator.locator('label[data-split=three]').click();
  await choose('top', 'Poster');
  await choose('middle', 'Autumn sale');
  await release({ asks: true });
  await expect(operator.getByTestId('count-done')).toContainText('1');
  await second.close();
  operator = first;
  await kiosk.unroute('**/media/**');

  await expect
    .poll(async () => (await truths.jsonValue()).map(({ state }) => state))
    .toEqual(['done', 'waiting', 'done']);
  const shown = (await truths.jsonValue()).at(-1)?.at ?? 0;
  const row = await server.row('select extract(epoch from playing_at) * 1000 as at from devices');
  expect(shown - Number(row?.['at'])).toBeLessThan(1000);
});

test('the device shows the picture on top, the clip below it, and a dark foot', async () => {
  await expect.poll(() => colourAt(device, 0.5, 0.12)).toBe('blue');
  await expectClipAt(0.5, 0.5);
  expect(await colourAt(device, 0.5, 0.9)).toBe('dark');
});

test('the server stops: the device plays on, also after its page is reloaded', async () => {
  await server.stop();
  await expectClipAt(0.5, 0.5);
  await device.reload();
  await expect(device.locator('html')).toHaveAttribute('data-state', 'playing');
  await expect.poll(() => colourAt(device, 0.5, 0.12)).toBe('blue');
  await expectClipAt(0.5, 0.5);
});

test('the server comes back: the device is online by itself and its plays count once each', async () => {
  await server.start();
  const logged = await playsToday();
  await operator.goto('/mac');
  await expect(badge('online')).toHaveAttribute('data-state', 'online', { timeout: 40_000 });
  await expect(badge('download')).toHaveAttribute('data-state', 'done');
  await expect.poll(playsToday, { timeout: 60_000 }).toBeGreaterThan(logged);
  // Each play of a device began at a moment of its own: none is there twice.
  const row = await server.row(
    `select count(*) as all, count(distinct (at, sha256, screen)) as different
     from plays join play_items on play_items.id = item_id`,
  );
  expect(row?.['all']).toBe(row?.['different']);
  const total = await server.row('select (select count(*) from plays) = (select sum(plays) from play_days) as same');
  expect(total?.['same']).toBe(true);
  await operator.goto('/');
  await expect(operator.getByText(/Plays, last 14 days/)).toBeVisible();
});
