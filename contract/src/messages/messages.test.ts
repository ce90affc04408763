import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../languages.ts';
import { messages as ar } from './ar.ts';
import { messages as de } from './de.ts';
import { messages as en, type Messages } from './en.ts';
import { messages as es } from './es.ts';
import { messages as fr } from './fr.ts';
import { messages as ja } from './ja.ts';
import { messages as ko } from './ko.ts';
import { messages as pt } from './pt.ts';
import { messages as ru } from './ru.ts';
import { messages as tr } from './tr.ts';
import { messages as vi } from './vi.ts';
import { messages as zh } from './zh.ts';

const ALL: Record<Language, Messages> = { zh, en, de, es, fr, ar, ja, ko, pt, ru, tr, vi };

/** Every message under its dotted key: `errors.INVALID`, `rules.username.required`, … */
const flatten = ({ ok, ...groups }: Messages): Record<string, string> => {
  const entries = Object.entries(groups).flatMap(([group, texts]) =>
    Object.entries(texts).map(([key, text]): [string, string] => [`${group}.${key}`, text]),
  );
  return { ok, ...Object.fromEntries(entries) };
};

const placeholders = (text: string): string[] => (text.match(/\{\{[^{}]*\}\}/g) ?? []).toSorted();

const english = flatten(en);
const placeholdersOf = (texts: Record<string, string>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, placeholders(text)]));

describe.each(LANGUAGES)('messages in %s', (language) => {
  const texts = flatten(ALL[language]);

  it('fill in what the English messages fill in, key by key', () => {
    expect(placeholdersOf(texts)).toEqual(placeholdersOf(english));
  });

  it('have no stray brace', () => {
    expect(Object.values(texts).filter((text) => /[{}]/.test(text.replace(/\{\{\w+\}\}/g, '')))).toEqual([]);
  });

  it('are neither empty nor padded', () => {
    expect(Object.values(texts).filter((text) => text === '' || text !== text.trim())).toEqual([]);
  });
});

describe.each(LANGUAGES.filter((language) => language !== 'en'))('messages in %s', (language) => {
  it('are translated', () => {
    const same = Object.entries(flatten(ALL[language])).filter(([key, text]) => text === english[key]);
    expect(same).toEqual([]);
  });
});
