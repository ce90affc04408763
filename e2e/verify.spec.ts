import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { axeOn } from './axe.ts';
import { sampleProof } from '../web/verify/sample.ts';
import { DESK, newPhone } from './phone.ts';
import { RealServer } from './server.ts';
import { expect, test } from './stories.ts';

/** The page on which customers check verification files. */
const server = new RealServer({ port: 4911 });
let lines: string[];

test.beforeAll(async () => {
  await server.start();
  lines = [];
  for await (const line of sampleProof({ devices: 2, batches: 5, plays: 4 })) lines.push(line);
});
test.afterAll(() => server.end());

async function choose(page: Page, text: string): Promise<void> {
  const file = { name: 'Spring.proof.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
}

/** Waits until the browser keeps the page. */
const isKept = (page: Page): Promise<unknown> => page.evaluate(() => navigator.serviceWorker.ready.then(() => true));

test('a page that was opened once opens again and checks files without a network', async ({ browser }) => {
  const phone = await newPhone(browser, server);
  const page = await phone.newPage();
  await page.goto('/share/verify');
  await isKept(page);
  await phone.setOffline(true);
  await page.reload();
  await choose(page, lines.join(''));
  await expect(page.getByRole('heading', { name: 'Everything is right' })).toBeVisible();
  const other = await phone.newPage();
  await other.goto('/share/verify');
  await expect(other.getByRole('heading', { name: 'Check a proof of play' })).toBeVisible();
  // Only this page is kept.
  await expect(other.goto('/share/another')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await phone.close();
});

test('a server that fails does not take the page away', async ({ browser }) => {
  const phone = await newPhone(browser, server);
  const page = await phone.newPage();
  await page.goto('/share/verify');
  await isKept(page);
  await phone.route('**/share/verify', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Check a proof of play' })).toBeVisible();
  await phone.close();
});

test('no request leaves while a file is checked, with a network and without one', async ({ browser }) => {
  const phone = await newPhone(browser, server);
  const page = await phone.newPage();
  await page.goto('/share/verify');
  await expect(page.getByRole('heading', { name: 'Check a proof of play' })).toBeVisible();
  await isKept(page);
  // Those of the page, of its worker and of its service worker.
  const requests: string[] = [];
  phone.on('request', (request) => {
    if (!request.url().startsWith('blob:')) requests.push(request.url());
  });
  await choose(page, lines.join(''));
  await expect(page.getByRole('heading', { name: 'Everything is right' })).toBeVisible();
  expect(requests).toEqual([]);
  await phone.setOffline(true);

  await choose(page, lines.join(''));
  await expect(page.getByRole('heading', { name: 'Everything is right' })).toBeVisible();
  const facts = page.locator('dl');
  await expect(facts).toContainText('Spring shoes — 春');
  await expect(facts).toContainText('Proven plays40');
  await expect(facts).toContainText('Price€0.05 per play');
  await expect(facts).toContainText('Amount of the statement€2.00');
  await expect(page.getByText('The amount of the statement is right')).toBeVisible();
  await expect(facts).toContainText('Signed reports10');
  expect((await axeOn(page).analyze()).violations).toEqual([]);

  const altered = lines.map((line, index) =>
    index === 3 ? line.replace('"durationMs":10000', '"durationMs":20000') : line,
  );
  await choose(page, altered.join(''));
  await expect(page.getByRole('heading', { name: 'This file is not right' })).toBeVisible();
  await expect(page.getByText('Lobby 1 · Report 3: not signed by this device')).toBeVisible();

  await choose(page, lines.toSpliced(4, 1).join(''));
  await expect(page.getByText('Lobby 1 · Report 5: Reports were left out')).toBeVisible();

  await choose(page, lines.join('').replace('"amount":"2.00"},"digest"', '"amount":"2.01"},"digest"'));
  await expect(page.getByText('The amount is wrong. The counted plays come to €2.00.')).toBeVisible();

  await choose(page, 'a shopping list');
  await expect(page.getByRole('heading', { name: 'This is not a verification file' })).toBeVisible();
  expect(requests).toEqual([]);
  await phone.close();
});

test('the page is whole when it is saved: it opens from a disk', async ({ browser }, info) => {
  const phone = await newPhone(browser, server, DESK);
  const reply = await phone.request.get('/share/verify');
  expect(reply.headers()['content-security-policy']).toContain("default-src 'none'");
  const path = info.outputPath('verify.html');
  await writeFile(path, await reply.body());
  const page = await phone.newPage();
  await page.goto(`file://${path}`);
  await choose(page, lines.join(''));
  await expect(page.getByRole('heading', { name: 'Everything is right' })).toBeVisible();
  await phone.close();
});

test('the page speaks the language of its reader, in the dark too', async ({ browser }) => {
  for (const [locale, title] of [
    ['zh-CN', '核验播放证明'],
    ['ar', 'التحقق من إثبات العرض'],
  ] as const) {
    const desk = await newPhone(browser, server, { ...DESK, locale, colorScheme: 'dark' });
    const page = await desk.newPage();
    await page.goto('/share/verify');
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('dir', locale === 'ar' ? 'rtl' : 'ltr');
    await choose(page, lines.join(''));
    await expect(page.locator('.sign.good')).toBeVisible();
    expect((await axeOn(page).analyze()).violations).toEqual([]);
    await desk.close();
  }
});
