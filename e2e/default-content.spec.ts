import type { BrowserContext, Page } from '@playwright/test';
import type { Device, PlayMode } from '@ams/contract';
import { axeOn } from './axe.ts';
import { pairKiosk } from './kiosk.ts';
import { colourAt } from './media.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { expect, test } from './stories.ts';

/** Default content on a real player, judged by what is on its glass. */
const server = new RealServer({ port: 4923 });
let kiosk: BrowserContext;
let player: Page;
let phone: BrowserContext;
let device: Device;
let spot: string;

async function makeAd(name: string, colour: string, playMode: PlayMode = 'sequence'): Promise<string> {
  const source = `color=${colour}:size=360x640`;
  const { id: fileId } = await server.addFile(`${name}.png`, source, { orientation: 'vertical', kind: 1 });
  const regions = { full: [{ kind: 'file' as const, fileId, seconds: 5 }] };
  const look = { orientation: 'vertical', split: 'full', fit: 'cover', playMode } as const;
  return dataOf(await server.calls.ads.create({ body: { name, ...look, regions } })).id;
}

test.beforeAll(async ({ browser }) => {
  await server.start();
  await server.login();
  await makeAd('Logo', 'red');
  spot = await makeAd('Spot', 'blue');
  ({ kiosk, screen: player, device } = await pairKiosk(server, '02-00-5e-48-99-01'));
  phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
});

test.describe.configure({ mode: 'serial' });

test.afterAll(async () => {
  await Promise.allSettled([phone?.close(), kiosk?.close()]);
  await server.end();
});

/** Waits until a person sees the colour. */
const untilGlass = (colour: 'red' | 'blue') =>
  expect.poll(() => colourAt(player, 0.5, 0.5), { timeout: 60_000 }).toBe(colour);

const release = async (ad: string): Promise<string> =>
  dataOf(await server.calls.ads.release({ params: { id: ad }, body: { devices: { ids: [device.id] } } })).id;

test('an ad named in the settings plays while nothing else is released', async () => {
  const page = await phone.newPage();
  await page.goto('/settings');
  const upright = page.getByRole('group', { name: 'Vertical' });
  await expect(upright).toContainText('None');
  await upright.getByRole('button', { name: 'Choose an ad' }).click();
  const sheet = page.getByRole('dialog', { name: 'Choose an ad' });
  await expect(sheet.getByRole('button', { name: /Logo/ })).toBeVisible();
  expect((await axeOn(page).include('dialog').analyze()).violations).toEqual([]);
  await sheet.getByRole('button', { name: /Logo/ }).click();
  await expect(upright.getByRole('link', { name: 'Logo' })).toBeVisible();
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  await untilGlass('red');

  const id = await release(spot);
  await untilGlass('blue');
  await page.goto(`/mac/${device.id}`);
  await page.getByRole('button', { name: 'Why is this on screen?' }).click();
  await expect(page.getByText('“Spot” is released: default content waits.')).toBeVisible();
  dataOf(await server.calls.releases.withdraw({ params: { id } }));
  await untilGlass('red');
  await expect(page.getByText('Default content of admin: plays while nothing else does.')).toBeVisible();
  await page.close();
});

test('without a network, a release that plays once gives the screen back to it', async () => {
  await release(await makeAd('Once', 'blue', 'once'));
  await untilGlass('blue');
  await kiosk.setOffline(true);
  await untilGlass('red');
  await kiosk.setOffline(false);
});

test('removed, it leaves the screen, and comes back when that is undone', async () => {
  const page = await phone.newPage();
  await page.goto('/settings');
  const upright = page.getByRole('group', { name: 'Vertical' });
  await upright.getByRole('button', { name: 'Remove' }).click();
  await expect(upright).toContainText('None');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(upright.getByRole('link', { name: 'Logo' })).toBeVisible();
  await untilGlass('red');
  await page.close();
});
