import type { Language } from '@ams/contract';
import type { LanguagePack } from '../platform/pack.ts';

/** The languages that are complete, in the order of the picker. A new one: its folder, its file and a line here. */
export const LANGUAGE_PACKS: Partial<Record<Language, LanguagePack>> & { en: LanguagePack } = {
  zh: {
    name: '简体中文',
    first: () => import('./zh/first.ts').then((m) => m.first),
    texts: () => import('./zh.ts').then((m) => m.zh),
    messages: () => import('@ams/contract/messages/zh').then((m) => m.messages),
  },
  en: {
    name: 'English',
    first: () => import('./en/first.ts').then((m) => m.first),
    texts: () => import('./en.ts').then((m) => m.en),
    messages: () => import('@ams/contract/messages/en').then((m) => m.messages),
  },
  de: {
    name: 'Deutsch',
    first: () => import('./de/first.ts').then((m) => m.first),
    texts: () => import('./de.ts').then((m) => m.de),
    messages: () => import('@ams/contract/messages/de').then((m) => m.messages),
  },
  es: {
    name: 'Español',
    first: () => import('./es/first.ts').then((m) => m.first),
    texts: () => import('./es.ts').then((m) => m.es),
    messages: () => import('@ams/contract/messages/es').then((m) => m.messages),
  },
  fr: {
    name: 'Français',
    first: () => import('./fr/first.ts').then((m) => m.first),
    texts: () => import('./fr.ts').then((m) => m.fr),
    messages: () => import('@ams/contract/messages/fr').then((m) => m.messages),
  },
  ar: {
    name: 'العربية',
    first: () => import('./ar/first.ts').then((m) => m.first),
    texts: () => import('./ar.ts').then((m) => m.ar),
    messages: () => import('@ams/contract/messages/ar').then((m) => m.messages),
  },
  ja: {
    name: '日本語',
    first: () => import('./ja/first.ts').then((m) => m.first),
    texts: () => import('./ja.ts').then((m) => m.ja),
    messages: () => import('@ams/contract/messages/ja').then((m) => m.messages),
  },
  ko: {
    name: '한국어',
    first: () => import('./ko/first.ts').then((m) => m.first),
    texts: () => import('./ko.ts').then((m) => m.ko),
    messages: () => import('@ams/contract/messages/ko').then((m) => m.messages),
  },
  pt: {
    name: 'Português',
    first: () => import('./pt/first.ts').then((m) => m.first),
    texts: () => import('./pt.ts').then((m) => m.pt),
    messages: () => import('@ams/contract/messages/pt').then((m) => m.messages),
  },
  ru: {
    name: 'Русский',
    first: () => import('./ru/first.ts').then((m) => m.first),
    texts: () => import('./ru.ts').then((m) => m.ru),
    messages: () => import('@ams/contract/messages/ru').then((m) => m.messages),
  },
  tr: {
    name: 'Türkçe',
    first: () => import('./tr/first.ts').then((m) => m.first),
    texts: () => import('./tr.ts').then((m) => m.tr),
    messages: () => import('@ams/contract/messages/tr').then((m) => m.messages),
  },
  vi: {
    name: 'Tiếng Việt',
    first: () => import('./vi/first.ts').then((m) => m.first),
    texts: () => import('./vi.ts').then((m) => m.vi),
    messages: () => import('@ams/contract/messages/vi').then((m) => m.messages),
  },
};
