import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { APKS, makeUnsignedApk, makeZip } from '../../../../../test/apk.ts';
import { signApk, signerOf } from '../../../../../test/sign-apk.ts';
import { ZipFile, zipInMemory } from '../zip.ts';
import { readSignature } from './read-signature.ts';
import { type ApkSignature, SignatureError } from './signature.ts';

/** Signed by `apksigner` 31.0.2 of one small archive, so that the schemes are read as their maker writes them. */
const made = (name: string): Buffer =>
  readFileSync(path.join(import.meta.dirname, '../../../../../test/apks', `${name}.apk`));

/** The output of `apksigner verify --print-certs` for the keys. */
const RSA = '71680f2979c5631b8c33274ef8eef1b6e8b5a75eccc1735437bf28aa859f3300';
const ROTATED = 'c3fd619a8b40f33d5b01e954216217fae8627cb06e1230382ce48234ee4f7807';
const EC = '4c759226fa3db9583818a47683e4b6cb1fb4c738708c06cea690855c0da597f9';
const DSA = 'b7060cfbf23f3c576b42ba9359cb2a019129a027b63058f2f1de0b6d1951fa5d';

function read(bytes: Buffer): ApkSignature {
  const source = zipInMemory(bytes);
  return readSignature(new ZipFile(source), source);
}

function faultOf(bytes: Buffer): string {
  try {
    read(bytes);
  } catch (error) {
    if (error instanceof SignatureError) return error.fault;
    throw error;
  }
  return 'none';
}

const unsigned = await makeUnsignedApk(5, 'x'.repeat(2 ** 20));

describe('the signer is the one that apksigner reads', () => {
  test.each([
    ['v1', RSA],
    ['v1-ec', EC],
    ['v1-dsa', DSA],
    ['v1-v2', RSA],
    ['v2-v3', RSA],
  ])('%s', (name, signer) => expect(read(made(name))).toEqual({ signer, predecessors: [] }));

  test('from real apps', () => {
    expect(read(readFileSync(APKS.settings)).signer).toMatch(/^680dbbc39ab0944796c811b636ace510/);
    expect(read(readFileSync(APKS.server)).signer).toMatch(/^a40da80a59d170caa950cf15c18c454d/);
  });

  test('from an app whose key was rotated, with its former signers', () => {
    expect(read(made('rotated'))).toEqual({ signer: ROTATED, predecessors: [RSA] });
  });

  test('from APKs made by the tests', () => {
    expect(read(signApk(unsigned, 'second'))).toEqual({ signer: signerOf('second'), predecessors: [] });
  });
});

/** Removes the signing block, as a tool does that knows ZIP files only. */
function withoutBlock(apk: Buffer): Buffer {
  const { directoryStart, endStart } = new ZipFile(zipInMemory(apk)).layout;
  const start = directoryStart - Number(apk.readBigUInt64LE(directoryStart - 24)) - 8;
  const end = Buffer.from(apk.subarray(endStart));
  end.writeUInt32LE(start, 16);
  return Buffer.concat([apk.subarray(0, start), apk.subarray(directoryStart, endStart), end]);
}

/** Makes a pair of the signing block one that nobody knows. */
function withoutScheme(apk: Buffer, id: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(id);
  const copy = Buffer.from(apk);
  copy.writeUInt32LE(0x11223344, apk.lastIndexOf(bytes));
  return copy;
}

describe('refused', () => {
  test('an unsigned APK', () => {
    expect(faultOf(unsigned)).toBe('unsigned');
    expect(faultOf(withoutBlock(made('v2-v3')))).toBe('unsigned');
  });

  test('an APK whose stronger signature was removed', () => {
    expect(faultOf(withoutBlock(made('v1-v2')))).toBe('broken');
    expect(faultOf(withoutBlock(made('rotated')))).toBe('broken');
    expect(faultOf(withoutScheme(made('v2-v3'), 0xf05368c0))).toBe('broken');
  });

  test('an APK of several signers', () => {
    expect(faultOf(made('two-signers'))).toBe('unsupported');
    expect(faultOf(withoutBlock(made('two-signers')))).toBe('unsupported');
  });

  test.each(['v1', 'v1-ec', 'v1-v2', 'v2-v3', 'rotated'])('%s with other content', (name) => {
    const apk = made(name);
    // A file that is not compressed.
    const at = apk.indexOf('hello');
    const changed = Buffer.from(apk);
    changed.write('HELLO', at);
    const crc = (bytes: Buffer): number[] => [bytes.indexOf('PK\x03\x04'), bytes.indexOf('PK\x01\x02')];
    expect(crc(changed)).toEqual(crc(apk));
    expect(() => read(changed)).toThrow(/not what was signed|damaged/);
  });

  test('an APK with two files of one name, which readers resolve differently', () => {
    const twice = makeZip(['a', 'b'].map((text) => ({ name: 'classes.dex', bytes: Buffer.from(text) })));
    expect(() => read(twice)).toThrow('a name occurs twice');
  });
});

test.each(['v1', 'v1-v2', 'v2-v3', 'rotated'])('%s: no changed byte yields another signer', (name) => {
  const apk = made(name);
  const before = read(apk);
  fc.assert(
    fc.property(fc.nat(apk.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
      const changed = Buffer.from(apk);
      changed[at] = (changed[at] ?? 0) ^ mask;
      let after: ApkSignature | undefined;
      try {
        after = read(changed);
      } catch {
        return;
      }
      // Padding, times of files, and what no scheme signs.
      expect(after.signer).toBe(before.signer);
    }),
    { numRuns: 300 },
  );
});

test('a hostile signing block causes declared errors only', () => {
  const apk = signApk(unsigned);
  const { directoryStart } = new ZipFile(zipInMemory(apk)).layout;
  const start = directoryStart - Number(apk.readBigUInt64LE(directoryStart - 24)) - 8;
  fc.assert(
    fc.property(
      fc.integer({ min: start, max: directoryStart - 1 }),
      fc.uint8Array({ minLength: 1, maxLength: 8 }),
      (at, bytes) => {
        const changed = Buffer.from(apk);
        changed.set(bytes.subarray(0, directoryStart - at), at);
        expect(['none', 'unsigned', 'broken', 'unsupported']).toContain(faultOf(changed));
      },
    ),
    { numRuns: 300 },
  );
});
