import type { Locator, Page, Request } from '@playwright/test';
import { routes } from '@ams/contract';
import { isChanging } from '../web/src/platform/paths.ts';
import { furnish } from './house.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';
import { expect, test } from './stories.ts';
import { Walker } from './walker.ts';

/**
 * A read-only colleague finds on every page no link to a page that changes something, and no button that asks the
 * server for a change.
 */
const server = new RealServer({ port: 4840 });
const PHONE = { width: 390, height: 844 };
const PRESSABLE = 'button:enabled:visible, [role=switch]:enabled:visible, summary:visible';

let page: Page;
let walker: Walker;
let addresses: string[];

test.beforeAll(async ({ browser }) => {
  await server.start();
  await server.login();
  addresses = await furnish(server);
  const { code } = dataOf(await server.calls.colleagues.invite({ body: { name: 'Anna', access: 'readOnly' } }));
  const body = { code, username: 'annaReads', password: PASSWORD, confirm: PASSWORD };
  dataOf(await server.calls.session.register({ body: { ...body, captchaId: '', captcha: '' } }));
  const phone = await signedInPhone(browser, server, {
    username: 'annaReads',
    viewport: PHONE,
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
  });
  page = await phone.newPage();
  walker = new Walker(page);
});

test.afterAll(async () => {
  await page?.context().close();
  await server.end();
});

/** The calls that read-only people may make, by method and the form of their address. */
const OPEN = Object.values(routes)
  .flatMap((table): { method: string; url: string; reads?: boolean; people?: string }[] => Object.values(table))
  .filter(({ method, reads, people }) => method === 'GET' || reads === true || people === 'all')
  .map(({ method, url }) => ({ method, form: new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`) }));

/** Whether a request asks the server for a change that is closed to read-only people. */
function asksForChange(request: Request): boolean {
  const { pathname } = new URL(request.url());
  if (!pathname.startsWith('/api/')) return false;
  return !OPEN.some(({ method, form }) => method === request.method() && form.test(pathname));
}

/** One address of each kind of page that read-only people may open. */
const kinds = (): string[] =>
  [
    ...new Map(addresses.map((address) => [address.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'id'), address])).values(),
  ].filter((address) => !isChanging(address) && !/^\/(login|register)/.test(address));

const nameOf = (control: Locator): Promise<string> =>
  control.evaluate((element) => element.getAttribute('aria-label') ?? element.textContent ?? '');

/** Presses a control, and waits for the dialog that it announces: its code may still be loading. */
async function pressAndWait(control: Locator): Promise<void> {
  const opensDialog = (await control.getAttribute('aria-haspopup')) === 'dialog';
  await control.click({ timeout: 5000 });
  await walker.settle();
  if (opensDialog) await expect(page.locator('dialog[open]')).not.toHaveCount(0);
}

test('no page offers a change to a read-only colleague', async () => {
  test.setTimeout(600_000);
  const found: string[] = [];
  const tried = new Set<string>();
  let place = '';
  page.on('request', (request) => {
    if (asksForChange(request)) found.push(`${place}: ${request.method()} ${new URL(request.url()).pathname}`);
  });
  const namesIn = (root: Locator): Promise<string[]> =>
    root
      .locator(PRESSABLE)
      .evaluateAll((all) => all.map((element) => element.getAttribute('aria-label') ?? element.textContent ?? ''));
  await page.goto('/login');
  for (const address of kinds()) {
    const kind = address.replace(/\?.*/, '').replace(/[\da-f]{8}-.*/, '');
    const open = async () => {
      place = address;
      const isCovered = async () => (await page.locator('dialog[open]').count()) > 0;
      for (let press = 0; press < 3 && (await isCovered()); press += 1) await page.keyboard.press('Escape');
      if (await isCovered()) await page.goto(address);
      await walker.to(address);
    };
    await open();
    const links = await page
      .locator('a[href^="/"]:visible')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    found.push(...links.filter(isChanging).map((link) => `${address}: link to ${link}`));
    const content = page.locator('#content');
    for (const [index, name] of (await namesIn(content)).entries()) {
      const control = content.locator(PRESSABLE).nth(index);
      if (tried.has(`${kind} ${name}`) || (await control.count()) === 0 || (await nameOf(control)) !== name) continue;
      tried.add(`${kind} ${name}`);
      place = `${address} “${name}”`;
      await pressAndWait(control);
      // It opened a sheet of actions, a form or a question.
      const dialog = page.locator('dialog[open]').last();
      for (const [nth, inner] of ((await dialog.count()) === 0 ? [] : await namesIn(dialog)).entries()) {
        const pressed = page.locator('dialog[open]').last().locator(PRESSABLE).nth(nth);
        if (tried.has(`${kind} ${name} ${inner}`) || (await pressed.count()) === 0) continue;
        if ((await nameOf(pressed)) !== inner) continue;
        tried.add(`${kind} ${name} ${inner}`);
        place = `${address} “${name}” “${inner}”`;
        await pressAndWait(pressed);
      }
      if (new URL(page.url()).pathname + new URL(page.url()).search !== address || (await dialog.count()) > 0) {
        await open();
      }
    }
  }
  expect([...new Set(found)]).toEqual([]);
});
