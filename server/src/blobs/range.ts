import type { ByteRange } from './blobs.ts';

/** The byte range that a `Range` header requests. */
export type Part = { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'unsatisfiable' };

const WHOLE: Part = { kind: 'whole' };

/**
 * The part of `size` bytes that a `Range` header asks for (RFC 9110 §14.1.2).
 * Anything but one valid byte range — another unit, several ranges, a syntax error — is ignored,
 * as §14.2 lets a server do.
 */
export function parseRange(header: string | undefined, size: number): Part {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  if (!match) return WHOLE;
  const [first = '', last = ''] = match.slice(1);
  if (first === '') return last === '' ? WHOLE : suffix(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return WHOLE;
  if (start >= size) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) } };
}

function suffix(length: number, size: number): Part {
  if (length === 0 || size === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start: Math.max(0, size - length), end: size - 1 } };
}
