import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messages } from '../contract/src/messages/ar.ts';
import player from '../player/src/locales/ar.ts';
import { ar } from '../web/src/locales/ar.ts';
import { entriesOf, exportTexts, importTexts, readTexts, sourcesUnder, withTexts } from './catalogues.mjs';

const root = path.resolve(import.meta.dirname, '..');

describe('the texts of the three catalogues', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'ams-locales-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('change no file when they are imported as they were exported', () => {
    for (const [name, texts] of exportTexts(root)) {
      writeFileSync(path.join(folder, name.replaceAll('/', '-')), JSON.stringify(texts));
    }
    const files = [...readTexts(folder)].map(([name, texts]): [string, Record<string, string>] => [
      name.replaceAll('-', '/'),
      texts,
    ]);
    expect(files.length).toBeGreaterThan(0);
    expect(importTexts(root, new Map(files))).toEqual({ changed: new Map(), unknown: [] });
  });

  it('are exported as the parts read them', () => {
    const exported = exportTexts(root);
    const { ok, ...groups } = messages;
    const texts = {
      ...Object.fromEntries(Object.entries(ar).map(([name, entries]) => [`ar/web/${name}.json`, entries])),
      ...Object.fromEntries(Object.entries(groups).map(([name, entries]) => [`ar/contract/${name}.json`, entries])),
      'ar/contract/messages.json': { ok },
      'ar/player/texts.json': player,
    };
    expect(Object.fromEntries([...exported].filter(([name]) => name.startsWith('ar/')))).toEqual(texts);
  });

  it('are read back literally when every one of them is replaced', () => {
    const awkward = 'It’s "new", isn\'t it? \u2068{{name}}\u2069 \\ \n$&';
    const sources = sourcesUnder(root).map(({ file }) => readFileSync(path.join(root, file), 'utf8'));
    const withEntries = sources.filter((source) => entriesOf(source).length > 0);
    expect(withEntries.length).toBeGreaterThan(0);
    for (const source of withEntries) {
      const texts = entriesOf(withTexts(source, () => awkward)).map(({ text }) => text);
      expect(new Set(texts)).toEqual(new Set([awkward]));
    }
  });

  it('name the keys that the code does not have', () => {
    const files = new Map([['de/web/common.json', { save: 'Sichern', unheardOf: '?' }]]);
    const { changed, unknown } = importTexts(root, files);
    expect(unknown).toEqual(['de/web/common.json: unheardOf']);
    expect([...changed.keys()]).toEqual(['web/src/locales/de/common.ts']);
  });
});
