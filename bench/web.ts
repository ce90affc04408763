import { chromium, type Page } from '@playwright/test';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { pino } from 'pino';
import { weigh } from '../e2e/weight.ts';
import { readConfig } from '../server/src/config.ts';
import { startPostgres } from '../server/src/platform/postgres/postgres.ts';
import { startServer } from '../server/src/lifecycle.ts';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-quic', '--disable-background-networking'];
const PASSWORD = 'password1';
const PHONE = { width: 390, height: 844 };
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];

const log = pino({ level: 'error' });

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Script and style needed to show a page, compressed, with their headers. */
async function weighPages(origin: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const page = await browser.newPage({ viewport: PHONE, locale: 'en' });
    const weight = await weigh(await page.context().newCDPSession(page));
    await page.goto(`${origin}/login`, { waitUntil: 'networkidle' });
    console.log(`login: ${(weight() / 1000).toFixed(0)} kB of script and style`);
    const chinese = await browser.newPage({ viewport: PHONE, locale: 'zh-CN' });
    const chineseWeight = await weigh(await chinese.context().newCDPSession(chinese));
    await chinese.goto(`${origin}/login`, { waitUntil: 'networkidle' });
    console.log(`login, in Chinese: ${(chineseWeight() / 1000).toFixed(0)} kB`);
    await signIn(page);
    await page.getByText('Devices online').waitFor();
    await page.waitForLoadState('networkidle');
    console.log(`home, after login: ${(weight() / 1000).toFixed(0)} kB`);
  } finally {
    await browser.close();
  }
}

/** Lighthouse's own scores of a page on its simulated phone, of 100. */
async function judge(origin: string): Promise<void> {
  const chrome = await launch({ chromePath: CHROMIUM, chromeFlags: [...FLAGS, '--headless=new'] });
  try {
    const result = await lighthouse(`${origin}/login`, { port: chrome.port, onlyCategories: CATEGORIES });
    for (const { title, score } of Object.values(result?.lhr.categories ?? {})) {
      console.log(`Lighthouse, login, ${title}: ${score === null ? 'no score' : Math.round(score * 100)}`);
    }
  } finally {
    chrome.kill();
  }
}

export default async function run(folder: string): Promise<void> {
  const postgres = await startPostgres(folder, log);
  const config = readConfig({
    PORT: '0',
    AMS_DATA: folder,
    AMS_ADMIN_PASSWORD: PASSWORD,
    AMS_CAPTCHA: 'off',
    LOG_LEVEL: 'error',
  });
  const server = await startServer(config, postgres.connection, log);
  try {
    const origin = await server.app.listen({ port: 0, host: '127.0.0.1' });
    await weighPages(origin);
    await judge(origin);
  } finally {
    await server.stop();
    await postgres.stop();
  }
}
