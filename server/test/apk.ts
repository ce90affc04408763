import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { App } from '@ams/contract';
import ManifestParser from '@devicefarmer/adbkit-apkreader/lib/apkreader/parser/manifest.js';
import { z } from 'zod';
import { ZipFile, zipOnDisk } from '../src/platform/sandbox/parsers/zip.ts';
import { type AppWishes, upload } from './media.ts';
import { signApk, type TestKey } from './sign-apk.ts';
import { dataOf, type Session, type TestServer } from './server.ts';

const require = createRequire(import.meta.url);
const packageFolder = (name: string): string => path.dirname(require.resolve(`${name}/package.json`));

/** Real APKs: one with name and icon, one without, and one of tests that has no version. */
export const APKS = {
  settings: path.join(packageFolder('io.appium.settings'), 'apks/settings_apk-debug.apk'),
  server: path.join(
    packageFolder('appium-uiautomator2-server'),
    `apks/appium-uiautomator2-server-v${require('appium-uiautomator2-server/package.json').version}.apk`,
  ),
  withoutVersion: path.join(
    packageFolder('appium-uiautomator2-server'),
    'apks/appium-uiautomator2-server-debug-androidTest.apk',
  ),
};

interface ZipEntry {
  name: string;
  bytes: Buffer;
}

/** An archive of uncompressed files (PKWARE APPNOTE 4.3). */
export function makeZip(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(10, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), bytes]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x0a\x00'), common, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  const directory = Buffer.concat(centrals);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

const INT_DEC = 0x10;

/** A manifest with another version code: the decimal number in it that is the present one. */
function withCode(manifest: Buffer, code: number): Buffer {
  const { versionCode } = z.object({ versionCode: z.number() }).parse(new ManifestParser(manifest).parse());
  const present = Buffer.from([0x08, 0, 0, INT_DEC, 0, 0, 0, 0]);
  present.writeUInt32LE(versionCode, 4);
  const at = manifest.indexOf(present);
  if (at < 0) throw new Error(`no version code ${versionCode}`);
  const changed = Buffer.from(manifest);
  changed.writeUInt32LE(code, at + 4);
  return changed;
}

/**
 * A small signed APK of the package `io.appium.settings` at version code `code`; `filler` makes its bytes different.
 */
export const makeApk = async (code: number, filler = '', key: TestKey = 'first'): Promise<Buffer> =>
  signApk(await makeUnsignedApk(code, filler), key);

export async function makeUnsignedApk(code: number, filler = ''): Promise<Buffer> {
  const apk = new ZipFile(zipOnDisk(APKS.settings));
  const read = (name: string): Buffer => apk.read(name, 2 ** 24);
  const manifest = read('AndroidManifest.xml');
  const bytes = makeZip([
    { name: 'AndroidManifest.xml', bytes: withCode(manifest, code) },
    { name: 'resources.arsc', bytes: read('resources.arsc') },
    { name: 'assets/filler', bytes: Buffer.from(filler) },
  ]);
  apk.close();
  return bytes;
}

export const readSettingsApk = (): Promise<Buffer> => readFile(APKS.settings);

/** Uploads an app and publishes it. */
export async function addApp(
  server: Pick<TestServer, 'url'>,
  session: Session,
  bytes: Buffer,
  wishes: Partial<AppWishes> = {},
): Promise<App> {
  const answer = await upload(server, session, bytes, { kind: 'app', ...wishes });
  if (answer.kind === 'refused') throw new Error(JSON.stringify(answer.body));
  return dataOf(await session.calls.apps.update({ params: { id: answer.fileId }, body: { published: true } }));
}
