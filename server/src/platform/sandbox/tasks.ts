import { z } from 'zod';
import {
  ApkAnswer,
  DrawnCode,
  ExaminedPicture,
  Icon,
  PictureFacts,
  ReadAnswer,
  type Sheet,
  VideoProbe,
} from './answers.ts';
import type { TaskTable } from './task.ts';

/**
 * `media`: jobs on uploads. `quick`: somebody waits for what takes milliseconds. `documents`: somebody waits for what
 * may take a minute. `devices`: what devices send by themselves. `codes`: nobody can log in without them, so they wait for
 * no content of anybody's.
 */
export type AppLane = 'media' | 'quick' | 'documents' | 'devices' | 'codes';

const MINUTE_MS = 60_000;
const InFile = z.object({ file: z.string() });
const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const InMemory = z.object({ bytes: Bytes });
/** Width times height. */
const pixels = { pixelsMax: z.number() };

/**
 * All tasks of the sandbox. A parser judges its content; these limits end content that exhausts it. Children import
 * this file, too: it must not import anything large.
 */
export const APP_TASKS = {
  /** Reads the header only. */
  pictureFacts: {
    lane: 'quick',
    limits: { wallMs: MINUTE_MS, cpuMs: 10_000, residentMb: 512 },
    input: InFile.extend({ ...pixels, sideMax: z.number() }),
    output: PictureFacts,
  },
  /** Decodes a picture to its end. */
  examinePicture: {
    lane: 'media',
    limits: { wallMs: 2 * MINUTE_MS, cpuMs: 30_000, residentMb: 1200 },
    input: InFile.extend({ ...pixels, sideMax: z.number() }),
    output: ExaminedPicture,
  },
  /** The poster of a video's frame, or null when that cannot be decoded to its end. */
  poster: {
    lane: 'media',
    limits: { wallMs: 2 * MINUTE_MS, cpuMs: 30_000, residentMb: 1200 },
    input: InMemory.extend(pixels),
    output: Bytes.nullable(),
  },
  /** A file that cannot be read to its end is `unreadable`. */
  videoFacts: {
    lane: 'media',
    limits: { wallMs: 2 * MINUTE_MS, cpuMs: 10_000, residentMb: 700 },
    input: InFile.extend(pixels),
    output: VideoProbe,
  },
  /** Whether a video certainly has no personal metadata. */
  isPlainVideo: {
    lane: 'media',
    limits: { wallMs: 2 * MINUTE_MS, cpuMs: 10_000, residentMb: 512 },
    input: InFile.extend({ mime: z.string() }),
    output: z.boolean(),
  },
  /** Whether a screenshot is a whole JPEG. */
  isWholeJpeg: {
    lane: 'devices',
    limits: { wallMs: MINUTE_MS, cpuMs: 5000, residentMb: 512 },
    input: InMemory.extend(pixels),
    output: z.boolean(),
  },
  /** An APK's icon as a WebP of at most `side` pixels a side, or null when it cannot be drawn. */
  icon: {
    lane: 'quick',
    limits: { wallMs: MINUTE_MS, cpuMs: 5000, residentMb: 512 },
    input: InMemory.extend({ ...pixels, side: z.number() }),
    output: Icon.nullable(),
  },
  /** Content of an APK's manifest, and its signer. */
  apk: {
    lane: 'documents',
    limits: { wallMs: 2 * MINUTE_MS, cpuMs: 30_000, residentMb: 700 },
    input: InFile,
    output: ApkAnswer,
  },
  /** Sheets as a true .xls file (BIFF8). */
  writeXls: {
    lane: 'documents',
    limits: { wallMs: 10 * MINUTE_MS, cpuMs: 3 * MINUTE_MS, residentMb: 1600 },
    input: z.object({ sheets: z.custom<Sheet[]>(Array.isArray) }),
    output: Bytes,
  },
  /** The sheets of an .xls, .xlsx or .csv file; its content decides which it is. */
  readSheets: {
    lane: 'documents',
    limits: { wallMs: MINUTE_MS, cpuMs: 30_000, residentMb: 900 },
    input: InMemory.extend({ extension: z.string(), language: z.string(), maxRows: z.number() }),
    output: ReadAnswer,
  },
  /** A verification code and its picture as a PNG. Parses nothing of anybody's; it needs what draws. */
  captcha: {
    lane: 'codes',
    limits: { wallMs: MINUTE_MS, cpuMs: 5000, residentMb: 512 },
    input: z.object({ width: z.number(), height: z.number() }),
    output: DrawnCode,
  },
} satisfies TaskTable<AppLane>;

export type AppTasks = typeof APP_TASKS;

/** Input of a parser. */
export type AppInput<Name extends keyof AppTasks> = z.output<AppTasks[Name]['input']>;
