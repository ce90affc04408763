import type { ZipFile, ZipSource } from '../zip.ts';
import type { ContentHash } from './algorithms.ts';
import { type BlockSigner, verifyBlock } from './block-signer.ts';
import { jarSignerOf } from './jar.ts';
import { predecessorsOf } from './lineage.ts';
import { type ApkSignature, broken, Cursor, fingerprintOf, SignatureError } from './signature.ts';
import { BLOCK, contentDigest, findSigningBlock } from './signing-block.ts';

/** Attributes that name the newer scheme that also signed the APK: if that signature is missing, it was removed. */
const STRIPPING = { v2: 0xbeeff00d, v3: 0x559f8b02 } as const;
const V3 = 3;

/**
 * Signer of an APK, determined as by Android 9 and newer: v3 before v2 before v1 (JAR). A present scheme that does not
 * verify is never skipped for a weaker one. Every byte is checked. Throws `SignatureError`.
 */
export function readSignature(apk: ZipFile, source: ZipSource): ApkSignature {
  const block = findSigningBlock(source, apk.layout);
  const signers = block ? verifySchemes(block.values, hashing(apk, source, block.start)) : {};
  const { v31, v3, v2 } = signers;
  if (v31 && !v3) throw broken('a v3.1 signature without one of v3');
  if (v3) return rotated(v3, v31, v2);
  if (v2) return { signer: fingerprintOf(v2.certificate), predecessors: [] };
  return { signer: fingerprintOf(jarSignerOf(apk)), predecessors: [] };
}

type Schemes = Partial<Record<keyof typeof BLOCK, BlockSigner>>;

/** Digests of the content, each computed once. */
function hashing(apk: ZipFile, source: ZipSource, blockStart: number): (hash: ContentHash) => Buffer {
  const known = new Map<ContentHash, Buffer>();
  return (hash) => {
    const digest = known.get(hash) ?? contentDigest(source, apk.layout, blockStart, hash);
    known.set(hash, digest);
    return digest;
  };
}

function verifySchemes(values: Map<number, Buffer>, digestOf: (hash: ContentHash) => Buffer): Schemes {
  const schemes: Schemes = {};
  for (const scheme of ['v2', 'v3', 'v31'] as const) {
    const value = values.get(BLOCK[scheme]);
    if (value) schemes[scheme] = verifyBlock(value, scheme !== 'v2', digestOf);
  }
  const { v2, v3, v31 } = schemes;
  const promised = v2?.attributes.get(STRIPPING.v2);
  if (promised && new Cursor(promised).uint32() === V3 && !v3) throw broken('the v3 signature was removed');
  if (v3?.attributes.has(STRIPPING.v3) && !v31) throw broken('the v3.1 signature was removed');
  return schemes;
}

/** Devices of different Android versions see different schemes: these must be of one signer, or of one that it follows. */
function rotated(v3: BlockSigner, v31: BlockSigner | undefined, v2: BlockSigner | undefined): ApkSignature {
  const latest = v31 ?? v3;
  const signer = fingerprintOf(latest.certificate);
  const predecessors = predecessorsOf(latest.certificate, latest.attributes);
  predecessorsOf(v3.certificate, v3.attributes);
  const trusted = new Set([signer, ...predecessors]);
  for (const other of [v3, v2]) {
    if (other && !trusted.has(fingerprintOf(other.certificate))) {
      throw new SignatureError('unsupported', 'the schemes are of different signers');
    }
  }
  return { signer, predecessors };
}
