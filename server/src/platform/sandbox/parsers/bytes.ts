import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** A content of which parts are read. */
export interface Bytes {
  length: number;
  /** At most `length` bytes from `start`; fewer at the end. */
  at(start: number, length: number): Buffer;
}

export const inMemory = (bytes: Uint8Array): Bytes => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { length: buffer.length, at: (start, length) => buffer.subarray(start, start + length) };
};

/** Gives `read` parts of a file. */
export function withFile<T>(file: string, read: (bytes: Bytes) => T): T {
  const fd = openSync(file, 'r');
  try {
    const at = (start: number, length: number): Buffer => {
      const buffer = Buffer.allocUnsafe(length);
      return buffer.subarray(0, readSync(fd, buffer, 0, length, start));
    };
    return read({ length: fstatSync(fd).size, at });
  } finally {
    closeSync(fd);
  }
}
