import { type Browser, type BrowserContext, type Page, expect, test } from './stories.ts';
import type { Device } from '@ams/contract';
import { pairPlayer, pairSpeaker, releasePicture, type Speaker } from './live.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** Open pages of a device: after an outage, and when a person asks for its picture. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 4655 });
let speaker: Speaker;
let device: Device;
let socket: WebSocket;
let phone: BrowserContext;
let list: Page;
let detail: Page;

test.beforeAll(async ({ browser }: { browser: Browser }) => {
  await server.start();
  await server.login();
  speaker = await pairSpeaker(server, '02:00:5e:46:40:01');
  ({ device } = speaker);
  phone = await signedInPhone(browser, server);
  list = await phone.newPage();
  detail = await phone.newPage();
  await Promise.all([list.goto('/mac'), detail.goto(`/mac/${device.id}`)]);
  socket = await speaker.connect();
  for (const page of [list, detail]) await expect(page.getByTestId('online')).toHaveAttribute('data-state', 'online');
});

test.afterAll(async () => {
  socket?.close();
  await phone?.close();
  await server.end();
});

const rename = async (name: string) =>
  dataOf(await server.calls.devices.update({ params: { id: device.id }, body: { name } }));

test('changes during a network outage of the phone appear when it reconnects', async () => {
  await phone.setOffline(true);
  await rename('Cellar');
  await phone.setOffline(false);
  await expect(list.getByText('Cellar')).toBeVisible();
  await expect(detail.getByRole('heading', { name: 'Cellar' })).toBeVisible();
});

test('changes during a server restart appear when it is back, and the device reconnects', async () => {
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }));
  await server.stop();
  await closed;
  await server.start();
  await rename('Attic');
  for (const page of [list, detail]) {
    await expect(page.getByText('Attic').first()).toBeVisible({ timeout: 45_000 });
    await expect(page.getByTestId('online')).toHaveAttribute('data-state', 'offline');
  }
  socket = await speaker.connect();
  for (const page of [list, detail]) await expect(page.getByTestId('online')).toHaveAttribute('data-state', 'online');
  await expect(detail.getByRole('img', { name: /online$/ }).first()).toBeVisible();
});

test('a person looks at the screen: the picture appears, large on a tap; without one the page shows a message', async ({
  browser,
}) => {
  // This device has no screen to send.
  const look = detail.getByRole('button', { name: 'Take a screenshot' });
  await look.click();
  await expect(detail.getByText('The screenshot failed.')).toBeVisible();

  const { kiosk, paired: real } = await pairPlayer(server, browser, '02-00-5e-46-40-02');
  await releasePicture(server, 'Red', 'red', real.id, { replace: true });
  await detail.goto(`/mac/${real.id}`);
  await expect(detail.getByTestId('screen-main')).toHaveAttribute('data-state', 'playing');
  await look.click();
  const picture = detail.getByTestId('picture-main').locator('img');
  await expect(picture).toBeVisible();
  const colour = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0, 1, 1);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
  });
  expect(colour[0]).toBeGreaterThan(200);
  expect(colour[2]).toBeLessThan(60);
  await detail.getByRole('button', { name: 'Enlarge the screenshot' }).click();
  await expect(detail.getByRole('dialog').getByRole('img')).toBeVisible();
  await expect(list.getByTestId('results')).toHaveText('2 devices');
  await kiosk.close();
});
