import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AdBody, Device, MediaFile, Release } from '@ams/contract';
import { type BrowserContext, type Page, expect, test } from './stories.ts';
import { launchKiosk } from './kiosk.ts';
import { RealServer, dataOf } from './server.ts';

const PLAYER = path.resolve(import.meta.dirname, '../player');
const FULL_VIDEO = { orientation: 'horizontal', kind: 2 } as const;
const FULL_IMAGE = { orientation: 'horizontal', kind: 1 } as const;

const server = new RealServer({ port: 4230, ownPostgres: true });
let context: BrowserContext;
let page: Page;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  if (!existsSync(path.join(PLAYER, 'dist/sw.js'))) execFileSync('npx', ['vite', 'build'], { cwd: PLAYER });
  await server.start();
  await server.login();
  ({ context, page } = await launchKiosk(server.folder, { width: 960, height: 540 }));
});

test.afterAll(async () => {
  await context?.close();
  await server.end();
});

const open = (search = '') => page.goto(`${server.origin}/player/${search}`);
const state = () => page.locator('html').getAttribute('data-state');
const shown = (of = page) => of.locator('.layer:last-child .shown').first().getAttribute('data-sha256');
const device = async (id: string): Promise<Device> => dataOf(await server.calls.devices.get({ params: { id } }));

let paired: Device;
let red: MediaFile;
let green: MediaFile;
let still: MediaFile;

async function release(body: Omit<AdBody, 'orientation' | 'split' | 'name'>, over: object = {}): Promise<Release> {
  const ad = dataOf(
    await server.calls.ads.create({ body: { name: 'spring', orientation: 'horizontal', split: 'full', ...body } }),
  );
  const devices = { ids: [paired.id] };
  return dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices, ...over } }));
}

/** The middle of the screen as the person in front of it sees it: red, green, blue of 0 to 255. */
async function colour(): Promise<number[]> {
  const picture = await page.screenshot({ clip: { x: 470, y: 260, width: 20, height: 20 } });
  const raw = execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], {
    input: picture,
  });
  return [...raw.subarray(0, 3)];
}

test('a new device shows its address and a code, and is paired by it', async () => {
  await open('?mac=02-00-5e-10-00-01');
  await expect(page.getByTestId('code')).toHaveText(/^\d{6}$/);
  await expect(page.getByTestId('mac')).toHaveText('02:00:5E:10:00:01');
  const code = (await page.getByTestId('code').textContent()) ?? '';
  await expect(page.locator('[data-qr]')).toHaveAttribute('data-qr', new RegExp(`/scancode\\?mac=.*&code=${code}$`));
  paired = dataOf(await server.calls.devices.pair({ body: { mac: '02005e100001', code } }));
  await expect.poll(state).toBe('standby');
  await expect.poll(async () => (await device(paired.id)).online).toBe(true);
});

test('a device downloads, verifies, plays and reports a release in order', async () => {
  red = await server.addFile('red.mp4', 'color=red:size=320x180:rate=30:duration=1.5', FULL_VIDEO);
  green = await server.addFile('green.mp4', 'color=lime:size=320x180:rate=30:duration=1.5', FULL_VIDEO);
  await release({
    regions: {
      full: [
        { kind: 'file', fileId: red.id },
        { kind: 'file', fileId: green.id },
      ],
    },
  });
  await expect.poll(state).toBe('playing');
  for (const file of [red, green, red]) await expect.poll(() => shown(), { intervals: [50] }).toBe(file.sha256);
  await expect.poll(async () => (await colour())[0], { intervals: [100] }).toBeGreaterThan(200);
  await expect.poll(async () => (await colour())[1], { intervals: [100] }).toBeGreaterThan(200);
  await expect.poll(async () => (await device(paired.id)).download.state).toBe('done');
  await expect.poll(async () => (await device(paired.id)).playing?.main).toBeTruthy();
});

test('between one item and the next no frame is empty', async () => {
  await expect.poll(() => shown(), { intervals: [20] }).toBe(red.sha256);
  // Looks at the topmost picture of every frame for three seconds: it always has one that is decoded.
  const empty = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const end = performance.now() + 3000;
        let bad = 0;
        const look = () => {
          const top = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
          const painted = top instanceof HTMLVideoElement && top.readyState >= 2 && top.videoWidth > 0;
          if (!painted) bad += 1;
          if (performance.now() < end) requestAnimationFrame(look);
          else resolve(bad);
        };
        look();
      }),
  );
  expect(empty).toBe(0);
});

