import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Browser, chromium, expect, type Page, test } from './stories.ts';
import { makeClient, routes } from '@ams/contract';
import { drawCode128, drawQr } from '../web/test/codes.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

type Drawing = Awaited<ReturnType<typeof drawQr>>;

/** Pairing by the camera of a phone, which here films a file. */
const server = new RealServer({ port: 4630 });

test.beforeAll(async () => {
  await server.start();
  await server.login();
});
test.afterAll(() => server.end());

/** A device that nobody has paired yet; `shown` is what its screen shows now. */
function newDevice(mac: string): { shown: () => Promise<{ code: string; qr: string }> } {
  const authorization = `Bearer ${randomBytes(32).toString('base64url')}`;
  const { player } = makeClient(routes, async ({ method, url, body }) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const reply = await fetch(server.origin + url, { method, headers, body: JSON.stringify(body) });
    return reply.json();
  });
  const screens = [{ width: 1080, height: 1920 }];
  const body = { mac, screens, timeZone: 'Europe/Berlin', player: { version: '1', kind: 'test' } };
  const shown = async () => {
    const answer = dataOf(await player.enrol({ body }));
    if (answer.state !== 'pairing') throw new Error('is paired already');
    return answer;
  };
  return { shown };
}

/** A film of a hand that holds the phone before a code: larger and smaller, and never quite still. */
async function film(code: Drawing): Promise<string> {
  const picture = path.join(server.folder, 'code.png');
  const video = path.join(server.folder, `${randomBytes(4).toString('hex')}.mjpeg`);
  await code.png().toFile(picture);
  const moved =
    '[1]rotate=0.12*sin(2*PI*t/2):c=0x707070:ow=rotw(0.2):oh=roth(0.2)[c];[0][c]overlay=(W-w)/2:(H-h)/2+20*sin(3*t)';
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=0x707070:s=1280x720:r=10:d=2', '-loop', '1', '-i', picture],
    ...['-filter_complex', moved, '-t', '2', '-pix_fmt', 'yuvj420p', '-q:v', '5', video],
  ]);
  return video;
}

/** A browser whose camera is allowed and shows `video`; without one, whose camera is refused. */
const withCamera = (video?: string): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--use-fake-device-for-media-stream',
      ...(video === undefined
        ? ['--deny-permission-prompts']
        : ['--use-fake-ui-for-media-stream', `--use-file-for-fake-video-capture=${video}`]),
    ],
  });

async function onPhone(browser: Browser, story: (page: Page) => Promise<void>): Promise<void> {
  const phone = await signedInPhone(browser, server);
  await story(await phone.newPage());
  await phone.close();
}

const picture = async (name: string, code: Drawing) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await code.jpeg().toBuffer(),
});

const album = (page: Page) => page.locator('input[type=file]');

test('the camera reads the code on a device’s screen, and the device is paired', async () => {
  const mac = '02:00:5e:40:00:01';
  const { code, qr } = await newDevice(mac).shown();
  const browser = await withCamera(await film(await drawQr(qr, 420)));
  await onPhone(browser, async (page) => {
    await page.goto('/mac');
    await page.getByRole('link', { name: 'Scan to pair' }).click();
    await expect(page.getByLabel('MAC address')).toHaveValue(mac.toUpperCase());
    await expect(page.getByLabel('Pairing code')).toHaveValue(code);
    const pair = page.getByRole('button', { name: 'Pair', exact: true });
    await pair.click();
    await expect(page.getByRole('alert')).toHaveText('Enter a name');
    await page.getByLabel('Name').fill('Lobby');
    await page.getByLabel('Area').fill('Lyon');
    await pair.click();
    await expect(page).toHaveURL(/\/mac\/[0-9a-f-]{36}$/);
  });
  await browser.close();
  expect(dataOf(await server.calls.devices.list({ query: { q: mac } })).items).toMatchObject([
    { name: 'Lobby', area: 'Lyon', address: null },
  ]);
});

