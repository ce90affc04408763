import { type Page, expect, test } from './stories.ts';
import { MAC, Stand, item, programme, shown, state } from './device.ts';

const stand = new Stand();
let page: Page;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  await stand.start();
  ({ page } = await stand.device('service', { width: 1280, height: 720 }));
});
test.afterAll(() => stand.end());

const service = () => page.locator('dialog.service');
const fact = (label: string) => service().locator('dl div', { hasText: label }).locator('dd');

test("four taps in a corner open the service page over the playing ad; it shows the device's state", async () => {
  const file = stand.image('red');
  stand.server.expiresAt = '2097-01-31';
  stand.release(programme({ full: [item(file)] }, { name: 'Autumn sale' }));
  await page.goto(stand.address());
  await expect.poll(() => shown(page)).toBe(file.sha256);
  for (const [x, y] of [
    [5, 5],
    [1275, 5],
    [5, 5],
    [640, 300],
    [5, 5],
  ] as const) {
    await page.mouse.click(x, y);
  }
  await expect(service()).toHaveCount(0);
  for (let tap = 0; tap < 4; tap++) await page.mouse.click(1275, 715);
  await expect(fact('MAC address')).toContainText(MAC.toUpperCase());
  await expect(fact('Server')).toContainText('reached in');
  await expect(fact('Content')).toHaveText('complete');
  await expect(fact('On screen')).toHaveText('Autumn sale');
  await expect(fact('Valid until')).toHaveText('31 January 2097');
  await expect(fact('Storage')).toContainText('free');
  await expect(service().locator('.log li').first()).toContainText('service page opened');
  await expect(page.locator('#stage .shown')).toHaveCount(1);
});

test('the connection is tested with a file of the server', async () => {
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByRole('button', { name: /Test connection: [\d.,]+ Mbit\/s/ })).toBeVisible();
});

test('it closes by its button and by Escape, and opens by Ctrl-Alt-S', async () => {
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(service()).toHaveCount(0);
  await page.keyboard.press('Control+Alt+KeyS');
  await expect(service()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(service()).toHaveCount(0);
});

test('a button rotates the screen permanently; the log survives a restart', async () => {
  await page.keyboard.press('Control+Alt+KeyS');
  await page.getByRole('button', { name: 'Rotate screen' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-rotate', '90');
  const turned = [{ name: 'main', width: 720, height: 1280 }];
  await expect.poll(() => stand.server.enrolments.at(-1)?.screens).toEqual(turned);
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Restart' }).click();
  await loaded;
  await expect.poll(() => state(page)).toBe('playing');
  await expect(page.locator('html')).toHaveAttribute('data-rotate', '90');
  await page.keyboard.press('Control+Alt+KeyS');
  await expect(service().locator('.log li', { hasText: 'restarted by hand' })).toHaveCount(1);
});

test('the pairing is forgotten only when that is confirmed; the device keeps its MAC', async () => {
  stand.server.paired = false;
  await page.getByRole('button', { name: 'Reset pairing' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Restart' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset pairing' }).click();
  await page.getByRole('button', { name: 'Reset pairing' }).click();
  await expect.poll(() => state(page).catch(() => null)).toBe('pairing');
  await expect(page.getByTestId('mac')).toHaveText(MAC.toUpperCase());
});

test('without the server the pairing page shows what to check', async () => {
  await stand.stop();
  await expect(page.locator('.network')).toHaveAttribute('data-network', 'offline', { timeout: 30_000 });
  await expect(page.locator('.advice')).toContainText('network cable');
});
