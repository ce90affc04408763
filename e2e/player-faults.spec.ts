import { Play } from '@ams/contract';
import { type Page, expect, test } from './stories.ts';
import { Stand, item, programme, shown, state } from './device.ts';

const stand = new Stand();

test.beforeAll(() => stand.start());
test.afterEach(() => stand.turnOff());
test.afterAll(() => stand.end());
test.beforeEach(() => {
  stand.server.slowBytes = Infinity;
});

const reasons = () => stand.server.statuses.map(({ download }) => download.reason);
const lastStatus = () => stand.server.statuses.at(-1);

/** How many plays wait on the device. */
const storedPlays = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('ams-player');
        opening.addEventListener('success', () => {
          const database = opening.result;
          const counting = database.transaction('plays').objectStore('plays').count();
          counting.addEventListener('error', () => reject(new Error(String(counting.error))));
          counting.addEventListener('success', () => {
            database.close();
            resolve(counting.result);
          });
        });
      }),
  );

/** Waits until a file is on screen. */
const expectShown = (page: Page, { sha256 }: { sha256: string }) =>
  expect.poll(() => shown(page).catch(() => null), { intervals: [50], timeout: 40_000 }).toBe(sha256);

test('a device killed during a download resumes from the bytes on its disk', async () => {
  const file = stand.large(1);
  stand.release(programme({ full: [item(file)] }));
  stand.server.slowBytes = 400_000;
  const browser = stand.fragile('fragile');
  const starts = () => file.ranges.map((range) => Number(/\d+/.exec(range)?.[0] ?? 0));
  for (let kill = 0; kill < 3; kill++) {
    const asked = file.ranges.length;
    const page = await browser.start(stand.address());
    await expect.poll(() => file.ranges.length).toBeGreaterThan(asked);
    await page.waitForTimeout(200 + Math.random() * 1000);
    await browser.kill();
  }
  stand.server.slowBytes = Infinity;
  const page = await browser.start(stand.address());
  await expectShown(page, file);
  await browser.kill();
  expect(starts().at(-1)).toBeGreaterThan(0);
  expect(starts()).toEqual(starts().toSorted((a, b) => a - b));
});

test('damaged bytes are deleted, reported, and fetched again', async () => {
  const { page } = await stand.device('corrupt');
  const file = stand.image('red');
  // Each retry waits longer: the last failure is visible for more than a second, the interval of reports.
  file.faults = [{ kind: 'corrupt' }, { kind: 'corrupt' }, { kind: 'corrupt' }];
  stand.release(programme({ full: [item(file)] }));
  await page.goto(stand.address());
  await expectShown(page, file);
  expect(reasons()).toContain('checksum');
  expect(file.ranges.length).toBeGreaterThan(1);
});

test('an expired address is replaced, and the download resumes where it was', async () => {
  const { page } = await stand.device('addresses');
  const file = stand.large(3);
  const cut = Promise.withResolvers<void>();
  file.faults = [{ kind: 'cutAfter', bytes: 500_000, until: cut.promise }];
  stand.release(programme({ full: [item(file)] }));
  await page.goto(stand.address());
  await expect.poll(() => lastStatus()?.download.doneBytes).toBe(500_000);
  stand.server.signature += 1;
  cut.resolve();
  await expectShown(page, file);
  expect(file.ranges.at(-1)).toBe('bytes=500000-');
});

test('reports a full disk while the old programme plays, and switches to the new one once there is space', async () => {
  const { context, page } = await stand.device('full');
  const [old, file] = [stand.image('lime'), stand.large(5)];
  stand.release(programme({ full: [item(old)] }));
  await page.goto(stand.address());
  await expectShown(page, old);
  const session = await context.newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: stand.origin, quotaSize: 2 ** 20 });
  stand.release(programme({ full: [item(file)] }));
  await page.reload();
  await expect.poll(() => lastStatus()?.download).toMatchObject({ state: 'failed', reason: 'diskFull' });
  await expectShown(page, old);
  await session.send('Storage.overrideQuotaForOrigin', { origin: stand.origin });
  // Any sign of life ends the wait for the next try.
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expectShown(page, file);
  await expect.poll(() => lastStatus()?.download).toMatchObject({ state: 'done', reason: null });
});

