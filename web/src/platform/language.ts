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
