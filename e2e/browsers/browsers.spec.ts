import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { makeClip, makePicture } from '../media.ts';
import { PASSWORD, RealServer } from '../server.ts';
import { firefox } from './firefox.ts';
import { Person } from './person.ts';
import type { Tab } from './tab.ts';
import { webkit } from './webkit.ts';

/** The main job with other browsers: an operator at a desk, and a device. */
const server = new RealServer({ port: 4880 });
const H264 = 'video/mp4; codecs="avc1.42E01E"';
const CLIP = path.join(server.folder, 'Autumn sale.mp4');
const PICTURE = path.join(server.folder, 'Poster.jpg');

test.beforeAll(async () => {
  makeClip(CLIP, 2, '540x960');
  makePicture(PICTURE, 'blue', '540x960');
  await server.start();
  await server.login();
});
test.afterAll(() => server.end());

async function upload(operator: Person, file: string, tab: string): Promise<void> {
  await operator.tab.goto(`${server.origin}/file`);
  await operator.clicks({ selector: 'main a[href]', text: 'admin' });
  await operator.isAt(/^\/matlist\//);
  // The address changes before the page, and links of the page before name the same kinds.
  await operator.sees({ selector: 'h1', text: 'My files' });
  await operator.clicks({ link: tab });
  await operator.sees({ selector: 'a[aria-current=page]', text: tab });
  await operator.clicks({ link: 'Upload' });
  await operator.isAt(/^\/upload\//);
  await expect.poll(() => operator.read('[data-testid=album]', 'type')).toBe('file');
  await operator.tab.choose('[data-testid=album]', file);
  await operator.sees({ selector: '[data-testid=upload][data-state=done]' });
}

/** Makes an ad of a video and a picture and releases it to the one device. */
async function release(operator: Person): Promise<void> {
  await operator.tab.goto(`${server.origin}/ad`);
  await operator.clicks({ selector: 'main a[href]', text: 'admin' });
  await operator.clicks({ link: 'New ad' });
  await operator.clicks({ selector: 'button[data-region=full]' });
  await operator.clicks({ selector: '[data-testid=file-choice]', text: 'Autumn sale' });
  await operator.clicks({ button: 'Pictures' });
  await operator.clicks({ selector: '[data-testid=file-choice]', text: 'Poster' });
  await operator.clicks({ button: 'Done' });
  await operator.clicks({ button: 'Next: devices' });
  await operator.clicks({ button: 'Release to 1 device' });
  await operator.isAt(/^\/releases\//);
}

for (const browser of [firefox, webkit]) {
  test(`the main job with ${browser.name}`, async () => {
    test.skip(!browser.isInstalled, `${browser.name} is not installed`);
    test.setTimeout(300_000);
    const tabs: Tab[] = [];
    const open = async (width: number, height: number): Promise<Person> => {
      const tab = await browser.open({ width, height });
      tabs.push(tab);
      return new Person(tab);
    };
    try {
      const operator = await open(1280, 800);
      await operator.tab.goto(`${server.origin}/login`);
      await operator.types('Username', 'admin');
      await operator.types('Password', PASSWORD);
      await operator.clicks({ button: 'Log in' });
      await operator.isAt(/^\/$/);
      await upload(operator, CLIP, 'Video');
      await upload(operator, PICTURE, 'Full picture');

      const device = await open(540, 960);
      await device.tab.goto(`${server.origin}/player/`);
      const address = () => device.read('[data-qr]', 'data-qr');
      await expect.poll(address, { timeout: 60_000 }).toContain('/scancode?mac=');
      await operator.tab.goto((await address()) ?? '');
      await operator.types('Name', browser.name);
      await operator.clicks({ button: 'Pair' });
      await operator.isAt(/^\/mac\//);
      await operator.sees({ selector: '[data-testid=online][data-state=online]' });

      await release(operator);
      await device.sees({ selector: 'html[data-state=playing]' });
      // Both files come to the screen, one after the other; a video that cannot be decoded is passed over.
      const decodes = await device.tab.evaluate(`document.createElement('video').canPlayType('${H264}')`);
      const files = decodes === '' ? 1 : 2;
      const shown = new Set<string | null>();
      await expect
        .poll(async () => shown.add(await device.read('.layer:last-child .shown', 'data-sha256')).size, {
          timeout: 60_000,
        })
        .toBeGreaterThanOrEqual(files);
      const outcome = browser.stores ? 'count-done' : 'count-failed';
      await operator.sees({ selector: `[data-testid=${outcome}]`, text: '1' });
      const plays = async () => Number((await server.row('select coalesce(sum(plays), 0) as n from play_days'))?.['n']);
      await expect.poll(plays, { timeout: 60_000 }).toBeGreaterThan(0);
      expect(tabs.flatMap((tab) => tab.violations())).toEqual([]);
    } catch (error) {
      for (const [index, tab] of tabs.entries()) {
        const picture = await tab.picture().catch(() => undefined);
        if (picture) writeFileSync(test.info().outputPath(`tab-${index}.png`), picture);
      }
      throw error;
    } finally {
      await Promise.allSettled(tabs.map((tab) => tab.close()));
      await server.calls.devices.list({}).then(async (listed) => {
        const items = listed.error === undefined ? listed.data.items : [];
        for (const { id } of items) await server.calls.devices.delete({ params: { id } });
      });
    }
  });
}
