import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addDays, type Campaign, localMac, makeClient, routes } from '@ams/contract';
import { read, utils } from '@e965/xlsx';
import { expectAccessible } from './axe.ts';
import { expect, test } from './stories.ts';
import { DESK, newPhone, signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';

/** A campaign that plays, and its statement for the customer's bookkeeper. */
const server = new RealServer({ port: 4930 });
const TODAY = new Date().toISOString().slice(0, 10);
const PLAYS = 7;
let campaign: Campaign;

/** A device that is paired, with a way to report plays. */
async function addDevice(name: string, area: string) {
  const secret = randomBytes(32).toString('base64url');
  const mac = localMac(randomBytes(6));
  const device = makeClient({ player: routes.player }, async ({ method, url, body }) => {
    const headers = { 'authorization': `Bearer ${secret}`, 'content-type': 'application/json' };
    const reply = await fetch(server.origin + url, { method, headers, body: JSON.stringify(body) });
    return reply.json();
  }).player;
  const enrolled = dataOf(await device.enrol({ body: { mac, screens: 1, timeZone: 'UTC' } }));
  if (enrolled.state !== 'pairing') throw new Error('a new device shows a code');
  const { id } = dataOf(await server.calls.devices.pair({ body: { mac, code: enrolled.code, name } }));
  dataOf(await server.calls.devices.update({ params: { id }, body: { area } }));
  return { id, device };
}

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const { calls } = server;
  const file = await server.addFile('Red.png', 'color=red:size=360x640', { orientation: 'vertical', kind: 1 });
  const regions = { full: [{ kind: 'file' as const, fileId: file.id, seconds: 10 }] };
  const ad = dataOf(
    await calls.ads.create({ body: { name: 'Autumn', orientation: 'vertical', split: 'full', regions } }),
  );
  const [station, market] = [
    await addDevice('Station', 'Lyon'),
    await addDevice('Market_'.padEnd(60, 'x'), 'Paris_'.padEnd(60, 'x')),
  ];
  const body = {
    name: 'Autumn sale',
    adIds: [ad.id],
    devices: { ids: [station.id, market.id] },
    schedule: { from: addDays(TODAY, -1), to: addDays(TODAY, 5) },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'perPlay' as const, amount: '0.05', currency: 'EUR' },
  };
  const { id } = dataOf(await calls.campaigns.create({ body }));
  campaign = dataOf(await calls.campaigns.book({ params: { id } }));
  await server.row(
    `update release_devices set started_at = now() - interval '1 day' where release_id = $1`,
    releaseId(),
  );
  const plays = Array.from({ length: PLAYS }, (_, n) => ({
    releaseId: releaseId(),
    sha256: file.sha256,
    at: new Date(Date.now() - n * 60_000).toISOString(),
    durationMs: 10_000,
  }));
  dataOf(await station.device.plays({ body: { batch: randomUUID(), plays } }));
});
test.afterAll(() => server.end());

const releaseId = (): string => campaign.creatives[0]?.releaseId ?? '';

