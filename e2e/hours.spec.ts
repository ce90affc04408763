import type { Device } from '@ams/contract';
import { axeOn } from './axe.ts';
import { type BrowserContext, type Page, expect, test } from './stories.ts';
import { item, programme, Stand, state } from './device.ts';
import { pairKiosk } from './kiosk.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** Working hours: what an operator sets, and what a true device makes of them, with and without a network. */
test.describe.configure({ mode: 'serial' });

const HOUR_MS = 3_600_000;

test.describe('a device of a true server', () => {
  const server = new RealServer({ port: 4990 });
  let phone: BrowserContext;
  let operator: Page;
  let kiosk: BrowserContext;
  let screen: Page;
  let device: Device;

  test.beforeAll(async ({ browser }) => {
    await server.start();
    await server.login();
    phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
    operator = await phone.newPage();
    ({ kiosk, screen, device } = await pairKiosk(server, '02-00-5e-49-90-01'));
    dataOf(await server.calls.devices.update({ params: { id: device.id }, body: { timeZone: 'UTC' } }));
    const red = await server.addFile('red.png', 'color=red:size=360x640', { orientation: 'vertical', kind: 1 });
    const ad = dataOf(
      await server.calls.ads.create({
        body: {
          name: 'Autumn',
          orientation: 'vertical',
          split: 'full',
          regions: { full: [{ kind: 'file', fileId: red.id, seconds: 5 }] },
        },
      }),
    );
    dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }));
  });
  test.afterAll(async () => {
    await Promise.allSettled([kiosk?.close(), phone?.close()]);
    await server.end();
  });

  /** The time by the clock of the device in so many hours. */
  const clock = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16);

  async function openHours(): Promise<ReturnType<Page['getByRole']>> {
    await operator.getByRole('button', { name: 'Actions' }).click();
    // While the device is dark, its verdict offers them, too.
    await operator.getByRole('dialog', { name: 'Actions' }).getByRole('button', { name: 'Working hours' }).click();
    return operator.getByRole('dialog', { name: 'Working hours' });
  }

  test('goes dark when an operator sets hours, says until when, and returns without them', async () => {
    await expect.poll(() => state(screen)).toBe('playing');
    await operator.goto(`/mac/${device.id}`);
    const sheet = await openHours();
    await sheet.getByText('Set hours', { exact: true }).click();
    const monday = sheet.getByRole('group', { name: 'Monday' });
    await sheet.getByRole('button', { name: 'Monday' }).click();
    await monday.getByLabel('From').fill(clock(2));
    await monday.getByLabel('To', { exact: true }).fill(clock(3));
    await monday.getByRole('button', { name: 'Copy to all days' }).click();
    expect((await axeOn(operator).include('dialog').analyze()).violations).toEqual([]);
    const begin = await monday.getByLabel('From').inputValue();
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => state(screen)).toBe('dark');
    await expect(screen.locator('#stage video, #stage img')).toHaveCount(0);
    await expect(operator.getByTestId('verdict')).toContainText(new RegExp(`Dark until .*${begin}`));
    await operator.goto('/mac');
    const row = operator.getByTestId('device');
    await expect(row.getByTestId('on-screen')).toContainText(new RegExp(`Dark until .*${begin}`));

    await row.getByRole('link').first().click();
    const again = await openHours();
    await again.getByText('Default hours', { exact: true }).click();
    await again.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => state(screen)).toBe('playing');
  });

  test('has the default hours of its owner, and the levels that are set on its page', async () => {
    await operator.goto('/settings');
    const card = operator.locator('section').filter({ hasText: 'Default working hours' });
    await card.getByRole('button', { name: 'Edit' }).click();
    const sheet = operator.getByRole('dialog', { name: 'Default working hours' });
    await sheet.getByText('Set hours', { exact: true }).click();
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(operator.getByText('Mon–Sun 08:00–20:00')).toBeVisible();
    await operator.goto(`/mac/${device.id}`);
    await expect(operator.getByText('Mon–Sun 08:00–20:00 (default)')).toBeVisible();

    await operator.getByRole('button', { name: 'Actions' }).click();
    await operator.getByRole('button', { name: 'Volume and brightness' }).click();
    const levels = operator.getByRole('dialog', { name: 'Volume and brightness' });
    await levels.getByRole('switch', { name: 'Brightness' }).click();
    await levels.getByRole('slider', { name: 'Brightness' }).fill('40');
    expect((await axeOn(operator).include('dialog').analyze()).violations).toEqual([]);
    await levels.getByRole('button', { name: 'Save' }).click();
    await expect(operator.getByText('40%', { exact: true })).toBeVisible();
    await expect.poll(() => shade(screen)).toBeCloseTo(0.54);
  });
});

const shade = (page: Page): Promise<number> =>
  page.evaluate(() => Number(document.querySelector<HTMLElement>('#shade')?.style.opacity));

test.describe('a device without a network', () => {
  const stand = new Stand();
  test.beforeAll(() => stand.start());
  test.afterAll(() => stand.end());

  /** Lets the clock of the server begin at an instant. */
  const setClock = (text: string) => {
    const ahead = Date.parse(text) - Date.now();
    stand.server.now = () => Date.now() + ahead;
  };

  test('goes dark at the end of its hours by itself, turns the display off and plays nothing until they begin', async () => {
    const day = [{ from: '08:00', to: '20:00' }];
    stand.server.settings = {
      workingHours: { weekly: { 1: day, 2: day }, exceptions: [] },
      volume: 30,
      brightness: 40,
    };
    stand.release(programme({ full: [item(stand.video('red', 2))] }));
    const { page } = await stand.device('hours');
    await page.addInitScript(() => {
      const calls: unknown[] = [];
      Object.assign(window, { hostCalls: calls, AMSHost: { setPower: (on: boolean) => calls.push(on) } });
    });
    const calls = () => page.evaluate((): unknown => Reflect.get(window, 'hostCalls'));
    // Monday, 19:59:25 in Berlin.
    setClock('2026-11-23T18:59:25Z');
    await page.goto(stand.address());
    await expect.poll(() => state(page)).toBe('playing');
    expect(
      await page
        .locator('#stage video')
        .first()
        .evaluate((video: HTMLVideoElement) => video.volume),
    ).toBeCloseTo(0.3);
    expect(await shade(page)).toBeCloseTo(0.54);
    await stand.stop();
    await expect.poll(() => state(page), { timeout: 60_000 }).toBe('dark');
    await expect(page.locator('#stage video')).toHaveCount(0);
    expect(await calls()).toEqual([true, false]);

    await stand.back();
    // Tuesday, 7:59:40.
    setClock('2026-11-24T06:59:40Z');
    await page.reload();
    await expect.poll(() => state(page)).toBe('dark');
    await expect.poll(() => state(page), { timeout: 60_000 }).toBe('playing');
    expect(await calls()).toEqual([false, true]);
    const dark = (at: string) => at > '2026-11-23T19:00:00' && at < '2026-11-24T07:00:00';
    const plays = [...stand.server.batches.values()].flat();
    expect(plays.filter((play) => dark(String(Reflect.get(Object(play), 'at'))))).toEqual([]);
  });
});
