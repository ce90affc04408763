import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Ad, addDays, LANGUAGES, type MediaFile, localMac, localTime, makeClient, routes } from '@ams/contract';
import { read, utils } from '@e965/xlsx';
import { playsChart } from '../server/src/platform/http/plays-chart.ts';
import { sharedPage } from '../server/src/platform/http/shared-page.ts';
import { axeOn } from './axe.ts';
import { expect, test } from './stories.ts';
import { DESK, newPhone, signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** Proof of play, as an operator shows it to a customer. */
const server = new RealServer({ port: 4660 });
const ZONE = 'Asia/Shanghai';
/** 13:00 in the devices' time zone, `ago` days back, a few seconds apart. */
const momentOf = (ago: number, n: number): string =>
  new Date(Date.parse(`${addDays(today(), -ago)}T05:00:00Z`) + n * 10_000).toISOString();
const today = (): string => localTime(Date.now(), ZONE).date;

interface Place {
  id: string;
  play(releaseId: string, file: MediaFile, moments: string[]): Promise<void>;
}

async function addDevice(name: string): Promise<Place> {
  const secret = randomBytes(32).toString('base64url');
  const mac = localMac(randomBytes(6));
  const device = makeClient({ player: routes.player }, async ({ method, url, body }) => {
    const headers = { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' };
    const reply = await fetch(server.origin + url, { method, headers, body: JSON.stringify(body) });
    return reply.json();
  }).player;
  const enrolled = dataOf(await device.enrol({ body: { mac, screens: 1, timeZone: ZONE } }));
  if (enrolled.state !== 'pairing') throw new Error('a new device shows a code');
  const { id } = dataOf(await server.calls.devices.pair({ body: { mac, code: enrolled.code, name } }));
  return {
    id,
    play: async (releaseId, { sha256 }, moments) => {
      const plays = moments.map((at) => ({ releaseId, sha256, at, durationMs: 10_000 }));
      dataOf(await device.plays({ body: { batch: randomUUID(), plays } }));
    },
  };
}

/** An ad on these devices, as if it had been there for a year. */
async function addAd(name: string, file: MediaFile, places: Place[]): Promise<{ ad: Ad; release: string }> {
  const regions = { full: [{ kind: 'file' as const, fileId: file.id, seconds: 10 }] };
  const ad = dataOf(await server.calls.ads.create({ body: { name, orientation: 'vertical', split: 'full', regions } }));
  const devices = { ids: places.map(({ id }) => id) };
  const { id } = dataOf(await server.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
  await server.row(`update release_devices set started_at = now() - interval '1 year' where release_id = $1`, id);
  return { ad, release: id };
}

const times = (count: number) => Array.from({ length: count }, (_, n) => n);

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const file = await server.addFile('autumn.png', 'color=c=orange:s=540x960:d=1', { orientation: 'vertical', kind: 1 });
  const lobby = await addDevice('Lobby');
  const gate = await addDevice('Gate');
  const autumn = await addAd('Autumn sale', file, [lobby, gate]);
  const winter = await addAd('Winter coats', file, [gate]);
  for (const ago of times(10).slice(1)) {
    await lobby.play(
      autumn.release,
      file,
      times(20 + ago).map((n) => momentOf(ago, n)),
    );
    await gate.play(
      winter.release,
      file,
      times(5).map((n) => momentOf(ago, n)),
    );
  }
});
test.afterAll(() => server.end());

test("from the home page to an ad's plays, and their export as a spreadsheet", async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { timezoneId: 'America/New_York' });
  const page = await phone.newPage();
  await page.goto('/');
  await page.getByRole('link', { name: 'Play report' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Play report');
  // Days 1 to 6 ago: twenty and the day's number on one device, five on the other.
  await expect(page.getByTestId('plays')).toHaveText('171');
  await expect(page.getByText(`in the devices’ local time: \u2068${ZONE}`)).toBeVisible();
  await page.getByRole('button', { name: 'Last 30 days' }).click();
  await expect(page.getByTestId('plays')).toHaveText('270');

  await test.step('an ad leads to the report of itself', async () => {
    await page.getByRole('button', { name: /Winter coats/ }).click();
    await expect(page.getByTestId('plays')).toHaveText('45');
    await expect(page.getByText('5 plays')).toHaveCount(9);
    await page.getByRole('button', { name: 'Device', exact: true }).click();
    await expect(page.getByText('Gate')).toBeVisible();
    await expect(page.getByText('Lobby')).toHaveCount(0);
    const { violations } = await axeOn(page).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  });

  await test.step('the spreadsheet says the same', async () => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export .xls' }).click();
    const file = await (await downloading).path();
    const sheet = read(readFileSync(file)).Sheets['plays'];
    const rows = sheet && utils.sheet_to_json<unknown[]>(sheet, { header: 1, blankrows: false });
    expect(rows).toContainEqual(['Time zone', ZONE]);
    expect(rows).toContainEqual(['Gate', expect.any(String), 45, 450, 0.13]);
    expect(rows?.at(-1)).toEqual(['Total', '', 45, 450, 0.13]);
  });

  await test.step('without the limit everything is back; dates that make no sense are explained', async () => {
    await page.getByRole('button', { name: 'Remove filter: Ad “Winter coats”' }).click();
    await expect(page.getByTestId('plays')).toHaveText('270');
    await page.getByRole('button', { name: 'Choose dates' }).click();
    await page.getByLabel('From').fill(addDays(today(), -1));
    await page.getByLabel('To', { exact: true }).fill(addDays(today(), -2));
    await expect(page.getByRole('alert')).toHaveText('The end is before the start');
    await page.getByLabel('To', { exact: true }).fill(addDays(today(), -1));
    await expect(page.getByTestId('plays')).toHaveText('26');
    await page.getByRole('button', { name: 'Yesterday' }).click();
    await expect(page.getByTestId('plays')).toHaveText('26');
    await page.getByRole('button', { name: 'Choose dates' }).click();
    await page.getByLabel('From').fill('2020-01-01');
    await page.getByLabel('To', { exact: true }).fill('2020-01-31');
    await expect(page.getByText('No plays in this period')).toBeVisible();
  });
  await phone.close();
});