test('a device plays although its browser does not know the time zone of the system', async () => {
  const zone = process.env.TZ;
  // Chromium calls it `Etc/Unknown`, and refuses that name.
  process.env.TZ = 'XYZ3';
  const { page } = await stand.device('zoneless').finally(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const file = stand.image('teal');
  stand.release(programme({ full: [item(file)] }));
  await page.goto(stand.address());
  await expectShown(page, file);
});

test('a file that is damaged on the disk is found, reported and fetched again', async () => {
  const { page } = await stand.device('damaged');
  const [file, other] = [stand.image('blue'), stand.image('cyan')];
  stand.release(programme({ full: [item(file), item(other)] }));
  await page.goto(stand.address());
  await expectShown(page, file);
  const asked = file.ranges.length;
  await page.evaluate(async (sha256) => {
    const media = await (await navigator.storage.getDirectory()).getDirectoryHandle('media');
    const handle = await media.getFileHandle(sha256);
    const { size } = await handle.getFile();
    const writable = await handle.createWritable();
    await writable.write(new Uint8Array(size));
    await writable.close();
  }, file.sha256);
  await expect.poll(() => file.ranges.length).toBeGreaterThan(asked);
  expect(reasons()).toContain('checksum');
  await expectShown(page, file);
});

test('when the browser clears its storage, the device keeps its identity and fetches everything again', async () => {
  const { context, page } = await stand.device('cleared');
  const file = stand.image('yellow');
  stand.release(programme({ full: [item(file)] }));
  // The device has made its MAC itself, so nobody could give it back.
  await page.goto(`${stand.origin}/player/`);
  await expectShown(page, file);
  const asked = file.ranges.length;
  const identity = () =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open('ams-player');
          opening.addEventListener('success', () => {
            const found = opening.result.transaction('state').objectStore('state').get('identity');
            found.addEventListener('success', () => {
              opening.result.close();
              resolve(JSON.stringify(found.result));
            });
          });
        }),
    );
  const before = await identity();
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: stand.origin, storageTypes: 'all' });
  await expect.poll(() => file.ranges.length, { timeout: 30_000 }).toBeGreaterThan(asked);
  await expectShown(page, file);
  expect(await identity()).toBe(before);
  await page.reload();
  await expectShown(page, file);
  expect(await identity()).toBe(before);
});

test('files that the browser clears some time after the database are fetched again, too', async () => {
  const { context, page } = await stand.device('cleared-later');
  const file = stand.image('orange');
  stand.release(programme({ full: [item(file)] }));
  await page.goto(stand.address());
  await expectShown(page, file);
  const [asked, calls] = [file.ranges.length, stand.server.manifestCalls];
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: stand.origin, storageTypes: 'indexeddb' });
  await expect.poll(() => stand.server.manifestCalls).toBeGreaterThan(calls);
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry('media', { recursive: true }));
  await expect.poll(() => file.ranges.length).toBeGreaterThan(asked);
  await expectShown(page, file);
});

test('if the browser refuses storage, the device shows it, streams, and reports it to the server', async () => {
  const { page } = await stand.device('refused');
  const file = stand.image('magenta');
  stand.release(programme({ full: [item(file)] }));
  await page.addInitScript(() => {
    navigator.storage.getDirectory = () => Promise.reject(new DOMException('no', 'SecurityError'));
  });
  await page.goto(stand.address());
  await expectShown(page, file);
  await expect(page.locator('#hint')).toContainText('This browser blocks storage');
  await expect.poll(() => lastStatus()?.download).toMatchObject({ state: 'failed', reason: 'storage' });
});

test('a storage that opens and then fails is refused, too: the device streams instead of starting again and again', async () => {
  const { page } = await stand.device('broken');
  const file = stand.image('pink');
  stand.release(programme({ full: [item(file)] }));
  await page.addInitScript(() => {
    FileSystemDirectoryHandle.prototype.getDirectoryHandle = () =>
      Promise.reject(new DOMException('broken', 'InvalidStateError'));
  });
  await page.goto(stand.address());
  await expectShown(page, file);
  await expect.poll(() => lastStatus()?.download).toMatchObject({ state: 'failed', reason: 'storage' });
});

test('a frozen video is skipped after ten seconds, and the rest keeps playing', async () => {
  const { page } = await stand.device('stalled');
  const [video, image] = [stand.video('lime', 2), stand.image('red')];
  stand.release(programme({ full: [item(video, 2000), item(image, 5000)] }));
  await page.goto(stand.address());
  await expectShown(page, video);
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('video')) element.playbackRate = 0;
  });
  await expectShown(page, image);
  await expect.poll(() => reasons()).toContain('cannotPlay');
  await expectShown(page, video);
});

test('a video that is damaged in its middle is left where it breaks, and the rest plays on', async () => {
  const { page } = await stand.device('breaks');
  const { body } = stand.video('blue', 4);
  const noise = Buffer.from(body);
  const media = noise.indexOf('mdat') + 4;
  noise.fill(0xff, media + Math.floor((noise.length - media) / 2));
  const [broken, image] = [stand.server.addFile(noise), stand.image('cyan')];
  stand.release(programme({ full: [item(broken, 4000), item(image, 5000)] }));
  await page.goto(stand.address());
  await expectShown(page, broken);
  await expectShown(page, image);
  await expect.poll(() => reasons()).toContain('cannotPlay');
});

