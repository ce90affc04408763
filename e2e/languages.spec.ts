import { expect, type Page, test } from './stories.ts';
import { en } from '../web/src/locales/en.ts';
import { furnish, GIVEN_NAMES } from './house.ts';
import { signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';
import { Walker } from './walker.ts';

/**
 * Every page in every language, on a phone: no key in the place of a text, nothing cut, nothing beside the screen. On the
 * narrowest phones, badges and hints may be cut and the texts of buttons may take several lines.
 */
const server = new RealServer({ port: 4820 });
const PLURAL = /_(zero|one|two|few|many|other)$/;
const NARROWEST = { width: 320, height: 640 };
const EXCUSED = /^(cut|a hint that is cut|a button whose text breaks):/;
const CODES = ['zh', 'en', 'de', 'es', 'fr', 'ar', 'ja', 'ko', 'pt', 'ru', 'tr', 'vi'];

/** i18next's output for a missing text. */
const KEYS = new Set(
  Object.values(en).flatMap((texts) => Object.keys(texts).flatMap((key) => [key, key.replace(PLURAL, '')])),
);

let page: Page;
let walker: Walker;
let addresses: string[];
const errors: string[] = [];

test.beforeAll(async ({ browser }) => {
  await server.start();
  await server.login();
  addresses = await furnish(server);
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  page = await phone.newPage();
  walker = new Walker(page);
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
});

test.afterAll(async () => {
  await page?.context().close();
  await server.end();
});

/** All texts of a language; a key that is also a text of it is no mistake. */
async function wordsOf(language: string): Promise<Set<string>> {
  const pack: Record<string, Record<string, Record<string, string>>> = await import(
    `../web/src/locales/${language}.ts`
  );
  return new Set(Object.values(pack[language] ?? {}).flatMap((texts) => Object.values(texts)));
}

/** Visible defects of the current page, as text. */
function flaws(given: { names: readonly string[]; keys: readonly string[] }): string[] {
  const keys = new Set(given.keys);
  const found: string[] = [];
  const say = (flaw: string, element: Element, text = element.textContent): void =>
    void found.push(`${flaw}: “${text.trim().slice(0, 60)}” <${element.tagName.toLowerCase()} ${element.className}>`);
  const isGiven = (text: string): boolean => given.names.some((name) => text.includes(name));
  const scrolls = (element: Element): boolean => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const clips = (element: Element): boolean => /hidden|clip/.test(getComputedStyle(element).overflowX);

  /** Whether a text is not for eyes, or may be moved into sight. */
  const excused = (element: Element): boolean => {
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      if (scrolls(at) || at.classList.contains('visually-hidden') || at.getAttribute('popover') !== null) return true;
    }
    return false;
  };

  const seen = (element: HTMLElement): boolean => element.checkVisibility({ opacityProperty: true });

  /** The first word of a text that continues on the next line. Scripts without spaces and long codes break anywhere. */
  const brokenWord = (node: Node, text: string): string | undefined => {
    const range = document.createRange();
    for (const { 0: word, index } of text.matchAll(
      /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]{2,30}(?![\p{L}\p{M}\p{N}])/gu,
    )) {
      if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const [first, ...others] = range.getClientRects();
      if (first && others.some(({ top }) => top >= first.bottom - 1)) return word;
    }
    return undefined;
  };

  if (document.documentElement.scrollWidth > window.innerWidth)
    say('the page is wider than the screen', document.body, '');

  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const element = node.parentElement;
    if (text === '' || !element || !seen(element) || excused(element)) continue;
    if (keys.has(text)) say('a key', element, text);
    if (isGiven(text)) continue;
    const broken = brokenWord(node, node.textContent ?? '');
    if (broken !== undefined) say('a word that breaks', element, broken);
    const range = document.createRange();
    range.selectNodeContents(node);
    const place = range.getBoundingClientRect();
    if (place.left < -1 || place.right > window.innerWidth + 1) say('beside the screen', element, text);
    for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
      const control = box.matches('button, a, label, legend, [role=tab], [role=radio], td, th, article, section');
      if (!control && !clips(box)) continue;
      const { left, right, top, bottom } = box.getBoundingClientRect();
      if (place.left < left - 1 || place.right > right + 1) say(clips(box) ? 'cut' : 'sticks out', box, text);
      else if (clips(box) && (place.top < top - 2 || place.bottom > bottom + 2)) say('cut below', box, text);
    }
  }
  for (const name of document.querySelectorAll<HTMLElement>('dl > div > dt')) {
    const row = name.parentElement;
    const isBeside = row !== null && getComputedStyle(row).display === 'flex';
    if (seen(name) && isBeside && name.clientWidth > 0.7 * row.clientWidth)
      say('a name that leaves no room for its value', name);
  }
  for (const button of document.querySelectorAll<HTMLElement>('[class*="_button_"]')) {
    const text = button.querySelector(':scope > span:last-child');
    if (!text || !seen(button) || isGiven(text.textContent)) continue;
    // Other text beside it, such as a badge, may be placed below it.
    for (const node of text.childNodes) {
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
      const highest = Math.min(...lines.map(({ bottom }) => bottom));
      if (lines.some(({ top }) => top >= highest)) say('a button whose text breaks', button, text.textContent);
    }
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
    const pen = document.createElement('canvas').getContext('2d');
    if (!pen || !seen(field) || field.clientWidth === 0 || field.value !== '') continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    pen.font = font;
    const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (pen.measureText(field.placeholder).width > room + 1) say('a hint that is cut', field, field.placeholder);
  }
  return found;
}

test('the picker offers every language', async () => {
  await page.goto('/login');
  await page.getByRole('button', { name: /^Language/ }).click();
  const offered = await page.getByRole('radio').evaluateAll((all) => all.map((one) => one.getAttribute('lang')));
  expect(offered).toEqual(CODES);
});

for (const language of CODES) {
  test(`every page in ${language}`, async () => {
    const words = await wordsOf(language);
    const keys = [...KEYS].filter((key) => !words.has(key));
    await page.goto('/login');
    await page.evaluate((lang) => localStorage.setItem('lang', lang), language);
    await page.reload();
    await walker.settle();
    errors.length = 0;
    const found: string[] = [];
    const look = () => page.evaluate(flaws, { names: GIVEN_NAMES, keys });
    const usual = page.viewportSize() ?? NARROWEST;
    for (const address of addresses) {
      await walker.to(address);
      const flawsHere = await look();
      await page.setViewportSize(NARROWEST);
      await walker.settle();
      const narrow = (await look()).filter((flaw) => !EXCUSED.test(flaw)).map((flaw) => `on a narrow phone, ${flaw}`);
      await page.setViewportSize(usual);
      found.push(...[...flawsHere, ...narrow, ...errors.splice(0)].map((flaw) => `${address} ${flaw}`));
      const root = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
      expect(root).toEqual([language, language === 'ar' ? 'rtl' : 'ltr']);
    }
    expect(found).toEqual([]);
  });
}
