import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import { LANGUAGE_PACKS } from '../locales/packs.ts';
import { changeLanguage } from './i18n.ts';
import type { LanguagePack, Texts } from './pack.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  // Tests that follow get the module that was loaded last.
  const { changeLanguage: change } = await import('./i18n.ts');
  await change('en');
});

/** The texts of all pages in a language come when the test says so. */
async function slowed(pack: LanguagePack | undefined): Promise<() => void> {
  if (!pack) throw new Error('there is no such language');
  const texts = await pack.texts();
  const { promise, resolve } = Promise.withResolvers<Texts>();
  vi.spyOn(pack, 'texts').mockReturnValue(promise);
  return () => resolve(texts);
}

test('of two languages chosen one after the other, the last one is shown, whichever loads first', async () => {
  const comes = await slowed(LANGUAGE_PACKS.de);
  const first = changeLanguage('de');
  await changeLanguage('fr');
  comes();
  await first;
  expect([i18next.language, document.documentElement.lang, localStorage.getItem('lang')]).toEqual(['fr', 'fr', 'fr']);
});

test('a language that is chosen while the texts of all pages load gets its own', async () => {
  vi.resetModules();
  const { changeLanguage: change, startAllTexts, startLanguage } = await import('./i18n.ts');
  const { LANGUAGE_PACKS: packs } = await import('../locales/packs.ts');
  await startLanguage();
  const comes = { en: await slowed(packs.en), ko: await slowed(packs.ko) };
  const all = startAllTexts();
  await change('ko');
  comes.en();
  await new Promise((resolve) => setTimeout(resolve, 0));
  await change('ja');
  comes.ko();
  await all;
  expect(i18next.t('devices:title')).toBe((await packs.ja?.texts())?.['devices']?.['title']);
});

test('texts of all pages that come while a language loads come in that language, too', async () => {
  vi.resetModules();
  const { changeLanguage: change, startAllTexts, startLanguage } = await import('./i18n.ts');
  const { LANGUAGE_PACKS: packs } = await import('../locales/packs.ts');
  await startLanguage();
  const pack = packs.es;
  if (!pack) throw new Error('there is no Spanish');
  const first = await pack.first();
  const slow = Promise.withResolvers<typeof first>();
  vi.spyOn(pack, 'first').mockReturnValue(slow.promise);
  const changed = change('es');
  await startAllTexts();
  slow.resolve(first);
  await changed;
  expect(i18next.t('devices:title')).toBe((await pack.texts())['devices']?.['title']);
});

test.each([
  ['en', '5,000 more devices'],
  ['de', '5.000 weitere'],
] as const)('counts are written as numbers of the language: %s', async (language, begins) => {
  await changeLanguage(language);
  expect(i18next.t('calendarRest', { ns: 'releases', count: 5000 })).toContain(begins);
});
