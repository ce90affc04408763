import { DEFAULT_LANGUAGE, type Language } from '@ams/contract';
import type { ShownMessages } from '@ams/contract/messages/en';
import i18next, { type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { en } from '../locales/en.ts';
import { LANGUAGE_PACKS } from '../locales/packs.ts';
import { numberFormat, prepareFormats } from './intl.ts';
import { chooseLanguage, directionOf } from './language.ts';
import type { LanguagePack, Texts } from './pack.ts';
import { storage } from './storage.ts';
import { nextTask } from './task.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof en;
  }
}

let messages: ShownMessages;
let shown: Language = DEFAULT_LANGUAGE;
/** Whose texts are there: those of the pages before signing in, also of the frame and the home page, or of all pages. */
let extent: 'first' | 'frame' | 'all' = 'first';

/** The contract's messages in the language shown, for schema issues and failure reasons. */
export const contractMessages = (): ShownMessages => messages;

const packOf = (language: Language): LanguagePack => LANGUAGE_PACKS[language] ?? LANGUAGE_PACKS.en;

/** The texts of a language are constants: i18next needs no copy of its own. */
const NOT_COPIED = { silent: false, skipCopy: true };

function addTexts(texts: Texts): void {
  for (const [namespace, entries] of Object.entries(texts))
    i18next.addResourceBundle(shown, namespace, entries, false, false, NOT_COPIED);
}

/** Adds more texts of the language shown, which may become another one while they come. */
async function addMore(more: (pack: LanguagePack) => Promise<Texts>): Promise<void> {
  const language = shown;
  const texts = await more(packOf(language));
  if (shown !== language) return addMore(more);
  addTexts(texts);
}

/** From now on there are the texts of the frame and the home page. */
export async function startFrameTexts(): Promise<void> {
  if (extent !== 'first') return;
  await startLanguageWith(({ frame }) => frame());
  void prepareFormats(shown);
  await addMore(({ frame }) => frame());
  if (extent === 'first') extent = 'frame';
}

/** From now on there are the texts of all pages. */
export async function startAllTexts(): Promise<void> {
  if (extent === 'all') return;
  await startLanguageWith(({ texts }) => texts());
  await addMore(({ texts }) => texts());
  extent = 'all';
}

async function textsOf({ first, frame, texts }: LanguagePack): Promise<Texts> {
  switch (extent) {
    case 'first':
      return first();
    case 'frame':
      return { ...(await first()), ...(await frame()) };
    case 'all':
      return texts();
  }
}

/** A language with its texts. */
interface Loaded {
  language: Language;
  texts: Texts;
  words: ShownMessages;
}

/** Loads a language; one without a pack falls back to English. */
async function load(wanted: Language): Promise<Loaded> {
  const language = LANGUAGE_PACKS[wanted] ? wanted : DEFAULT_LANGUAGE;
  const pack = packOf(language);
  const [texts, words] = await Promise.all([textsOf(pack), pack.messages()]);
  return { language, texts, words };
}

async function show({ language, texts, words }: Loaded): Promise<void> {
  messages = words;
  shown = language;
  addTexts(texts);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  await i18next.changeLanguage(language);
  document.title = i18next.t('appTitle');
}

let started: Promise<void> | undefined;

/** Starts i18next with the language of this browser, once; resolves when its texts are there. */
export const startLanguage = (): Promise<void> => (started ??= start());

/** Loads more of the first language meanwhile, which the caller then finds loaded: not one file after the other. */
async function startLanguageWith(more: (pack: LanguagePack) => Promise<Texts>): Promise<void> {
  await Promise.all([startLanguage(), more(packOf(firstLanguage()))]);
}

const firstLanguage = (): Language => chooseLanguage(storage.language(), navigator.language);

async function start(): Promise<void> {
  const [loaded] = await Promise.all([load(firstLanguage()), startLibrary()]);
  await show(loaded);
}

/** Writes the count that chooses a plural form as numbers are written in the language: '5,000 devices'. */
const COUNTS = {
  type: 'formatter',
  format: (value: `${number}`, _format, language = shown, options) =>
    options?.['interpolationkey'] === 'count' ? numberFormat(language).format(value) : value,
} as const satisfies Pick<FormatterModule, 'type' | 'format'>;

/** In a task of its own, while the texts come. */
async function startLibrary(): Promise<void> {
  await nextTask();
  await i18next
    .use(initReactI18next)
    .use(COUNTS)
    .init({
      resources: {},
      lng: DEFAULT_LANGUAGE,
      fallbackLng: false,
      defaultNS: 'common',
      // React escapes what it renders.
      interpolation: { escapeValue: false, alwaysFormat: true },
    });
}

let choices = 0;

/** The person's choice: shown and remembered, unless another one is made while it loads. */
export async function changeLanguage(language: Language): Promise<void> {
  choices += 1;
  const own = choices;
  let loaded: Loaded;
  let loadedExtent: typeof extent;
  do {
    loadedExtent = extent;
    loaded = await load(language);
    if (own !== choices) return;
    // A page that came meanwhile needs more texts.
  } while (loadedExtent !== extent);
  await show(loaded);
  storage.setLanguage(language);
}
