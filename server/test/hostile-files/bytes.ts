/** Numbers as bytes, most significant byte first unless the name has `le`. */
export const u8 = (...values: number[]): Buffer => Buffer.from(values);

function written(bytes: number, write: (buffer: Buffer) => void): Buffer {
  const buffer = Buffer.alloc(bytes);
  write(buffer);
  return buffer;
}

export const u16 = (...values: number[]): Buffer =>
  written(values.length * 2, (to) => values.forEach((value, index) => to.writeUInt16BE(value & 0xffff, index * 2)));

export const u32 = (...values: number[]): Buffer =>
  written(values.length * 4, (to) => values.forEach((value, index) => to.writeUInt32BE(value >>> 0, index * 4)));

export const u64 = (...values: bigint[]): Buffer =>
  written(values.length * 8, (to) =>
    values.forEach((value, index) => to.writeBigUInt64BE(BigInt.asUintN(64, value), index * 8)),
  );

export const u16le = (...values: number[]): Buffer =>
  written(values.length * 2, (to) => values.forEach((value, index) => to.writeUInt16LE(value & 0xffff, index * 2)));

export const u24le = (value: number): Buffer => u8(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff);

export const u32le = (...values: number[]): Buffer =>
  written(values.length * 4, (to) => values.forEach((value, index) => to.writeUInt32LE(value >>> 0, index * 4)));

export const u64le = (...values: bigint[]): Buffer =>
  written(values.length * 8, (to) =>
    values.forEach((value, index) => to.writeBigUInt64LE(BigInt.asUintN(64, value), index * 8)),
  );

export const float64 = (value: number): Buffer => written(8, (to) => to.writeDoubleBE(value));

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

export const join = (...parts: (Buffer | readonly Buffer[])[]): Buffer => Buffer.concat(parts.flat());

export const repeat = (count: number, part: Buffer | ((index: number) => Buffer)): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => (typeof part === 'function' ? part(index) : part)));

/** Number of nested boxes. */
export function nest(depth: number, wrap: (inner: Buffer) => Buffer, innermost: Buffer = Buffer.alloc(0)): Buffer {
  let nested = innermost;
  for (let level = 0; level < depth; level += 1) nested = wrap(nested);
  return nested;
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const MUTATIONS = 40;

/** The file with some bytes changed behind its first `kept`, by a seed; now and then a piece is lost or doubled. */
export function mutate(file: Buffer, seed: number, kept = 16): Buffer {
  const random = randomOf(seed);
  const place = (): number => kept + Math.floor(random() * (file.length - kept));
  const changed = Buffer.from(file);
  const extremes = [0, 1, 0x7f, 0x80, 0xff];
  for (let turn = 0; turn < MUTATIONS; turn += 1) {
    changed[place()] = random() < 0.5 ? (extremes[Math.floor(random() * extremes.length)] ?? 0) : random() * 256;
  }
  const cut = place();
  const bytes = Math.floor(random() * 64);
  if (seed % 3 === 1) return join(changed.subarray(0, cut), changed.subarray(cut + bytes));
  if (seed % 3 === 2) return join(changed.subarray(0, cut), changed.subarray(cut - bytes));
  return changed;
}
