import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { PASSWORD } from './server.ts';
import { watchPolicy } from './stories.ts';

/** A server, or several behind one address. */
interface House {
  origin: string;
  /** The first row of a query in its database. */
  row(query: string, ...values: unknown[]): Promise<Record<string, unknown> | undefined>;
}

/** Options that make a desk with a mouse of a phone. */
export const DESK = { viewport: { width: 1280, height: 720 }, hasTouch: false, isMobile: false };

/** A phone held in one hand, on which nobody has signed in. */
export async function newPhone(
  browser: Browser,
  server: House,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
    baseURL: server.origin,
    ...options,
  });
  watchPolicy(phone);
  return phone;
}

/** A phone on which `username` signed in earlier: its local storage, as the app itself writes it. */
export async function signedInPhone(
  browser: Browser,
  server: House,
  {
    username = 'admin',
    password = PASSWORD,
    ...options
  }: { username?: string; password?: string } & BrowserContextOptions = {},
): Promise<BrowserContext> {
  const answer = await fetch(`${server.origin}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const token = answer.headers.get('token');
  if (token === null) throw new Error(`${username} cannot log in: ${await answer.text()}`);
  const expires = Math.floor(Date.now() / 1000) + Number(answer.headers.get('expires_in'));
  const localStorage = [{ name: 'ams_token', value: JSON.stringify({ token, expires }) }];
  return newPhone(browser, server, {
    storageState: { cookies: [], origins: [{ origin: server.origin, localStorage }] },
    ...options,
  });
}

/** Signs in on the login page that is open. */
export async function logIn(page: Page, username: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Text of the next verification picture, read from the server's database. */
export async function nextCaptcha(page: Page, server: House, whenever: () => Promise<unknown>): Promise<string> {
  const [reply] = await Promise.all([page.waitForResponse('**/api/captcha'), whenever()]);
  const { data }: { data: { captchaId: string } } = await reply.json();
  const row = await server.row('select answer from captchas where id = $1', data.captchaId);
  return String(row?.['answer']);
}

/** Whether the page has kept its data for a time without a network. */
export const isDataKept = (page: Page): Promise<boolean> =>
  page.evaluate(async () => (await caches.match('/last-data', { ignoreSearch: true })) !== undefined);
