import { DEFAULT_LANGUAGE, type Language, isLanguage, matchLanguage } from '@ams/contract';

/**
 * The language to show: the stored choice, else the browser's (zh-CN is zh; de-DE, de-AT, de-LI and
 * de-CH are de; a supported code is used as it is, any other by its base language), else English.
 */
export function chooseLanguage(stored: string | undefined, browser: string | undefined): Language {
  if (stored !== undefined && isLanguage(stored)) return stored;
  return (browser === undefined ? undefined : matchLanguage(browser)) ?? DEFAULT_LANGUAGE;
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');

/** A tag of a browser's list; undefined when it is none of BCP 47. */
function parsed(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

/** Where the person is: for English, which is read everywhere, the first region; else that of the same language. */
function regionOf(language: string, browser: readonly string[]): string | undefined {
  const shown = new Intl.Locale(language).maximize();
  return browser
    .map((tag) => parsed(tag))
    .find((tag) => {
      const full = tag?.maximize();
      const same = full?.language === shown.language && full.script === shown.script;
      return tag?.region !== undefined && (language === 'en' || same);
    })?.region;
}

/**
 * The locale for dates and times: the words of the language shown in the order of the person's region, by `browser`
 * (`navigator.languages`). Calendar and digits stay those of the language; English writes 24 hours, as schedules do.
 */
export function dateLocaleOf(language: string, browser: readonly string[]): string {
  const { numberingSystem } = new Intl.NumberFormat(language).resolvedOptions();
  const region = regionOf(language, browser);
  return new Intl.Locale(language, {
    calendar: 'gregory',
    numberingSystem,
    ...(region !== undefined && { region }),
    ...(language === 'en' && { hourCycle: 'h23' }),
  }).toString();
}

const dateLocales = new Map<string, string>();

/** `dateLocaleOf` on this browser. */
export function dateLocale(language: string): string {
  const known = dateLocales.get(language) ?? dateLocaleOf(language, navigator.languages);
  dateLocales.set(language, known);
  return known;
}
