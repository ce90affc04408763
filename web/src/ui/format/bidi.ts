import i18next from 'i18next';

const IS_RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/**
 * A text within another one that may run the other way, such as a Latin name before a date in Arabic: between Unicode's
 * isolates it neither moves its neighbours nor is moved by them. Where all runs one way, the text stays as it is.
 */
export const isolated = (text: string): string =>
  i18next.dir() === 'rtl' || IS_RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;

/** The first of many names; a sign at the end says that there are more. */
export const firstOf = (names: readonly string[], max: number): readonly string[] =>
  names.length > max ? [...names.slice(0, max), '…'] : names;

/** The facts of one line, of which some may be missing: 'lumencafe · Nov 23, 2026'. */
export const joined = (facts: readonly (string | false | null | undefined)[]): string =>
  facts.flatMap((fact) => (fact ? [isolated(fact)] : [])).join(' · ');
