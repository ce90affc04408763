import { PauseReason, PlayMode, Priority, Role } from '@ams/contract';
import { describe, expect, it } from 'vitest';
import type { LanguagePack } from '../platform/pack.ts';
import { en } from './en.ts';
import { LANGUAGE_PACKS } from './packs.ts';

type Entries = Record<string, Record<string, string>>;

const PLURAL = /_(?:zero|one|two|few|many|other)$/;
const english: Entries = en;
const packs = Object.entries(LANGUAGE_PACKS).map(([language, pack]): [string, LanguagePack] => [language, pack]);

/** All texts under their dotted key: `common.appTitle`, `ads.onDevices_one`, … */
const flatten = (texts: Entries): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([namespace, entries]) =>
    Object.entries(entries).map(([key, text]): [string, string] => [`${namespace}.${key}`, text]),
  );

/** The keys that a language has to have: those of English, its counted texts in the language's own plural forms. */
function keysWanted(language: string): string[] {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const keys = flatten(english).flatMap(([key]) =>
    PLURAL.test(key) ? pluralCategories.map((form) => key.replace(PLURAL, `_${form}`)) : [key],
  );
  return [...new Set(keys)].toSorted();
}

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{[^{}]*\}\}/g))].toSorted();

/** What English fills in, by key; the plural forms of a text answer under their common stem. */
const filledIn = new Map<string, string[]>();
for (const [key, text] of flatten(english)) {
  const stem = key.replace(PLURAL, '');
  filledIn.set(stem, placeholders([...(filledIn.get(stem) ?? []), text].join(' ')));
}

/** The placeholders that a text lacks or has too many; 'one device' may stand for '{{count}} device', but not 'other'. */
function placeholderFaults(key: string, text: string): string[] {
  const wanted = filledIn.get(key.replace(PLURAL, '')) ?? [];
  const found = placeholders(text);
  const countIsFree = PLURAL.test(key) && !key.endsWith('_other');
  return [
    ...wanted.filter((name) => !found.includes(name) && !(countIsFree && name === '{{count}}')),
    ...found.filter((name) => !wanted.includes(name)),
  ];
}

describe.each(packs)('texts in %s', (language, pack) => {
  it('have the keys of English, in the plural forms of the language', async () => {
    const keys = flatten(await pack.texts()).map(([key]) => key);
    expect(keys.toSorted()).toEqual(keysWanted(language));
  });

  it('fill in what English fills in', async () => {
    const faults = flatten(await pack.texts()).map(([key, text]) => [key, placeholderFaults(key, text)] as const);
    expect(faults.filter(([, names]) => names.length > 0)).toEqual([]);
  });

  it('are neither empty nor padded and have no stray brace', async () => {
    const odd = flatten(await pack.texts()).filter(
      ([, text]) => text === '' || text !== text.trim() || /[{}]/.test(text.replace(/\{\{\w+\}\}/g, '')),
    );
    expect(odd).toEqual([]);
  });
});

/** Values of the contract that are text keys as they are: `t(ad.playMode)`. */
const VALUES: ReadonlySet<string> = new Set([
  ...PauseReason.options,
  ...PlayMode.options,
  ...Priority.options,
  ...Role.options,
]);

/** The pages and what they share, as text by path; neither tests nor translations. */
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!./**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Where the keys of a namespace may be used: in the folder of that name and in files that load it; `common` is used everywhere. */
function sourcesOf(namespace: string): string {
  const asksFor = new RegExp(`(?:useTranslation\\(|getFixedT\\(null, )'${namespace}'`);
  return Object.entries(sources)
    .filter(([path, text]) => namespace === 'common' || path.includes(`/${namespace}/`) || asksFor.test(text))
    .map(([, text]) => text)
    .join('\n');
}

it.each(Object.entries(english))('every text of %s is used', (namespace, entries) => {
  const source = sourcesOf(namespace);
  const unused = Object.keys(entries)
    .map((key) => key.replace(PLURAL, ''))
    .filter((key) => !VALUES.has(key) && !source.includes(`'${key}'`));
  expect([...new Set(unused)]).toEqual([]);
});

/** The keys of the buttons with which a question is answered yes: `action: t('withdraw')`. */
const answers = new Set(
  Object.values(sources).flatMap((text) =>
    [...text.matchAll(/\baction: \w*(?:\.t|t)\(([^\n]*)\)/g)].flatMap(([, given = '']) =>
      [...given.matchAll(/'(?:\w+:)?(\w+)'/g)].map(([, key = '']) => key),
    ),
  ),
);

/** Whether a word says no more than "cancel", in another form; three Chinese characters more name what is cancelled. */
const isLikeCancel = (text: string, cancel: string): boolean =>
  text === cancel ||
  (!/\p{Script=Han}/u.test(text) && text.startsWith(cancel.slice(0, -1)) && text.length <= cancel.length + 3);

it.each(packs)('beside “Cancel”, no button of a question in %s reads like it', async (_, pack) => {
  const texts = await pack.texts();
  const { cancel = '' } = texts['common'] ?? {};
  const alike = flatten(texts).filter(
    ([key, text]) => answers.has(key.replace(/^\w+\./, '').replace(PLURAL, '')) && isLikeCancel(text, cancel),
  );
  expect(answers.size).toBeGreaterThan(30);
  expect(alike).toEqual([]);
});