test('the statement of a campaign equals its delivery, is exported, printed and shared without an account', async ({
  browser,
}) => {
  const context = await signedInPhone(browser, server, DESK);
  const page = await context.newPage();
  const delivery = dataOf(await server.calls.campaigns.delivery({ params: { id: campaign.id } }));
  expect(delivery.delivered).toBe(PLAYS);

  await test.step('its figures are those of the delivery, in every view', async () => {
    await page.goto(`/campaigns/${campaign.id}`);
    await page.getByRole('link', { name: 'Statement' }).click();
    await expect(page.getByTestId('statement-delivered')).toHaveText(String(PLAYS));
    await expect(page.getByTestId('statement-ordered')).toHaveText(delivery.ordered.toLocaleString('en'));
    await expect(page.getByTestId('statement-amount')).toHaveText('€0.35');
    for (const view of ['Day', 'Area', 'Ad', 'Screens']) {
      const total = page.getByRole('region', { name: view, exact: true }).locator('tfoot');
      await expect(total).toContainText(delivery.ordered.toLocaleString('en'));
      await expect(total).toContainText(String(PLAYS));
    }
    await expectAccessible(page);
  });

  await test.step('days can be chosen', async () => {
    await page.getByLabel('To').fill(addDays(TODAY, -1));
    await expect(page.getByTestId('statement-ordered')).toHaveText('0');
    await page.getByLabel('From').fill(addDays(TODAY, 1));
    await expect(page.getByRole('alert')).toBeVisible();
    await page.goto(`/campaigns/${campaign.id}/statement`);
  });

  await test.step('on paper there are only the statement and the brand', async () => {
    await expect(page.getByTestId('statement-delivered')).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
    await expect(page.getByText('Advertising Management System').last()).toBeVisible();
    await expect(page.locator('a[href="#content"]')).toBeHidden();
    await page.locator('canvas').waitFor();
    // Pages are laid out for A4 at once: the chart is not drawn again.
    const paper = await page.evaluate(() => {
      document.body.style.width = '180mm';
      const { left, right } = document.body.getBoundingClientRect();
      const boxes = [...document.querySelectorAll('main canvas, main table')].map((part) =>
        part.getBoundingClientRect(),
      );
      document.body.style.width = '';
      return {
        leftmost: Math.min(...boxes.map((box) => box.left - left)),
        outside: boxes.filter((box) => box.right > right).length,
      };
    });
    expect(paper.outside).toBe(0);
    expect(paper.leftmost).toBeLessThan(60);
    await page.emulateMedia({ media: 'screen' });
  });

  await test.step('the spreadsheet has the same totals', async () => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export .xls' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^statement Autumn sale .*\.xls$/);
    const book = read(readFileSync(await file.path()));
    expect(book.SheetNames.length).toBe(5);
    for (const name of book.SheetNames.slice(1)) {
      const rows = utils.sheet_to_json<(string | number)[]>(book.Sheets[name] ?? {}, { header: 1 });
      expect(rows.at(-1)).toContain(PLAYS);
      expect(rows.at(-1)).toContain(delivery.ordered);
    }
  });

  await test.step('the proof of play is downloaded here and on the page of the campaign, and names the page that checks it', async () => {
    for (const path of ['/statement', '']) {
      await page.goto(`/campaigns/${campaign.id}${path}`);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download proof' }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe('Autumn sale.proof.json');
      const proof: unknown = JSON.parse(readFileSync(await file.path(), 'utf8'));
      expect(proof).toMatchObject({ statement: { amount: '0.35' } });
      const link = page.getByRole('link', { name: 'Check a proof of play' });
      await expect(link).toHaveAttribute('href', '/share/verify');
    }
    await page.goto(`/campaigns/${campaign.id}/statement?from=${TODAY}&to=${TODAY}`);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download proof' }).click();
    expect((await saved).suggestedFilename()).toBe(`Autumn sale ${TODAY} ${TODAY}.proof.json`);
    await page.goto(`/campaigns/${campaign.id}/statement`);
  });

  await test.step('a link shows it to people without an account until it is revoked', async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Statement' });
    await sheet.getByRole('button', { name: 'Create link' }).click();
    const url = await sheet.getByTestId('share-url').inputValue();
    const stranger = await newPhone(browser, server);
    const shared = await stranger.newPage();
    await shared.goto(url);
    await expect(shared.getByRole('heading', { name: 'Statement' })).toBeVisible();
    await expect(shared.getByText('€0.35').first()).toBeVisible();
    await expect(shared.getByText('Station')).toBeVisible();
    await expect(shared.locator('a[href="/share/verify"]')).toBeVisible();
    await expectAccessible(shared);
    await shared.emulateMedia({ colorScheme: 'dark' });
    await expect(shared.locator('main')).toHaveCSS('background-color', 'rgb(22, 27, 36)');
    await expectAccessible(shared);
    await shared.emulateMedia({ media: 'print' });
    await expect(shared.locator('main')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    // A4 without its margins: 180 mm.
    await shared.setViewportSize({ width: 680, height: 1000 });
    const wide = await shared.evaluate(() => document.documentElement.scrollWidth);
    const tables = await shared.locator('table').evaluateAll((all) => all.map((table) => table.scrollWidth));
    expect(Math.max(wide, ...tables)).toBeLessThanOrEqual(680);
    await shared.emulateMedia({ media: 'screen' });
    await sheet.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Revoke' }).click();
    await expect(sheet.getByTestId('share').first()).toHaveAttribute('data-state', 'revoked');
    await shared.reload();
    await expect(shared.getByRole('heading', { level: 1 })).toHaveText('This link is not valid');
    await stranger.close();
  });
  await context.close();
});
