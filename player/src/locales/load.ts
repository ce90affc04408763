import { type Language, matchLanguage } from '@ams/contract';
import type { Texts } from './en.ts';

export type { Texts };

const loaders: Record<Language, () => Promise<{ default: Texts }>> = {
  zh: () => import('./zh.ts'),
  en: () => import('./en.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ar: () => import('./ar.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  pt: () => import('./pt.ts'),
  ru: () => import('./ru.ts'),
  tr: () => import('./tr.ts'),
  vi: () => import('./vi.ts'),
};

/** The language asked for, else the browser's first that there is, else English. */
export function chooseLanguage(asked: string | null, browser: readonly string[]): Language {
  for (const tag of [asked ?? '', ...browser]) {
    const language = matchLanguage(tag);
    if (language) return language;
  }
  return 'en';
}

/** How dates and times are written: as the browser's own variety of the language does (`en-GB`), where it has one. */
export const localeOf = (language: Language, browser: readonly string[]): string =>
  browser.find((tag) => matchLanguage(tag) === language) ?? language;

export const loadTexts = async (language: Language): Promise<Texts> => (await loaders[language]()).default;
