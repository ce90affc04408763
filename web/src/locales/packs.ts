import type { Language } from '@ams/contract';
import type { LanguagePack } from '../platform/pack.ts';

/** The languages that are complete, in the order of the picker. A new one: its folder, its file and a line here. */
export const LANGUAGE_PACKS: Partial<Record<Language, LanguagePack>> & { en: LanguagePack } = {
  zh: {
    name: '简体中文',
    first: () => import('./zh/first.ts').then((m) => m.first),
    frame: () => import('./zh/home.ts'),
    texts: () => import('./zh.ts').then((m) => m.zh),
    messages: () => import('./zh/first.ts').then((m) => m.messages),
  },
  en: {
    name: 'English',
    first: () => import('./en/first.ts').then((m) => m.first),
    frame: () => import('./en/home.ts'),
    texts: () => import('./en.ts').then((m) => m.en),
    messages: () => import('./en/first.ts').then((m) => m.messages),
  },
  de: {
    name: 'Deutsch',
    first: () => import('./de/first.ts').then((m) => m.first),
    frame: () => import('./de/home.ts'),
    texts: () => import('./de.ts').then((m) => m.de),
    messages: () => import('./de/first.ts').then((m) => m.messages),
  },
  es: {
    name: 'Español',
    first: () => import('./es/first.ts').then((m) => m.first),
    frame: () => import('./es/home.ts'),
    texts: () => import('./es.ts').then((m) => m.es),
    messages: () => import('./es/first.ts').then((m) => m.messages),
  },
  fr: {
    name: 'Français',
    first: () => import('./fr/first.ts').then((m) => m.first),
    frame: () => import('./fr/home.ts'),
    texts: () => import('./fr.ts').then((m) => m.fr),
    messages: () => import('./fr/first.ts').then((m) => m.messages),
  },
  ar: {
    name: 'العربية',
    first: () => import('./ar/first.ts').then((m) => m.first),
    frame: () => import('./ar/home.ts'),
    texts: () => import('./ar.ts').then((m) => m.ar),
    messages: () => import('./ar/first.ts').then((m) => m.messages),
  },
  ja: {
    name: '日本語',
    first: () => import('./ja/first.ts').then((m) => m.first),
    frame: () => import('./ja/home.ts'),
    texts: () => import('./ja.ts').then((m) => m.ja),
    messages: () => import('./ja/first.ts').then((m) => m.messages),
  },
  ko: {
    name: '한국어',
    first: () => import('./ko/first.ts').then((m) => m.first),
    frame: () => import('./ko/home.ts'),
    texts: () => import('./ko.ts').then((m) => m.ko),
    messages: () => import('./ko/first.ts').then((m) => m.messages),
  },
  pt: {
    name: 'Português',
    first: () => import('./pt/first.ts').then((m) => m.first),
    frame: () => import('./pt/home.ts'),
    texts: () => import('./pt.ts').then((m) => m.pt),
    messages: () => import('./pt/first.ts').then((m) => m.messages),
  },
  ru: {
    name: 'Русский',
    first: () => import('./ru/first.ts').then((m) => m.first),
    frame: () => import('./ru/home.ts'),
    texts: () => import('./ru.ts').then((m) => m.ru),
    messages: () => import('./ru/first.ts').then((m) => m.messages),
  },
  tr: {
    name: 'Türkçe',
    first: () => import('./tr/first.ts').then((m) => m.first),
    frame: () => import('./tr/home.ts'),
    texts: () => import('./tr.ts').then((m) => m.tr),
    messages: () => import('./tr/first.ts').then((m) => m.messages),
  },
  vi: {
    name: 'Tiếng Việt',
    first: () => import('./vi/first.ts').then((m) => m.first),
    frame: () => import('./vi/home.ts'),
    texts: () => import('./vi.ts').then((m) => m.vi),
    messages: () => import('./vi/first.ts').then((m) => m.messages),
  },
};
