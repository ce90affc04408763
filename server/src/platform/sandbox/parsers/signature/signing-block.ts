import { createHash } from 'node:crypto';
import type { ZipLayout, ZipSource } from '../zip.ts';
import type { ContentHash } from './algorithms.ts';
import { broken, Cursor } from './signature.ts';

/**
 * The APK Signing Block lies between a ZIP's files and its directory
 * (source.android.com/docs/security/features/apksigning/v2).
 */

const MAGIC = Buffer.from('APK Sig Block 42');
const FOOTER_BYTES = 8 + MAGIC.length;
const BLOCK_MAX_BYTES = 16 * 2 ** 20;

export const BLOCK = { v2: 0x7109871a, v3: 0xf05368c0, v31: 0x1b93ad61 } as const;

export interface SigningBlock {
  start: number;
  /** The first value under each id. */
  values: Map<number, Buffer>;
}

/** The block of an APK, or undefined when it has none. Throws `SignatureError` for a damaged one. */
export function findSigningBlock(source: ZipSource, layout: ZipLayout): SigningBlock | undefined {
  const { directoryStart, directoryEnd, endStart } = layout;
  if (directoryEnd !== endStart) throw broken('the end does not follow the directory');
  if (directoryStart < FOOTER_BYTES + 8) return undefined;
  const footer = source.at(directoryStart - FOOTER_BYTES, FOOTER_BYTES);
  if (!footer.subarray(8).equals(MAGIC)) return undefined;
  const bytes = new Cursor(footer).size();
  const start = directoryStart - bytes - 8;
  if (bytes < FOOTER_BYTES || bytes > BLOCK_MAX_BYTES || start < 0) throw broken('the signing block has no such size');
  const block = new Cursor(source.at(start, bytes + 8 - FOOTER_BYTES));
  if (block.size() !== bytes) throw broken('the sizes of the signing block differ');
  const values = new Map<number, Buffer>();
  while (!block.isAtEnd) {
    const pair = new Cursor(block.take(block.size()));
    const id = pair.uint32();
    if (!values.has(id)) values.set(id, pair.rest());
  }
  return { start, values };
}

const CHUNK_BYTES = 2 ** 20;
const CHUNK_PREFIX = 0xa5;
const TOP_PREFIX = 0x5a;
const END_DIRECTORY_START = 16;

const prefixed = (prefix: number, value: number): Buffer => {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(prefix);
  bytes.writeUInt32LE(value, 1);
  return bytes;
};

/** The end record as it was when the APK was signed: the directory followed the files. */
function unsignedEnd(source: ZipSource, { endStart }: ZipLayout, blockStart: number): Buffer {
  const end = Buffer.from(source.at(endStart, source.bytes - endStart));
  end.writeUInt32LE(blockStart, END_DIRECTORY_START);
  return end;
}

/** The digest that v2 and v3 sign: of everything but the signing block, in pieces of 1 MiB. */
export function contentDigest(source: ZipSource, layout: ZipLayout, blockStart: number, hash: ContentHash): Buffer {
  const { directoryStart, endStart } = layout;
  const end = unsignedEnd(source, layout, blockStart);
  const sections = [
    { bytes: blockStart, at: (start: number, bytes: number) => source.at(start, bytes) },
    {
      bytes: endStart - directoryStart,
      at: (start: number, bytes: number) => source.at(directoryStart + start, bytes),
    },
    { bytes: end.length, at: (start: number, bytes: number) => end.subarray(start, start + bytes) },
  ];
  const digests = sections.flatMap(({ bytes, at }) =>
    Array.from({ length: Math.ceil(bytes / CHUNK_BYTES) }, (_, index) => {
      const chunk = at(index * CHUNK_BYTES, Math.min(CHUNK_BYTES, bytes - index * CHUNK_BYTES));
      return createHash(hash).update(prefixed(CHUNK_PREFIX, chunk.length)).update(chunk).digest();
    }),
  );
  return createHash(hash).update(prefixed(TOP_PREFIX, digests.length)).update(Buffer.concat(digests)).digest();
}
