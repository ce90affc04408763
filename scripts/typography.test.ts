import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { entriesOf, exportTexts } from './catalogues.mjs';

const root = path.resolve(import.meta.dirname, '..');
const VERIFY = path.join(root, 'web/verify/locales');

interface Text {
  language: string;
  name: string;
  text: string;
}

/** All texts of the interface, those of the page that checks verification files included. */
const texts: Text[] = [
  ...[...exportTexts(root)].flatMap(([file, entries]) =>
    Object.entries(entries).map(([key, text]) => ({ language: file.slice(0, 2), name: `${file} ${key}`, text })),
  ),
  ...readdirSync(VERIFY).flatMap((file) =>
    entriesOf(readFileSync(path.join(VERIFY, file), 'utf8')).map(({ key, text }) => ({
      language: file.slice(0, 2),
      name: `verify ${file} ${key}`,
      text,
    })),
  ),
];

const faults = (isFault: (given: Text) => boolean): string[] =>
  texts.filter(isFault).map(({ name, text }) => `${name}: ${text}`);

it('texts have the quotation marks and the apostrophe of their language, none of a typewriter', () => {
  expect(faults(({ text }) => /['"]/.test(text))).toEqual([]);
});

const EAST_ASIAN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー「」“”]`;
const HALF_WIDTH = new RegExp(String.raw`${EAST_ASIAN} ?[:;!?,()]|[:;!?,()] ?${EAST_ASIAN}`, 'u');

it('Chinese and Japanese texts have full-width punctuation', () => {
  expect(faults(({ language, text }) => /^(?:zh|ja)$/.test(language) && HALF_WIDTH.test(text))).toEqual([]);
});

/** Numbers from 10,000, and smaller ones with a mark for thousands; not parts of codes, addresses and dates. */
const LARGE = /(?<![\w.:-])(?:\d{1,3}(?:[.,\s]\d{3})+|\d{5,})(?![\w:-])/g;

it('large numbers have the marks of their language', () => {
  const isWrong = ({ language, text }: Text): boolean => {
    const number = new Intl.NumberFormat(language, { useGrouping: 'always' });
    return [...text.matchAll(LARGE)].some(([found]) => found !== number.format(Number(found.replaceAll(/\D/g, ''))));
  };
  expect(faults(isWrong)).toEqual([]);
});

it('signs of French, and percent signs after a space, stay on the line of their word', () => {
  const isLoose = ({ language, text }: Text): boolean =>
    /[\d}] %/.test(text) || (language === 'fr' && / [:;!?»]|« /.test(text));
  expect(faults(isLoose)).toEqual([]);
});

/** What people or devices name, in any script; lists bring their own isolates (`fillMessage`). */
const NAMES =
  'ad|area|by|device|email|format|host|merchant|name|other|owner|package|reason|remark|tag|target|title|username|value';
const BARE_NAME = new RegExp(String.raw`(?<!\u2068)\{\{(?:${NAMES})\}\}`);

it('Arabic texts isolate names, whose direction would otherwise move the words beside them', () => {
  // The name of the copy of an ad is stored: it is no text around a name.
  const isMixed = ({ language, name, text }: Text): boolean =>
    language === 'ar' && !name.endsWith(' copyOf') && BARE_NAME.test(text);
  expect(faults(isMixed)).toEqual([]);
});
