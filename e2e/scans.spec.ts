import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Ad, Device } from '@ams/contract';
import { type BrowserContext, expect, type Locator, type Page, test } from './stories.ts';
import { pairKiosk } from './kiosk.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** A QR code over an ad: set in the editor, read off the glass of a true device, and counted. */
test.describe.configure({ mode: 'serial' });

const server = new RealServer({ port: 5010 });
const TARGET = 'https://example.com/autumn-offer?from=screen';
/** A person's browser; a controlled one is a robot. */
const PASSER_BY =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';
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
  ({ kiosk, screen, device } = await pairKiosk(server, '02-00-5e-50-10-01'));
});
test.afterAll(async () => {
  await Promise.allSettled([kiosk?.close(), phone?.close()]);
  await server.end();
});

/** What a reader of codes sees on a picture. */
function readPicture(picture: Buffer): string {
  const file = path.join(server.folder, 'glass.picture');
  writeFileSync(file, picture);
  try {
    return execFileSync('zbarimg', ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', file], {
      encoding: 'utf8',
    }).trim();
  } catch {
    return '';
  }
}

/** What it sees on the screen. */
const readGlass = async (): Promise<string> => readPicture(await screen.screenshot());

/** What it sees on the screenshot that the device sends. */
async function readScreenshot(): Promise<string> {
  dataOf(await server.calls.devices.requestScreenshot({ params: { id: device.id } }));
  const address = `/api/devices/${device.id}/screenshot?screen=main`;
  const reply = await phone.request.get(address, { headers: { authorization: `Bearer ${server.token}` } });
  return reply.ok() ? readPicture(await reply.body()) : '';
}

/**
 * Size of what lies over an ad and its distance from the nearest edges of the glass, in hundredths of the shorter edge;
 * `frame` surrounds the glass, in pixels.
 */
async function placeOn(glass: Locator, frame: number, over: Locator) {
  const [outer, box] = [await glass.boundingBox(), await over.boundingBox()];
  if (!outer || !box) throw new Error('both are on the screen');
  const [x, y] = [box.x - outer.x - frame, box.y - outer.y - frame];
  const [width, height] = [outer.width - 2 * frame, outer.height - 2 * frame];
  const inUnits = (pixels: number) => (pixels * 100) / Math.min(width, height);
  return {
    fromSide: inUnits(Math.min(x, width - x - box.width)),
    fromEnd: inUnits(Math.min(y, height - y - box.height)),
    height: inUnits(box.height),
  };
}

/** Compares what the preview shows over an ad with the glass of the device. */
async function expectFaithfulPreview(ad: Ad): Promise<void> {
  await operator.goto(`/release/${ad.owner.id}/1/3?ad=${ad.id}`);
  const stage = operator.getByTestId('stage').first();
  for (const [onStage, onGlass] of [
    ['stage-clock', '#clock'],
    ['stage-code', '#code'],
  ] as const) {
    const wanted = await placeOn(screen.locator('body'), 0, screen.locator(onGlass));
    const shown = await placeOn(stage, 3, stage.getByTestId(onStage));
    for (const what of ['fromSide', 'fromEnd', 'height'] as const) {
      expect(shown[what], `${what} of ${onGlass}`).toBeCloseTo(wanted[what], 0);
    }
  }
}

const picture = (name: string, size: string, kind: 1 | 4) =>
  server.addFile(name, `testsrc2=size=${size}`, { orientation: 'vertical', kind });

test('an operator puts a code on an ad, sees it in the preview, and releases it', async () => {
  const image = await picture('busy.png', '360x640', 1);
  const ad = dataOf(
    await server.calls.ads.create({
      body: {
        name: 'Autumn',
        orientation: 'vertical',
        split: 'full',
        regions: { full: [{ kind: 'file', fileId: image.id, seconds: 5 }] },
      },
    }),
  );
  await operator.goto(`/release/${ad.owner.id}/1/1?ad=${ad.id}`);
  await operator.getByRole('switch', { name: 'QR code' }).click();
  const address = operator.getByLabel('Address that it leads to');
  await address.fill('http://192.168.0.1/admin');
  await expect(operator.getByText('Enter a public web address, such as https://example.com')).toBeVisible();
  await address.fill(TARGET);
  await operator.getByText('Top left').click();
  await expect(operator.getByTestId('stage-code').first()).toBeVisible();
  await operator.getByRole('button', { name: /^Save/ }).click();
  await expect
    .poll(async () => dataOf(await server.calls.ads.get({ params: { id: ad.id } })).qr)
    .toEqual({ url: TARGET, corner: 'topLeft', size: 'medium' });
  dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }));
});

test('the code on the glass can be read and counts, over a full picture', async () => {
  await expect.poll(readGlass, { timeout: 60_000 }).toMatch(new RegExp(`^${server.origin}/q/[\\w-]{16}$`));
  const link = await readGlass();
  await expect.poll(readScreenshot, { timeout: 60_000 }).toBe(link);
  const visitor = await phone.request.get(link, { maxRedirects: 0, headers: { 'user-agent': PASSER_BY } });
  expect([visitor.status(), visitor.headers()['location']]).toEqual([302, TARGET]);
  const [release] = dataOf(await server.calls.releases.list({ query: { device: device.id } })).items;
  await operator.goto(`/releases/${release?.id ?? ''}`);
  const card = operator.locator('section').filter({ has: operator.getByRole('heading', { name: 'QR code scans' }) });
  await expect(card.locator('.numbers').first()).toHaveText('1');
  await expect(operator.getByText('Nothing is stored about the people who scan', { exact: false })).toBeVisible();
  await operator.goto('/reports');
  await expect(operator.getByTestId('scans')).toHaveText('1');
  await expect(operator.getByText('QR code scans: 1')).toBeVisible();
});

for (const corner of ['topRight', 'bottomLeft', 'bottomRight'] as const) {
  test(`a small code is readable over three regions, ${corner}, without a network`, async () => {
    const [top, middle, foot] = [
      await server.addFile('top.png', 'testsrc2=size=640x320', { orientation: 'vertical', kind: 3 }),
      await server.addFile('middle.mp4', 'testsrc=size=640x560:rate=10:duration=5', {
        orientation: 'vertical',
        kind: 2,
      }),
      await server.addFile('foot.png', 'smptebars=size=640x320', { orientation: 'vertical', kind: 4 }),
    ];
    const item = (fileId: string) => [{ kind: 'file' as const, fileId }];
    const ad = dataOf(
      await server.calls.ads.create({
        body: {
          name: corner,
          orientation: 'vertical',
          split: 'three',
          showClock: true,
          qr: { url: `https://example.com/${corner}`, corner, size: 'small' },
          regions: { top: item(top.id), middle: item(middle.id), bottom: item(foot.id) },
        },
      }),
    );
    const before = await readGlass();
    dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }));
    await expect
      .poll(async () => ((await readGlass()) === before ? '' : readGlass()), { timeout: 60_000 })
      .toMatch(/\/q\/[\w-]{16}$/);
    const link = await readGlass();
    await expect.poll(readScreenshot, { timeout: 60_000 }).toBe(link);
    await kiosk.setOffline(true);
    await screen.reload();
    await expect.poll(readGlass, { timeout: 60_000 }).toBe(link);
    await kiosk.setOffline(false);
    const visitor = await phone.request.get(link, { maxRedirects: 0 });
    expect(visitor.headers()['location']).toBe(`https://example.com/${corner}`);
    await expectFaithfulPreview(ad);
  });
}
