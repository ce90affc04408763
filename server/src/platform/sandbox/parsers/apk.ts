import ManifestParser from '@devicefarmer/adbkit-apkreader/lib/apkreader/parser/manifest.js';
import { z } from 'zod';
import { toStorable } from '../../database/unstorable.ts';
import type { ApkAnswer, ApkFacts } from '../answers.ts';
import { type ResourceValue, resourceTexts } from './resources.ts';
import { readSignature } from './signature/read-signature.ts';
import { SignatureError } from './signature/signature.ts';
import { ZipFile, zipOnDisk, type ZipSource } from './zip.ts';

/** More than any real manifest, table or icon inflates to: what is larger is made to harm. */
const MANIFEST_MAX_BYTES = 8 * 2 ** 20;
const RESOURCES_MAX_BYTES = 128 * 2 ** 20;
const ICON_MAX_BYTES = 4 * 2 ** 20;
const TEXT_MAX = 200;

const Manifest = z.object({
  package: z
    .string()
    .regex(/^[A-Za-z][\w]*(\.[A-Za-z][\w]*)+$/)
    .max(255),
  versionCode: z.number().int().min(0),
  /** The upper half of the long version code (Android 9). */
  versionCodeMajor: z
    .number()
    .int()
    .min(0)
    .max(2 ** 21 - 1)
    .default(0),
  versionName: z.string().nullish(),
  application: z.object({ label: z.string().nullish(), icon: z.string().nullish() }),
});

/** The id in `resourceId:0x7f010000`, as the manifest reader writes references. */
const referenceOf = (value: string): number | undefined => {
  const hex = /^resourceId:0x([0-9a-f]{1,8})$/.exec(value)?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
};

/** The texts behind a manifest value, which may be the text itself. */
function textsOf(value: string | null | undefined, table: Buffer | undefined): ResourceValue[] {
  if (!value) return [];
  const id = referenceOf(value);
  if (id === undefined) return [{ text: value, language: '', density: 0 }];
  return (table && attempt(() => resourceTexts(table, id))) ?? [];
}

/** The text for everybody, else in any language. */
function textOf(value: string | null | undefined, table: Buffer | undefined): string | undefined {
  const texts = textsOf(value, table);
  const { text } = texts.find(({ language }) => language === '') ?? texts[0] ?? { text: '' };
  return toStorable(text.trim().slice(0, TEXT_MAX)) || undefined;
}

const ANY_DENSITY = 0xfffe;

/** The largest picture of the icon; a drawing in XML is none. */
function iconOf(apk: ZipFile, value: string | null | undefined, table: Buffer | undefined): Buffer | null {
  const [largest] = textsOf(value, table)
    .filter(({ text, density }) => /\.(png|webp)$/i.test(text) && density < ANY_DENSITY)
    .toSorted((a, b) => b.density - a.density);
  return (largest && attempt(() => apk.read(largest.text, ICON_MAX_BYTES))) ?? null;
}

/** The result of `read`, or undefined if it fails: the value is optional. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function factsOf(apk: ZipFile, source: ZipSource): ApkFacts {
  const manifest = Manifest.parse(new ManifestParser(apk.read('AndroidManifest.xml', MANIFEST_MAX_BYTES)).parse());
  const table = attempt(() => apk.read('resources.arsc', RESOURCES_MAX_BYTES));
  const { label, icon } = manifest.application;
  const code = manifest.versionCodeMajor * 2 ** 32 + manifest.versionCode;
  return {
    package: manifest.package,
    code,
    version: textOf(manifest.versionName, table) ?? String(code),
    label: textOf(label, table) ?? null,
    icon: iconOf(apk, icon, table),
    ...readSignature(apk, source),
  };
}

/** Content of an APK's manifest, or the reason why it is refused. */
export async function readApk(file: string): Promise<ApkAnswer> {
  const source = zipOnDisk(file);
  try {
    return { kind: 'apk', facts: factsOf(new ZipFile(source), source) };
  } catch (error) {
    return error instanceof SignatureError ? { kind: 'fault', fault: error.fault } : { kind: 'none' };
  } finally {
    source.close();
  }
}
