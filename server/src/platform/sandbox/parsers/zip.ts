import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32, inflateRawSync } from 'node:zlib';

/**
 * Reads single files out of an archive (PKWARE APPNOTE 6.3, without Zip64: nothing here is that large), for
 * archives that nobody vouches for: the bytes read are limited, regardless of the sizes that the archive declares.
 * Archives in which another reader could see other files are refused: what is checked here is then read elsewhere.
 * Synchronous: it belongs into a process of its own.
 */

const SIGNATURE = { central: 0x02014b50, local: 0x04034b50 };
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const METHOD = { stored: 0, deflated: 8 };
const END_BYTES = 22;
const COMMENT_MAX_BYTES = 0xffff;
/** The end record counts files in 16 bits. */
const COUNTS = 2 ** 16;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const DIRECTORY_MAX_BYTES = 32 * 2 ** 20;

/** Offsets of an archive's parts: files, directory, end record. */
export interface ZipLayout {
  directoryStart: number;
  directoryEnd: number;
  endStart: number;
}

interface Entry {
  method: number;
  packedBytes: number;
  crc: number;
  offset: number;
}

/** An archive that breaks the format. */
export class ZipError extends Error {
  override name = 'ZipError';
}

/** Source of an archive's bytes. `at` is only called for positions within `bytes`. */
export interface ZipSource {
  bytes: number;
  at(start: number, bytes: number): Buffer;
  close(): void;
}

export const zipInMemory = (archive: Buffer): ZipSource => ({
  bytes: archive.length,
  at: (start, bytes) => archive.subarray(start, start + bytes),
  close: () => undefined,
});

/** An archive on the disk, of which only what is asked for is read. */
export function zipOnDisk(file: string): ZipSource {
  const fd = openSync(file, 'r');
  return {
    bytes: fstatSync(fd).size,
    at: (start, bytes) => readAt(fd, start, bytes),
    close: () => closeSync(fd),
  };
}

function readAt(fd: number, start: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  let read = 0;
  while (read < bytes) {
    const more = readSync(fd, buffer, read, bytes - read, start + read);
    if (more === 0) throw new ZipError('cut off');
    read += more;
  }
  return buffer;
}

export class ZipFile {
  readonly #source: ZipSource;
  readonly layout: ZipLayout;
  readonly #entries: [string, Entry][];

  /** Throws `ZipError` if the file is truncated or not an archive. */
  constructor(source: ZipSource) {
    this.#source = source;
    const { layout, entries } = this.#readDirectory();
    this.layout = layout;
    this.#entries = entries;
    // Readers differ in which of two they take: what one of them checks, the other would not use.
    if (new Set(this.names).size !== entries.length) throw new ZipError('a name occurs twice');
  }

  get names(): string[] {
    return this.#entries.map(([name]) => name);
  }

  /** Content of a file in the archive. Throws when it is missing, damaged or inflates to more than `limit` bytes. */
  read(name: string, limit: number): Buffer {
    const entry = this.#entries.find(([known]) => known === name)?.[1];
    if (!entry) throw new ZipError(`${name} is missing`);
    return this.#content(name, entry, limit);
  }

  has(name: string): boolean {
    return this.#entries.some(([known]) => known === name);
  }

  /** Throws unless all files are whole and together inflate to at most `limit` bytes. */
  check(limit: number): void {
    let left = limit;
    for (const [name, entry] of this.#entries) left -= this.#content(name, entry, Math.max(left, 1)).length;
    if (left < 0) throw new ZipError('inflates to too much');
  }

  #content(name: string, entry: Entry, limit: number): Buffer {
    if (entry.packedBytes > limit) throw new ZipError(`${name} is too large`);
    const local = this.#at(entry.offset, LOCAL_BYTES);
    if (local.readUInt32LE(0) !== SIGNATURE.local) throw new ZipError(`${name} is not where it should be`);
    const [nameBytes, extraBytes] = [local.readUInt16LE(26), local.readUInt16LE(28)];
    const localName = this.#at(entry.offset + LOCAL_BYTES, nameBytes).toString('utf8');
    if (localName !== name || local.readUInt16LE(8) !== entry.method) throw new ZipError(`${name} has two headers`);
    const start = entry.offset + LOCAL_BYTES + nameBytes + extraBytes;
    const packed = this.#at(start, entry.packedBytes);
    const content = this.#unpack(entry.method, packed, limit);
    if (crc32(content) !== entry.crc) throw new ZipError(`${name} is damaged`);
    return content;
  }

  #unpack(method: number, packed: Buffer, limit: number): Buffer {
    if (method === METHOD.stored) return packed;
    if (method !== METHOD.deflated) throw new ZipError('packed in an unknown way');
    return inflateRawSync(packed, { maxOutputLength: limit });
  }

  close(): void {
    this.#source.close();
  }

  #at(start: number, bytes: number): Buffer {
    if (start < 0 || start + bytes > this.#source.bytes) throw new ZipError('cut off');
    return this.#source.at(start, bytes);
  }

  /** The last end record, which precedes a comment whose length it contains. */
  #findEnd(): { end: Buffer; endStart: number } {
    const tailBytes = Math.min(this.#source.bytes, END_BYTES + COMMENT_MAX_BYTES);
    const tailStart = this.#source.bytes - tailBytes;
    const tail = this.#at(tailStart, tailBytes);
    const at = tail.lastIndexOf(END_SIGNATURE);
    const end = tail.subarray(at);
    const isEnd = at >= 0 && end.length >= END_BYTES && end.readUInt16LE(20) === end.length - END_BYTES;
    if (!isEnd) throw new ZipError('no end record');
    return { end, endStart: tailStart + at };
  }

  #readDirectory(): { layout: ZipLayout; entries: [string, Entry][] } {
    const { end, endStart } = this.#findEnd();
    const [bytes, directoryStart] = [end.readUInt32LE(12), end.readUInt32LE(16)];
    if (bytes > DIRECTORY_MAX_BYTES) throw new ZipError('directory too large');
    const layout = { directoryStart, directoryEnd: directoryStart + bytes, endStart };
    const entries = this.#entriesIn(this.#at(directoryStart, bytes));
    if (entries.length % COUNTS !== end.readUInt16LE(10)) throw new ZipError('directory of another length');
    return { layout, entries };
  }

  #entriesIn(directory: Buffer): [string, Entry][] {
    const entries: [string, Entry][] = [];
    for (let at = 0; at + CENTRAL_BYTES <= directory.length;) {
      if (directory.readUInt32LE(at) !== SIGNATURE.central) throw new ZipError('directory damaged');
      const [name, extra, comment] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
      const text = directory.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + (name ?? 0));
      const entry = {
        method: directory.readUInt16LE(at + 10),
        crc: directory.readUInt32LE(at + 16),
        packedBytes: directory.readUInt32LE(at + 20),
        offset: directory.readUInt32LE(at + 42),
      };
      entries.push([text, entry]);
      at += CENTRAL_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
    }
    return entries;
  }
}
