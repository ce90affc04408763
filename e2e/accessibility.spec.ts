import { axeOn } from './axe.ts';
import { expect, type Page, test } from './stories.ts';
import { furnish } from './house.ts';
import { signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';
import { Walker } from './walker.ts';

/** WCAG 2.2 AA, as far as a program can check it: every page, light and dark, on a phone and on a desk. */
const server = new RealServer({ port: 4830 });
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const COLOURS = ['color-contrast', 'link-in-text-block'];
const SCHEMES = ['light', 'dark'] as const;
const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };

let page: Page;
let walker: Walker;
let addresses: string[];

test.beforeAll(async ({ browser }) => {
  await server.start();
  await server.login();
  addresses = await furnish(server);
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block', reducedMotion: 'reduce' });
  page = await phone.newPage();
  walker = new Walker(page);
});

test.afterAll(async () => {
  await page?.context().close();
  await server.end();
});

/** Rule violations on the current page, with their places. */
async function violations(place: string, only?: readonly string[]): Promise<string[]> {
  const axe = axeOn(page);
  const result = await (only ? axe.withRules([...only]) : axe.withTags(TAGS)).analyze();
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${place} ${id}: ${node.html.slice(0, 160)} — ${node.failureSummary ?? ''}`),
  );
}

/** One address of each kind of page. */
const kinds = (): string[] => [
  ...new Map(addresses.map((address) => [address.replace(/\?.*/, '').replace(/[\da-f]{8}-.*/, ''), address])).values(),
];

for (const { look, viewport, colorScheme, rules } of [
  { look: 'on a phone', viewport: PHONE, colorScheme: 'light', rules: undefined },
  // Only colours are others in the dark.
  { look: 'on a phone in the dark', viewport: PHONE, colorScheme: 'dark', rules: COLOURS },
  { look: 'on a desk', viewport: DESK, colorScheme: 'light', rules: undefined },
] as const) {
  test(`every page ${look}`, async () => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await page.goto('/login');
    const found: string[] = [];
    for (const address of kinds()) {
      await walker.to(address);
      found.push(...(await violations(address, rules)));
    }
    expect(found).toEqual([]);
  });
}

for (const scheme of SCHEMES) {
  test(`what opens above a page, ${scheme}`, async () => {
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/user');
    const found: string[] = [];
    const look = async (place: string): Promise<void> => {
      await expect(page.getByRole('dialog')).toBeVisible();
      found.push(...(await violations(place)));
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    await page.getByRole('switch', { name: 'miaMiller2026 can log in' }).click();
    await look('forbidding');
    await page.getByRole('button', { name: 'Actions for miaMiller2026' }).click();
    await look('actions of a user');
    await page.goto('/invitations');
    await page.getByRole('button', { name: 'Create codes' }).click();
    await look('making codes');
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Share' }).click();
    await look('sharing a code');
    await page.goto('/');
    await page.getByRole('button', { name: /^Language/ }).click();
    await look('the languages');
    expect(found).toEqual([]);
  });
}