test('an added release plays in turn, and a replacing one takes the screen', async () => {
  still = await server.addFile('blue.png', 'color=blue:size=640x360', FULL_IMAGE);
  const added = await release(
    { regions: { full: [{ kind: 'file', fileId: still.id, seconds: 1 }] } },
    { replace: false },
  );
  for (const file of [still, red, green, still])
    await expect.poll(() => shown(), { intervals: [50] }).toBe(file.sha256);
  dataOf(await server.calls.releases.withdraw({ params: { id: added.id } }));
  const only = await release({ showClock: true, regions: { full: [{ kind: 'file', fileId: still.id, seconds: 1 }] } });
  await expect.poll(() => page.locator('#clock').isVisible()).toBe(true);
  await expect.poll(() => shown(), { intervals: [50] }).toBe(still.sha256);
  dataOf(await server.calls.releases.withdraw({ params: { id: only.id } }));
  await expect.poll(() => shown(), { intervals: [50] }).toBe(red.sha256);
});

test('without the server, a reloaded page plays, and reports the plays when the server is back', async () => {
  const playsToday = async () => dataOf(await server.calls.home.summary()).resources.playsToday;
  const before = await playsToday();
  await server.stop();
  await page.reload();
  await expect.poll(state).toBe('playing');
  for (const file of [red, green, red]) await expect.poll(() => shown(), { intervals: [50] }).toBe(file.sha256);
  await server.start();
  await expect.poll(playsToday, { timeout: 60_000 }).toBeGreaterThan(before + 2);
});

test('a second window plays the other screen', async () => {
  const other = await context.newPage();
  await other.goto(`${server.origin}/player/?screen=secondary`);
  await expect.poll(() => other.locator('html').getAttribute('data-state')).toBe('playing');
  await expect.poll(async () => (await device(paired.id)).playing?.secondary).toBeTruthy();
  await other.close();
});

test('a second window that opens while a release arrives shows that release', async () => {
  const other = await context.newPage();
  const signals = { read: 'the window has asked what plays', goOn: 'it may learn the answer' };
  const read = other.waitForEvent('console', (message) => message.text() === signals.read);
  // The answer is that of the moment of asking, and comes when the release has long been announced.
  await other.addInitScript(({ read: said, goOn }) => {
    const late = new WeakSet<EventTarget>();
    const { get } = IDBObjectStore.prototype;
    const { addEventListener } = EventTarget.prototype;
    IDBObjectStore.prototype.get = function (key) {
      const request = get.call(this, key);
      if (key === 'manifest') {
        late.add(request);
        IDBObjectStore.prototype.get = get;
      }
      return request;
    };
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      if (!late.has(this) || type !== 'success' || typeof listener !== 'function')
        return addEventListener.call(this, type, listener, options);
      const wait = (event: Event): void => {
        addEventListener.call(window, goOn, () => listener.call(this, event), { once: true });
        console.log(said);
      };
      return addEventListener.call(this, type, wait, options);
    };
  }, signals);
  await other.goto(`${server.origin}/player/?screen=secondary`);
  await read;
  const only = await release({ regions: { full: [{ kind: 'file', fileId: still.id, seconds: 1 }] } });
  await expect.poll(() => shown(), { intervals: [50] }).toBe(still.sha256);
  await other.evaluate((goOn) => window.dispatchEvent(new Event(goOn)), signals.goOn);
  await expect.poll(() => shown(other)).toBe(still.sha256);
  await other.close();
  dataOf(await server.calls.releases.withdraw({ params: { id: only.id } }));
});

test('an expired device shows whom to contact, and plays again when it is extended', async () => {
  const patch = (expiresAt: string) => server.calls.devices.update({ params: { id: paired.id }, body: { expiresAt } });
  dataOf(await patch('2020-01-01'));
  await expect.poll(state).toBe('expired');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This screen has expired');
  dataOf(await patch('2099-01-01'));
  await expect.poll(state).toBe('playing');
});

test('a device that is deleted shows its pairing page again', async () => {
  dataOf(await server.calls.devices.delete({ params: { id: paired.id } }));
  await expect.poll(state).toBe('pairing');
  await expect(page.getByTestId('code')).toHaveText(/^\d{6}$/);
});