test('plays of a device that started without a network and with a wrong clock are reported at the right time, also after a reload', async () => {
  const { context, page } = await stand.device('wrong-clock');
  stand.release(programme({ full: [item(stand.image('red'))] }));
  await page.goto(stand.address());
  const reported = () => [...stand.server.batches.values()].flat().map((play) => Play.parse(play));
  await expect.poll(() => reported().length, { timeout: 40_000 }).toBeGreaterThan(0);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await stand.stop();
  await page.close();
  const startedAt = Date.now();
  const again = await context.newPage();
  await again.addInitScript((aheadMs) => {
    const right = Date.now;
    Date.now = () => right() + aheadMs;
  }, 300 * 86_400_000);
  await again.goto(stand.address());
  await expect.poll(() => storedPlays(again)).toBeGreaterThan(5);
  await again.reload();
  await expect.poll(() => storedPlays(again)).toBeGreaterThan(10);
  await stand.back();
  const seen = reported().length;
  await expect.poll(() => reported().length, { timeout: 60_000 }).toBeGreaterThan(seen + 10);
  const times = reported()
    .slice(seen)
    .map(({ at }) => Date.parse(at));
  expect(times.filter((at) => at < startedAt - 60_000 || at > Date.now())).toEqual([]);
});

test('a frozen page reloads itself', async () => {
  const { page } = await stand.device('frozen');
  const [first, second] = [stand.image('yellow'), stand.image('magenta')];
  stand.release(programme({ full: [item(first, 2000), item(second, 2000)] }));
  await page.clock.install();
  await page.goto(stand.address());
  await page.clock.resume();
  await expectShown(page, first);
  // The event that would start the next one never occurs.
  await page.evaluate(() => {
    Object.assign(window, { setTimeout: () => 0 });
  });
  const anew = page.waitForEvent('load');
  await page.clock.fastForward(120_000);
  await anew;
  await expectShown(page, second);
  await expectShown(page, first);
});

test('a window that crashed is no longer reported as playing', async () => {
  const { context, page } = await stand.device('crash');
  stand.server.secondary = [programme({ full: [item(stand.image('lime'))] })];
  stand.release(programme({ full: [item(stand.image('red'))] }));
  await page.goto(stand.address());
  const other = await context.newPage();
  await other.goto(`${stand.origin}/player/?screen=secondary`);
  await expect.poll(() => lastStatus()?.playing?.secondary, { timeout: 40_000 }).toBeTruthy();
  await expect.poll(() => lastStatus()?.playing?.main, { timeout: 40_000 }).toBeTruthy();
  const crashed = page.waitForEvent('crash');
  const session = await context.newCDPSession(page);
  session.send('Page.crash').catch(() => undefined);
  await crashed;
  await expect.poll(() => lastStatus()?.playing?.main, { timeout: 40_000 }).toBeNull();
  expect(lastStatus()?.playing?.secondary).toBeTruthy();
  stand.server.secondary = [];
});

test('the player opens its second screen on a second monitor automatically', async () => {
  const { context, page } = await stand.device('monitors', undefined, [
    '--screen-info={960x540}{960,0 960x540}',
    '--disable-popup-blocking',
  ]);
  const [here, there] = [stand.image('red'), stand.image('blue')];
  stand.server.secondary = [programme({ full: [item(there)] })];
  stand.release(programme({ full: [item(here)] }));
  const session = await context.newCDPSession(page);
  await session.send('Browser.grantPermissions', { origin: stand.origin, permissions: ['windowManagement'] });
  const opened = context.waitForEvent('page');
  await page.goto(stand.address());
  const other = await opened;
  await expectShown(page, here);
  await expectShown(other, there);
  expect(await other.evaluate(() => window.screenX)).toBeGreaterThanOrEqual(960);
  stand.server.secondary = [];
});

test('a device without a network plays for days, follows its schedule, and goes dark when its licence ends', async () => {
  const { page } = await stand.device('offline');
  const [always, lunch] = [stand.image('red'), stand.image('lime')];
  const begin = Date.parse('2026-11-21T10:59:30+01:00');
  stand.server.now = () => begin;
  stand.server.expiresAt = '2026-11-23';
  stand.release(
    programme({ full: [item(always, 5000)] }),
    programme({ full: [item(lunch, 5000)] }, { schedule: { hours: [{ from: '11:00', to: '12:00' }] } }),
  );
  // The device's own clock is a year behind: the server's counts.
  await page.clock.install({ time: begin - 365 * 86_400_000 });
  await page.goto(stand.address());
  await page.clock.runFor(5000);
  await expectShown(page, always);
  await stand.stop();
  // Hours pass at once: to the watchdog of a visible page, its stage would have been frozen for as long.
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
    }, hidden);
  const goTo = async (time: string) => {
    await hide(true);
    const now = await page.evaluate(() => Date.now());
    await page.clock.fastForward(Date.parse(time) - 365 * 86_400_000 - now);
    await page.clock.runFor(6000);
    await hide(false);
  };
  await goTo('2026-11-21T11:00:05+01:00');
  await expectShown(page, lunch);
  await goTo('2026-11-21T12:00:05+01:00');
  await expectShown(page, always);
  await goTo('2026-11-23T11:30:00+01:00');
  await expectShown(page, lunch);
  await goTo('2026-11-23T23:59:30+01:00');
  await expectShown(page, always);
  await goTo('2026-11-24T00:00:05+01:00');
  await expect.poll(() => state(page)).toBe('expired');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This screen has expired');
  await stand.back();
});
