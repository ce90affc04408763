import { z } from 'zod';

/** Why a content is refused by its parser. `tooDemanding`: it needs too much time or memory. */
const bad = <const Failures extends readonly string[]>(...failures: Failures) =>
  z.object({ kind: z.literal('bad'), failure: z.enum(failures) });

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const Picture = z.object({ kind: z.literal('picture'), mime: z.string(), width: z.number(), height: z.number() });
const badPicture = bad('unreadable', 'tooManyPixels', 'tooLong', 'tooDemanding');

/** A picture as it is seen, turned by its EXIF orientation. */
export const PictureFacts = z.discriminatedUnion('kind', [Picture, badPicture]);
export type PictureFacts = z.output<typeof PictureFacts>;

/** A piece of a file that is made of another one: bytes, or the other one's from `from` up to but not including `to`. */
export const Piece = z.union([z.object({ from: z.int().nonnegative(), to: z.int() }), Bytes]);
export type Piece = z.output<typeof Piece>;
/** A file that consists of more pieces than any picture is answered as one. */
export const PIECES_MAX = 1000;

/**
 * A picture that was decoded to its end. `poster`: a WebP that fits 480 × 480. `clean`: a copy without metadata, or
 * null when the picture has none. Pieces instead of bytes: what passes between processes is garbage there.
 */
export const ExaminedPicture = z.discriminatedUnion('kind', [
  Picture.extend({ poster: Bytes, clean: z.array(Piece).max(PIECES_MAX).nullable() }),
  badPicture,
]);
export type ExaminedPicture = z.output<typeof ExaminedPicture>;

const ProbedVideo = z.object({
  kind: z.literal('video'),
  container: z.enum(['mp4', 'mov', 'webm', 'mkv']),
  /** Codec names are mediabunny's; null is a codec it does not know. */
  codec: z.string().nullable(),
  /** RFC 6381 codec string such as `avc1.640015`. */
  codecString: z.string().nullable(),
  /** Undefined when there is no sound. */
  audio: z.object({ codec: z.string().nullable() }).optional(),
  /** Place of the sound that players choose among the sounds of the file, from 0. */
  soundAt: z.number().int().min(0),
  /** Brighter and more colourful than a common screen shows (PQ, HLG). */
  hdr: z.boolean(),
  /** Its first picture or sound is not at the beginning of its own clock, as in a part of a recording. */
  late: z.boolean(),
  /** As shown: turned, with square pixels. */
  width: z.number(),
  height: z.number(),
  durationMs: z.number(),
});
export type ProbedVideo = z.output<typeof ProbedVideo>;

export const VideoProbe = z.discriminatedUnion('kind', [ProbedVideo, bad('unreadable', 'noVideo', 'tooManyPixels')]);
export type VideoProbe = z.output<typeof VideoProbe>;

/** Content of an APK's manifest. */
const ApkFacts = z.object({
  package: z.string(),
  code: z.number(),
  version: z.string(),
  label: z.string().nullable(),
  /** A PNG or WebP, not examined. */
  icon: Bytes.nullable(),
  /** SHA-256 of the signer's certificate. */
  signer: z.string(),
  /** Signers whose installed apps this one may replace. */
  predecessors: z.array(z.string()),
});
export type ApkFacts = z.output<typeof ApkFacts>;

export const ApkAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('apk'), facts: ApkFacts }),
  z.object({ kind: z.literal('none') }),
  /** An APK that Android would not install. `unsupported`: signed in a way that only Android could judge. */
  z.object({ kind: z.literal('fault'), fault: z.enum(['unsigned', 'broken', 'unsupported']) }),
]);
export type ApkAnswer = z.output<typeof ApkAnswer>;

/** A WebP. */
export const Icon = z.object({ bytes: Bytes, width: z.number(), height: z.number() });
export type Icon = z.output<typeof Icon>;

export const DrawnCode = z.object({ text: z.string(), png: Bytes });
export type DrawnCode = z.output<typeof DrawnCode>;

export type Cell = string | number | null;

/** A number to calculate with that shows as many decimals as its currency has. */
export interface Money {
  amount: number;
  decimals: number;
}

/** A day (`2027-01-31`) or a minute (`2027-01-31 10:00`) to calculate with. */
export interface SheetTime {
  at: string;
}

export type WrittenCell = Cell | Money | SheetTime;

/** One sheet to write; its first row holds the headings, or a title in the language of the sheet. */
export interface Sheet {
  name: string;
  rows: WrittenCell[][];
}

/** A row as it was in a file: `row` counts from 1; dates as `YYYY-MM-DD`, other numbers as they are. */
export interface ReadRow {
  row: number;
  cells: Cell[];
}

export interface ReadSheet {
  name: string;
  rows: ReadRow[];
}

export const ReadAnswer = z.discriminatedUnion('kind', [
  // Looking at every cell would keep the server busy, and a child has no reason to lie.
  z.object({ kind: z.literal('sheets'), sheets: z.custom<ReadSheet[]>(Array.isArray) }),
  z.object({
    kind: z.literal('refused'),
    error: z.enum(['BAD_SPREADSHEET', 'SPREADSHEET_PROTECTED', 'SPREADSHEET_HEAVY', 'UNSUPPORTED_FORMAT']),
  }),
]);
export type ReadAnswer = z.output<typeof ReadAnswer>;