test('a label with a bare MAC is scanned, then the code is typed; wrong codes show what to do', async () => {
  const mac = '02:00:5e:40:00:02';
  const device = newDevice(mac);
  const first = await device.shown();
  const browser = await withCamera(await film(await drawCode128('02005E400002')));
  await onPhone(browser, async (page) => {
    await page.goto('/scancode');
    await expect(page.getByLabel('MAC address')).toHaveValue(mac.toUpperCase());
    const code = page.getByLabel('Pairing code');
    const pair = page.getByRole('button', { name: 'Pair', exact: true });
    await expect(code).toHaveValue('');
    await pair.click();
    await expect(page.getByRole('alert')).toHaveText('Enter the code shown on the screen');
    // Wrong codes count against their sender: the code itself stays valid.
    for (let tries = 1; tries <= 5; tries += 1) {
      // Another code each time: the same one at once would be a double tap.
      await code.fill(String((Number(first.code) + tries) % 1_000_000).padStart(6, '0'));
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/devices/pair/preview'));
      await pair.click();
      expect((await answered).status()).toBe(422);
      await expect(page.getByRole('alert')).toHaveText(
        'This code is wrong or has expired. Enter the one the screen shows now.',
      );
    }
    await code.fill(first.code);
    await page.getByLabel('Name').fill('Entrance');
    await pair.click();
    await expect(page).toHaveURL(/\/mac\/[0-9a-f-]{36}$/);
  });
  await browser.close();
});

test('a device that comes under a known MAC is paired once somebody has confirmed that it replaces the other', async ({
  browser,
}) => {
  const mac = '02:00:5e:40:00:05';
  const owned = await newDevice(mac).shown();
  dataOf(await server.calls.devices.pair({ body: { code: owned.code, name: 'Lobby' } }));
  const { qr } = await newDevice(mac).shown();
  await onPhone(browser, async (page) => {
    await page.goto(qr);
    const pair = page.getByRole('button', { name: 'Pair', exact: true });
    await pair.click();
    const dialog = page.getByRole('dialog', { name: 'Replace Lobby?' });
    await expect(dialog).toContainText('is already paired under this MAC');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(pair).toBeEnabled();
    expect(dataOf(await server.calls.devices.list({ query: { q: mac } })).items[0]?.replaced).toBeNull();
    await pair.click();
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await expect(page).toHaveURL(/\/mac\/[0-9a-f-]{36}$/);
    await expect(page.getByText('Replaced another device')).toBeVisible();
  });
});

test('without the camera there is the album, and typing', async () => {
  const mac = '02:00:5e:40:00:03';
  const { code, qr } = await newDevice(mac).shown();
  const browser = await withCamera();
  await onPhone(browser, async (page) => {
    await page.goto('/scancode');
    await expect(page.getByRole('alert')).toContainText('Camera access is blocked');
    await expect(page.getByRole('alert')).toContainText('then Allow');

    await test.step('a picture without a code', async () => {
      const wall = (await drawQr(qr, 400)).blur(60);
      await album(page).setInputFiles(await picture('wall.jpg', wall));
      await expect(page.getByText('Recognition error')).toBeVisible();
    });

    await test.step('what is no picture', async () => {
      await album(page).setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('text') });
      await expect(page.getByText('Recognition error')).toBeVisible();
    });

    await test.step('somebody else’s code', async () => {
      await album(page).setInputFiles(await picture('menu.jpg', await drawQr('https://example.com/menu')));
      await expect(page.getByText('Recognition error')).toBeVisible();
    });

    await test.step('a blurred picture of the code, turned', async () => {
      const turned = (await drawQr(qr, 600)).rotate(33, { background: '#fff' }).blur(5);
      await album(page).setInputFiles(await picture('code.jpg', turned));
      await expect(page.getByLabel('MAC address')).toHaveValue(mac.toUpperCase());
      await expect(page.getByLabel('Pairing code')).toHaveValue(code);
    });

    await test.step('typing', async () => {
      await page.getByRole('link', { name: 'Scan again' }).click();
      await page.getByRole('link', { name: 'Enter manually' }).click();
      await expect(page.getByLabel('MAC address')).toBeHidden();
      await page.getByLabel('Pairing code').fill(code);
      await page.getByLabel('Name').fill('Window');
      await page.getByRole('button', { name: 'Pair', exact: true }).click();
      await expect(page).toHaveURL(/\/mac\/[0-9a-f-]{36}$/);
    });
  });
  await browser.close();
});

test('the phone’s own camera app opens the address that the code holds', async ({ browser }) => {
  const mac = '02:00:5e:40:00:04';
  const { code, qr } = await newDevice(mac).shown();
  await onPhone(browser, async (page) => {
    await page.goto(qr);
    await expect(page.getByLabel('MAC address')).toHaveValue(mac.toUpperCase());
    await expect(page.getByLabel('Pairing code')).toHaveValue(code);
  });
});
