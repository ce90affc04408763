/** GIF89a §17 to §26. */
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
/** How often it is shown, and its colours. */
const KEPT_APPLICATIONS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);
const HEAD_BYTES = 13;

/** Bytes of the table of colours that these flags announce. */
const colours = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** End of the sub-blocks that begin at `at`. */
function endOfBlocks(bytes: Buffer, at: number): number {
  let end = at;
  for (let size = bytes[end]; size; size = bytes[end]) end += 1 + size;
  return end + 1;
}

function isKept(bytes: Buffer, at: number): boolean {
  const label = bytes[at + 1];
  if (label === APPLICATION) return KEPT_APPLICATIONS.has(bytes.toString('latin1', at + 3, at + 14));
  return label !== COMMENT;
}

/** The parts of a GIF without comments and metadata, and without anything behind its end; what is drawn is the same. */
export function cleanGif(bytes: Buffer): Buffer[] {
  const start = HEAD_BYTES + colours(bytes[10] ?? 0);
  const parts: Buffer[] = [bytes.subarray(0, start)];
  let at = start;
  while (at < bytes.length) {
    const kind = bytes[at];
    let end = at + 1;
    if (kind === EXTENSION) end = endOfBlocks(bytes, at + 2);
    else if (kind === IMAGE) end = endOfBlocks(bytes, at + 11 + colours(bytes[at + 9] ?? 0));
    else if (kind !== TRAILER) break;
    if (kind !== EXTENSION || isKept(bytes, at)) parts.push(bytes.subarray(at, end));
    at = end;
    if (kind === TRAILER) break;
  }
  return parts;
}
