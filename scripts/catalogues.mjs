/**
 * The texts of the interface in the source, found and replaced without running it. A namespace is the
 * nearest object with a name: `export const ads = {` or `errors: {`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The folders with a file or a folder for each language. */
const CATALOGUES = { web: 'web/src/locales', player: 'player/src/locales', contract: 'contract/src/messages' };

/**
 * @typedef {{ namespace: string, key: string, text: string, start: number, end: number }} Entry `start` and `end`
 *   enclose the literal, quotes included
 * @typedef {{ language: string, catalogue: string, file: string }} Source `file` is relative to the root
 * @typedef {Record<string, string>} Texts by key
 */

const KEY = String.raw`(?:(\w+)|'([^']+)')`;
const TOKENS = new RegExp(
  [
    String.raw`^ *(?:export )?const (?<constant>\w+)[^\n]* = \{$`,
    String.raw`^ *${KEY}: \{$`,
    String.raw`^ *${KEY}:\s+(?<literal>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),$`,
    String.raw`^ *(?<close>\})`,
  ].join('|'),
  'gm',
);

/** @param {string} source @returns {Entry[]} the texts of a locale file, in its order */
export function entriesOf(source) {
  /** @type {Entry[]} */
  const entries = [];
  /** @type {string[]} */
  const open = [];
  for (const match of source.matchAll(TOKENS)) {
    const { constant, literal, close } = match.groups ?? {};
    const key = match.slice(2, 6).find(Boolean) ?? '';
    if (close) open.pop();
    else if (!literal) open.push(constant ?? key);
    else {
      const end = match.index + match[0].length - 1;
      entries.push({ namespace: open.at(-1) ?? '', key, text: unquote(literal), start: end - literal.length, end });
    }
  }
  return entries;
}

/**
 * @param {string} source
 * @param {(entry: Entry) => string | undefined} textFor the new text of an entry; undefined keeps the old one
 * @returns {string} the source with the texts that differ replaced, to be formatted
 */
export function withTexts(source, textFor) {
  let changed = source;
  for (const entry of entriesOf(source).toReversed()) {
    const text = textFor(entry) ?? entry.text;
    if (text !== entry.text) changed = changed.slice(0, entry.start) + quote(text) + changed.slice(entry.end);
  }
  return changed;
}

/** @param {string} literal */
const unquote = (literal) =>
  literal
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, hex, char) =>
      hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : char === 'n' ? '\n' : char,
    );

/** Spaces that do not break, marks of direction: escaped, because a reader of the source cannot see them. */
const INVISIBLE = /[\u00a0\u200b-\u200f\u2028-\u202f\u2066-\u2069\ufeff]/g;

/** @param {string} text */
const quote = (text) =>
  `'${text
    .replaceAll(/['\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(INVISIBLE, (char) => String.raw`\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`;

/** @param {string} root @returns {Source[]} every file that holds texts, in every language */
export function sourcesUnder(root) {
  return Object.entries(CATALOGUES).flatMap(([catalogue, folder]) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /^[a-z]{2}(?:\.ts|\/\w+\.ts)$/.test(name))
      .toSorted()
      .map((name) => ({ language: name.slice(0, 2), catalogue, file: path.join(folder, name) })),
  );
}

/**
 * @param {string} root
 * @returns {Map<string, Texts>} by the path of the JSON file: `<language>/<catalogue>/<namespace>.json`
 */
export function exportTexts(root) {
  /** @type {Map<string, Texts>} */
  const files = new Map();
  for (const { language, catalogue, file } of sourcesUnder(root)) {
    for (const { namespace, key, text } of entriesOf(readFileSync(path.join(root, file), 'utf8'))) {
      const name = `${language}/${catalogue}/${namespace}.json`;
      const texts = files.get(name) ?? {};
      texts[key] = text;
      files.set(name, texts);
    }
  }
  return files;
}

/**
 * @param {string} root
 * @param {Map<string, Texts>} files as from `exportTexts`; files and keys may be missing
 * @returns {{ changed: Map<string, string>, unknown: string[] }} the sources that change, by their file, and what has
 *   no place in them: texts are translated here, keys are added in the code
 */
export function importTexts(root, files) {
  const known = exportTexts(root);
  const unknown = [...files].flatMap(([name, texts]) =>
    Object.keys(texts)
      .filter((key) => known.get(name)?.[key] === undefined)
      .map((key) => `${name}: ${key}`),
  );
  /** @type {Map<string, string>} */
  const changed = new Map();
  for (const { language, catalogue, file } of sourcesUnder(root)) {
    const source = readFileSync(path.join(root, file), 'utf8');
    const result = withTexts(
      source,
      ({ namespace, key }) => files.get(`${language}/${catalogue}/${namespace}.json`)?.[key],
    );
    if (result !== source) changed.set(file, result);
  }
  return { changed, unknown };
}

/** @param {string} folder @returns {Map<string, Texts>} the JSON files under a folder */
export function readTexts(folder) {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return new Map(names.map((name) => [name, JSON.parse(readFileSync(path.join(folder, name), 'utf8'))]));
}