test('on a phone, all numbers and dates of a shared chart are within it and apart from each other', async ({
  browser,
}) => {
  const phone = await newPhone(browser, server);
  const page = await phone.newPage();
  const pointsOf = (days: number, plays: number) =>
    Array.from({ length: days }, (_, index) => ({ at: addDays('2026-10-03', index), plays, durationMs: 0 }));
  // Long numbers need room of their own; beside short ones the first date does.
  const charts = [3, 7_654_321].flatMap((plays) => [6, 31, 90].map((days) => ({ plays, days })));
  for (const { plays, days } of charts)
    for (const language of LANGUAGES) {
      const body = playsChart({ points: pointsOf(days, plays), unit: 'day' }, language);
      await page.setContent(sharedPage({ language, title: 'Plays', brand: 'Brand', body, foot: [] }));
      const wrong = await page.locator('svg').evaluate((chart) => {
        const frame = chart.getBoundingClientRect();
        const texts = [...chart.querySelectorAll('text')];
        const outside = texts.filter((text) => {
          const { left, right } = text.getBoundingClientRect();
          return left < frame.left || right > frame.right;
        });
        const dates = texts
          .filter((text) => text.getAttribute('text-anchor') === 'middle')
          .map((text) => ({ text, box: text.getBoundingClientRect() }))
          .toSorted((a, b) => a.box.left - b.box.left);
        const touching = dates.filter(({ box }, index) => box.right + 1 > (dates[index + 1]?.box.left ?? Infinity));
        return [...outside, ...touching.map(({ text }) => text)].map(({ textContent }) => textContent);
      });
      expect(wrong, `${language} ${plays} ${days}`).toEqual([]);
    }
  await phone.close();
});

test('a report is shared by a link that anybody can open and print, until it is revoked', async ({ browser }) => {
  const phone = await signedInPhone(browser, server);
  await phone.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
  const page = await phone.newPage();
  await page.goto('/reports?range=30&by=device');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: /Export .csv/ }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^play report \d{4}-\d\d-\d\d \d{4}-\d\d-\d\d\.csv$/);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByText('7 days', { exact: true }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  const url = await page.getByTestId('share-url').inputValue();
  expect(url).toMatch(/\/share\/[\w-]{43}$/);
  await page.getByRole('button', { name: 'Copy link' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  await expect(page.getByTestId('share')).toHaveAttribute('data-state', 'active');

  const anybody = await newPhone(browser, server, DESK);
  const reader = await anybody.newPage();
  const faults: string[] = [];
  reader.on('console', (message) => {
    // Every browser knows some of the features that the server forbids, and none all of them.
    if (!message.text().includes('Permissions-Policy')) faults.push(message.text());
  });
  await reader.goto(url);
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('Play report');
  await expect(reader.getByRole('row', { name: /Lobby/ })).toContainText('225');
  await expect(reader.getByRole('row', { name: /Total/ })).toContainText('270');
  for (const colorScheme of ['light', 'dark'] as const) {
    await reader.emulateMedia({ colorScheme });
    const { violations } = await axeOn(reader).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
  }
  expect((await reader.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(10_000);
  expect(faults).toEqual([]);
  // The longest heading of a column, on the narrowest phone.
  const narrow = await newPhone(browser, server, { locale: 'de', viewport: { width: 320, height: 640 } });
  const small = await narrow.newPage();
  await small.goto(url);
  await expect(small.getByRole('columnheader', { name: 'Stunden auf dem Bildschirm' })).toBeVisible();
  expect(await small.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await narrow.close();

  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByTestId('share')).toHaveAttribute('data-state', 'revoked');
  await reader.reload();
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('This link is not valid');
  await anybody.close();
  await phone.close();
});

test('the bars of a chart have the colors of the scheme, and on paper those of the light one', async ({ browser }) => {
  const desk = await signedInPhone(browser, server, { ...DESK, colorScheme: 'dark' });
  const page = await desk.newPage();
  await page.goto('/reports');
  const isDrawnIn = (color: string) => async () =>
    page.locator('canvas').evaluate((canvas, wanted) => {
      if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas');
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return Array.from({ length: data.length / 4 }, (_, n) => data.slice(4 * n, 4 * n + 3).join()).includes(wanted);
    }, color);
  const [onDark, onLight] = [isDrawnIn('108,140,255'), isDrawnIn('47,91,234')];
  await expect.poll(onDark).toBe(true);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect([await onDark(), await onLight()]).toEqual([false, true]);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  expect([await onDark(), await onLight()]).toEqual([true, false]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(onLight).toBe(true);
  await desk.close();
});
