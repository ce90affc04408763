import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { messages } from '@ams/contract/messages/ar';
import player from '../player/src/locales/ar.ts';
import { ar } from '../web/src/locales/ar.ts';
import { entriesOf, exportTexts, importTexts, readTexts, sourcesUnder, withTexts } from './catalogues.mjs';

const root = path.resolve(import.meta.dirname, '..');

/** Imperatives that address a reader as "usted". */
const ES_USTED =
  'elija|escriba|introduzca|separe|filtre|apruébela|rechácela|mantenga|ejecute|abra|pida|revise|cree|añada|compruebe\\w*|recargue|' +
  'póngal\\w+|guárdel\\w+|fírmelo|quítelo|ignore|envíe|suba|escríbala|reserve|guarde|salga';

/**
 * Words that we do not use: each language has one word for a thing, such as a device, a play or an area, and an account is
 * disabled, not forbidden. A photo is what a camera takes, never the content of an ad. Spanish says "tú" throughout,
 * Portuguese is that of Brazil.
 */
const UNWANTED: Record<string, RegExp> = {
  en: /\b(machines?|materials?|resources?|forbid\w*|forbade|superior|go(?:es)? on)\b|(?:^|[.:] )what (?:is|it|they|waits|has)\b/i,
  zh: /机器|素材|资源|上级用户|活动|账户|警报|结算单|绑定|熄屏|验证文件/,
  de: /maschine|ressource|leitende|vorgesetzt|werbeanzeige|werbedatei|\bTags\b|warnung|gebiet|freigegeben/i,
  es: new RegExp(
    String.raw`\b(?:máquinas?|equipos?|recursos?|usted|${ES_USTED}|emparejamiento|extractos?|las alertas|período)\b`,
    'i',
  ),
  fr: /\b(machines?|ressources?|supérieur|annonces?|appairage|QR code|envois|passages)\b/i,
  ar: /آلة|ماكينة|وكيل|المنشورات|٪/,
  ja: /端末|マシン|リソース|(?:スキャンで|デバイスを)登録|をキャンセルしました/,
  ko: /단말|머신|리소스|딜러|장치|명세서|일시 중지/,
  pt: /\b(máquinas?|equipamentos?|ficheiros?|recursos?|utilizador\w*|aparelhos?|ecrãs?|folhas? de cálculo|emparelh\w*|reproduç\w+|ligado|desligado(?! (?:de|conforme))|zonas?|metas?|QR code|demasiado|guarde)\b/i,
  ru: /машин|картинк|ресурс|(?<![а-яё])тег|сопряж|контент|код подключения|тип файла|(?<![а-яё])зон[аы](?![а-яё])/i,
  tr: /makine|kaynak dosya|yayım|satıcı|oynatma (?:başına|eksik)|eksik oynatma/i,
  vi: /máy(?! (?:chủ|ảnh))|tài nguyên|xác thực hai bước|(?:bản|lần|đợt) phát hành/i,
};

/** The texts of the page that checks verification files, which has a catalogue of its own. */
const verifyTexts = (): [name: string, texts: Record<string, string>][] =>
  readdirSync(path.join(root, 'web/verify/locales')).map((file) => [
    `${file.slice(0, 2)}/verify`,
    Object.fromEntries(
      entriesOf(readFileSync(path.join(root, 'web/verify/locales', file), 'utf8')).map(({ key, text }) => [key, text]),
    ),
  ]);

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{\w+\}\}/g))].toSorted();
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

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

  it('use none of the unwanted words', () => {
    const found = [...exportTexts(root), ...verifyTexts()].flatMap(([name, texts]) =>
      Object.entries(texts)
        .filter(([, text]) => UNWANTED[name.slice(0, 2)]?.test(text))
        .map(([key, text]) => `${name} ${key}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it('fill in in every language what they fill in in English', () => {
    const exported = exportTexts(root);
    const faults = [...exported].flatMap(([name, texts]) => {
      const english = exported.get(`en${name.slice(2)}`) ?? {};
      return Object.entries(texts)
        .filter(([key]) => !PLURAL.test(key))
        .filter(([key, text]) => String(placeholders(text)) !== String(placeholders(english[key] ?? '')))
        .map(([key, text]) => `${name} ${key}: ${text}`);
    });
    expect(faults).toEqual([]);
  });

  it('are used: those of the player and the contract', () => {
    const folders = ['contract/src', 'server/src', 'web/src', 'player/src'];
    const isCatalogue = /\/(?:messages|locales)\/\w\w(?:\.ts|\/)|\.test\.tsx?$/;
    const source = folders
      .flatMap((part) =>
        readdirSync(path.join(root, part), { recursive: true, encoding: 'utf8' }).map((name) => `${part}/${name}`),
      )
      .filter((name) => /\.tsx?$/.test(name) && !isCatalogue.test(name))
      .concat('player/index.html')
      .map((name) => readFileSync(path.join(root, name), 'utf8'))
      .join('\n');
    const words = new Set(source.match(/[\w.]+/g)?.flatMap((word) => [word, ...word.split('.')]));
    const unused = [...exportTexts(root)]
      .filter(([name]) => /^en\/(?:player|contract)\//.test(name))
      .flatMap(([name, texts]) =>
        Object.keys(texts)
          .filter((key) => !words.has(key))
          .map((key) => `${name} ${key}`),
      );
    expect(unused).toEqual([]);
  });
});
