/**
 * Looks values up in an APK's `resources.arsc`, as far as a name and an icon need it.
 * Layout: AOSP frameworks/base, libs/androidfw/include/androidfw/ResourceTypes.h.
 * Everything is read at a known place, nothing is walked whose length the file decides but the chunks.
 */

/** One value of a resource; `language` is empty for the default, `density` in dpi, 0 for the default. */
export interface ResourceValue {
  text: string;
  language: string;
  density: number;
}

const CHUNK = { stringPool: 0x0001, package: 0x0200, type: 0x0201 };
const TABLE_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const UTF8_FLAG = 1 << 8;
const TYPE_FLAG = { sparse: 1, offset16: 2 };
const ENTRY_FLAG = { complex: 1, compact: 8 };
const VALUE = { reference: 0x01, string: 0x03 };
const NO_ENTRY = 0xffff_ffff;
const NO_ENTRY_16 = 0xffff;
/** References that lead on to references. */
const HOPS_MAX = 8;

interface Chunk {
  type: number;
  start: number;
  headerBytes: number;
  end: number;
}

/** The chunks between two offsets, one after the other. */
function* chunksIn(data: Buffer, from: number, to: number): Generator<Chunk> {
  let start = from;
  while (start + CHUNK_HEADER_BYTES <= to) {
    const bytes = data.readUInt32LE(start + 4);
    if (bytes < CHUNK_HEADER_BYTES || start + bytes > to) throw new RangeError('chunk out of its bounds');
    yield {
      type: data.readUInt16LE(start),
      start,
      headerBytes: data.readUInt16LE(start + 2),
      end: start + bytes,
    };
    start += bytes;
  }
}

/** A length before a string: one unit, or two when its highest bit is set. */
function readLength(data: Buffer, at: number, unit: 1 | 2): { length: number; next: number } {
  const high = unit === 1 ? 0x80 : 0x8000;
  const read = (offset: number): number => data.readUIntLE(offset, unit);
  const first = read(at);
  if (first < high) return { length: first, next: at + unit };
  return { length: (first - high) * high * 2 + read(at + unit), next: at + 2 * unit };
}

function stringAt(data: Buffer, pool: Chunk, index: number): string {
  if (index >= data.readUInt32LE(pool.start + 8)) throw new RangeError('string out of its pool');
  const flags = data.readUInt32LE(pool.start + 16);
  const strings = pool.start + data.readUInt32LE(pool.start + 20);
  const at = strings + data.readUInt32LE(pool.start + pool.headerBytes + index * 4);
  if (flags & UTF8_FLAG) {
    const { next } = readLength(data, at, 1);
    const { length, next: text } = readLength(data, next, 1);
    return data.toString('utf8', text, text + length);
  }
  const { length, next } = readLength(data, at, 2);
  return data.toString('utf16le', next, next + length * 2);
}

/** Offset of the entry in a type chunk, or undefined if this configuration has none. */
function entryIn(data: Buffer, chunk: Chunk, index: number): number | undefined {
  const flags = data.readUInt8(chunk.start + 9);
  const count = data.readUInt32LE(chunk.start + 12);
  const entries = chunk.start + data.readUInt32LE(chunk.start + 16);
  const offsets = chunk.start + chunk.headerBytes;
  if (flags & TYPE_FLAG.sparse) {
    const end = Math.min(offsets + count * 4, chunk.end);
    for (let at = offsets; at < end; at += 4) {
      if (data.readUInt16LE(at) === index) return entries + data.readUInt16LE(at + 2) * 4;
    }
    return undefined;
  }
  if (index >= count) return undefined;
  if (flags & TYPE_FLAG.offset16) {
    const offset = data.readUInt16LE(offsets + index * 2);
    return offset === NO_ENTRY_16 ? undefined : entries + offset * 4;
  }
  const offset = data.readUInt32LE(offsets + index * 4);
  return offset === NO_ENTRY ? undefined : entries + offset;
}

/** Kind and data of a plain entry; a map or a list has none. */
function valueOf(data: Buffer, entry: number): { kind: number; value: number } | undefined {
  const flags = data.readUInt16LE(entry + 2);
  if (flags & ENTRY_FLAG.compact) return { kind: flags >> 8, value: data.readUInt32LE(entry + 4) };
  if (flags & ENTRY_FLAG.complex) return undefined;
  const at = entry + data.readUInt16LE(entry);
  return { kind: data.readUInt8(at + 3), value: data.readUInt32LE(at + 4) };
}

const CONFIG_OFFSET = 20;
const languageOf = (data: Buffer, { start }: Chunk): string =>
  data.toString('latin1', start + CONFIG_OFFSET + 8, start + CONFIG_OFFSET + 10).replace(/\0/g, '');
const densityOf = (data: Buffer, { start }: Chunk): number => data.readUInt16LE(start + CONFIG_OFFSET + 14);

interface ResourceTable {
  data: Buffer;
  strings: Chunk;
  /** By package id and type id. */
  types: Map<number, Chunk[]>;
}

function readTable(data: Buffer): ResourceTable {
  const types = new Map<number, Chunk[]>();
  let strings: Chunk | undefined;
  for (const chunk of chunksIn(data, TABLE_HEADER_BYTES, data.length)) {
    if (chunk.type === CHUNK.stringPool) strings ??= chunk;
    if (chunk.type !== CHUNK.package) continue;
    const packageId = data.readUInt32LE(chunk.start + 8);
    for (const inner of chunksIn(data, chunk.start + chunk.headerBytes, chunk.end)) {
      if (inner.type !== CHUNK.type) continue;
      const key = packageId * 0x100 + data.readUInt8(inner.start + 8);
      types.set(key, [...(types.get(key) ?? []), inner]);
    }
  }
  if (!strings) throw new RangeError('no strings');
  return { data, strings, types };
}

function lookUp(table: ResourceTable, id: number, hops: number): ResourceValue[] {
  if (hops > HOPS_MAX) return [];
  const { data, strings, types } = table;
  return (types.get(id >>> 16) ?? []).flatMap((chunk) => {
    const entry = entryIn(data, chunk, id & 0xffff);
    const found = entry === undefined ? undefined : valueOf(data, entry);
    if (found?.kind === VALUE.reference) return lookUp(table, found.value, hops + 1);
    if (found?.kind !== VALUE.string) return [];
    const text = stringAt(data, strings, found.value);
    return [{ text, language: languageOf(data, chunk), density: densityOf(data, chunk) }];
  });
}

/** The texts of resource `id` (`0xPPTTEEEE`) in all configurations. Throws `RangeError` for a damaged table. */
export const resourceTexts = (data: Buffer, id: number): ResourceValue[] => lookUp(readTable(data), id, 0);
