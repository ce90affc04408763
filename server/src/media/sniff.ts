import { MEDIA, type Media } from '@ams/contract';

/** Number of first bytes that determine every accepted type. */
export const SNIFF_BYTES = 16;

const startsWith = (head: Buffer, ...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte);
const text = (head: Buffer, start: number, end: number): string => head.toString('latin1', start, end);

/** Still pictures that share their container with MP4 (ISO/IEC 23008-12), and sound alone. */
const NOT_VIDEO_BRANDS = /^(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|M4A |M4B |M4P )$/;

/** Top-level boxes that a QuickTime file without `ftyp` may begin with. */
const QUICKTIME_BOXES = /^(moov|mdat|wide|free|skip|pnot)$/;

function isImage(head: Buffer): boolean {
  if (startsWith(head, 0xff, 0xd8, 0xff)) return true;
  if (startsWith(head, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return true;
  if (/^GIF8[79]a$/.test(text(head, 0, 6))) return true;
  return text(head, 0, 4) === 'RIFF' && text(head, 8, 12) === 'WEBP';
}

function isVideo(head: Buffer): boolean {
  // EBML: Matroska and WebM.
  if (startsWith(head, 0x1a, 0x45, 0xdf, 0xa3)) return true;
  const box = text(head, 4, 8);
  if (box === 'ftyp') return !NOT_VIDEO_BRANDS.test(text(head, 8, 12));
  return QUICKTIME_BOXES.test(box);
}

const IS_OF: Record<Media, (head: Buffer) => boolean> = { image: isImage, video: isVideo };

/** Type of a file by its first bytes, regardless of its name; undefined if not accepted. */
export const sniff = (head: Buffer): Media | undefined => MEDIA.find((media) => IS_OF[media](head));
