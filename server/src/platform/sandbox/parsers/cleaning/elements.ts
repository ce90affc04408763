import type { Reader } from './reader.ts';

/** Elements of Matroska (RFC 9559 §5): those that are looked into, by what may be in them. */
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const TAGS = 0x1254c367;
const TAG = 0x7373;
const SIMPLE_TAG = 0x67c8;
const MASTERS = new Set([SEGMENT, INFO, TRACKS, TRACK, TAGS, TAG, SIMPLE_TAG]);
const TAG_NAME = 0x45a3;
/** Attachments, chapters, the film's title, names of files and tracks, and when it was made. */
const PERSONAL = new Set([0x1941a469, 0x1043a770, 0x7ba9, 0x7384, 0x3c83ab, 0x3e83bb, 0x536e, 0x4461]);
/** Tags that every encoder writes. */
const PLAIN_TAGS = new Set(['ENCODER', 'DURATION']);
const HEAD_BYTES = 12;
const NAME_MAX = 64;

interface Element {
  id: number;
  start: number;
  /** Undefined: until its parent ends, or its like begins. */
  length: number | undefined;
}

/** A number whose first byte holds its length (RFC 8794 §4); `marked` keeps the length bits, as ids do. */
function readVint(bytes: Buffer, at: number, marked: boolean): { value: number; length: number } | undefined {
  const first = bytes[at];
  if (!first) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = marked ? first : first & (0xff >> length);
  for (let index = 1; index < length; index += 1) value = value * 256 + (bytes[at + index] ?? 0);
  return { value, length };
}

function readElement(head: Buffer, at: number): Element | undefined {
  const id = readVint(head, 0, true);
  const size = id && readVint(head, id.length, false);
  if (!size) return undefined;
  const isUnknown = size.value >= 2 ** (7 * size.length) - 1;
  return { id: id.value, start: at + id.length + size.length, length: isUnknown ? undefined : size.value };
}

async function arePlain(reader: Reader, start: number, end: number): Promise<boolean> {
  for (let at = start; at < end;) {
    const element = readElement(await reader.read(at, HEAD_BYTES), at);
    if (!element || PERSONAL.has(element.id)) return false;
    const last =
      element.length === undefined && element.id === SEGMENT ? end : element.start + (element.length ?? Infinity);
    if (last > end) return false;
    if (element.id === TAG_NAME) {
      const name = await reader.read(element.start, Math.min(NAME_MAX, last - element.start));
      if (!PLAIN_TAGS.has(name.toString('latin1'))) return false;
    }
    if (MASTERS.has(element.id) && !(await arePlain(reader, element.start, last))) return false;
    at = last;
  }
  return true;
}

/** Whether a WebM holds a film and nothing about it. */
export const isPlainWebm = (reader: Reader): Promise<boolean> => arePlain(reader, 0, reader.size);
