/** The interface languages, as SPEC names them. */
export const LANGUAGES = ['zh', 'en', 'de', 'es', 'fr', 'ar', 'ja', 'ko', 'pt', 'ru', 'tr', 'vi'] as const;
export type Language = (typeof LANGUAGES)[number];

export const DEFAULT_LANGUAGE: Language = 'en';

export const isLanguage = (value: string): value is Language => (LANGUAGES as readonly string[]).includes(value);

/** The comma between the facts of a line. Between the items of a sentence, `Intl.ListFormat` knows more. */
const COMMAS: Partial<Record<Language, string>> = { ar: '، ', zh: '、', ja: '、' };
export const commaOf = (language: Language): string => COMMAS[language] ?? ', ';

/** One language tag to one of the twelve: exact, else its base language, else nothing. */
export function matchLanguage(tag: string): Language | undefined {
  const exact = tag.trim();
  if (isLanguage(exact)) return exact;
  const base = exact.toLowerCase().split('-')[0] ?? '';
  return isLanguage(base) ? base : undefined;
}

/** The best of the twelve for an `Accept-Language` header (RFC 9110 §12.5.4); nonsense gives English. */
export function acceptLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';');
      const q = parameters.map((p) => /^\s*q=([\d.]+)\s*$/.exec(p)?.[1]).find(Boolean);
      return { language: matchLanguage(tag), q: q === undefined ? 1 : Number(q) };
    })
    .filter((choice) => choice.language !== undefined && choice.q > 0)
    .toSorted((a, b) => b.q - a.q);
  return wanted[0]?.language ?? DEFAULT_LANGUAGE;
}
