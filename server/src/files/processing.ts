import { hash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import type { FILE_FAILURES } from '@ams/contract';
import { z } from 'zod';
import type { Db } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import {
  type BlobOutcome,
  filesOfBlob,
  isProcessing,
  queueConversion,
  recordOutcome,
  recordPoster,
} from './blobs.queries.ts';
import { hashFile, lockForStoring } from './content.ts';
import { convertVideo } from './convert.ts';
import { publishFiles } from './files.service.ts';
import { makePoster, probePicture } from './picture.ts';
import { planVideo } from './playable.ts';
import { progressTeller } from './progress.ts';
import { sniff, SNIFF_BYTES } from './sniff.ts';
import { type FfmpegUse, isWhole, stillOf } from './still.ts';
import { probeVideo } from './video.ts';

type Failure = (typeof FILE_FAILURES)[number];

/** A file that processing made. */
interface Product {
  file: string;
  sha256: string;
  bytes: number;
}

/** `toConvert`: the rest is left to the job that converts; what it will look like is known already. */
type Examined =
  { state: 'failed'; failure: Failure } | { state: 'toConvert'; interlaced: boolean; poster: Product } | Ready;

interface Ready {
  state: 'ready';
  mime: string;
  width: number;
  height: number;
  durationMs: number | null;
  /** What machines get instead of the original. */
  play: Product | undefined;
  /** Undefined where there is none, or the one that was made before stays. */
  poster: Product | undefined;
}

/** Where one content is worked on: what to read, where to write, and ffmpeg when there is one. */
interface Bench {
  source: string;
  folder: string;
  use: FfmpegUse | undefined;
}

const failed = (failure: Failure): Examined => ({ state: 'failed', failure });

async function savePoster(folder: string, poster: Buffer): Promise<Product> {
  const file = path.join(folder, 'poster.webp');
  await fs.writeFile(file, poster);
  return { file, sha256: hash('sha256', poster), bytes: poster.length };
}

async function examinePicture({ source, folder }: Bench): Promise<Examined> {
  const facts = await probePicture(source);
  if (facts.kind === 'bad') return failed(facts.failure);
  const poster = await makePoster(source).catch(() => undefined);
  // A picture that cannot be decoded to its end is cut off or damaged.
  if (!poster) return failed('unreadable');
  const { mime, width, height } = facts;
  return {
    state: 'ready',
    mime,
    width,
    height,
    durationMs: null,
    play: undefined,
    poster: await savePoster(folder, poster),
  };
}

async function examineVideo({ source, folder, use }: Bench): Promise<Examined> {
  const facts = await probeVideo(source);
  if (facts.kind === 'bad') return failed(facts.failure);
  const still = use && (await stillOf(source, facts, use));
  if (use && !still) return failed('unreadable');
  const poster = still && (await savePoster(folder, still.poster));
  const { width, height, durationMs } = facts;
  const interlaced = still?.interlaced === true;
  const plan = planVideo({ ...facts, interlaced });
  if (plan.kind === 'play') {
    if (use && !(await isWhole(source, facts, use))) return failed('unreadable');
    return { state: 'ready', mime: plan.mime, width, height, durationMs, play: undefined, poster };
  }
  return poster ? { state: 'toConvert', interlaced, poster } : failed('needsConversion');
}

/** @param onProgress gets the share that is done, 0 to 1 */
async function convert(bench: Bench, interlaced: boolean, onProgress: (share: number) => void): Promise<Examined> {
  const { source, folder, use } = bench;
  const facts = await probeVideo(source);
  if (facts.kind === 'bad') return failed(facts.failure);
  const plan = planVideo({ ...facts, interlaced });
  if (plan.kind === 'play') return examineVideo(bench);
  if (!use) return failed('needsConversion');
  const target = path.join(folder, 'play.mp4');
  const converted = await convertVideo({ file: source, target, facts, interlaced, use, onProgress }, plan);
  if (converted.kind === 'failed') return failed(converted.failure);
  const { width, height, durationMs } = converted.facts;
  const play = { file: target, ...(await hashFile(target)) };
  return { state: 'ready', mime: 'video/mp4', width, height, durationMs, play, poster: undefined };
}

async function examine(bench: Bench): Promise<Examined> {
  const head = Buffer.alloc(SNIFF_BYTES);
  const handle = await fs.open(bench.source);
  await handle.read(head, 0, SNIFF_BYTES, 0).finally(() => handle.close());
  const media = sniff(head);
  if (media === undefined) return failed('unreadable');
  return media === 'image' ? examinePicture(bench) : examineVideo(bench);
}

const toOutcome = (examined: Exclude<Examined, { state: 'toConvert' }>): BlobOutcome =>
  examined.state === 'failed'
    ? {
        ...{ state: 'failed', failure: examined.failure, mime: null, width: null, height: null, duration_ms: null },
        ...{ play_sha256: null, play_bytes: null },
      }
    : {
        ...{ state: 'ready', failure: null, mime: examined.mime, width: examined.width, height: examined.height },
        duration_ms: examined.durationMs,
        play_sha256: examined.play?.sha256 ?? null,
        play_bytes: examined.play?.bytes ?? null,
        ...(examined.poster && { poster_sha256: examined.poster.sha256 }),
      };

const productsOf = (examined: Examined): (Product | undefined)[] => {
  if (examined.state === 'failed') return [];
  return examined.state === 'ready' ? [examined.play, examined.poster] : [examined.poster];
};

/** Writes down what was found out; false when the content is not being processed any more. */
async function note(tx: Db, sha256: string, examined: Examined): Promise<boolean> {
  if (examined.state !== 'toConvert') return recordOutcome(tx, sha256, toOutcome(examined));
  await queueConversion(tx, sha256, examined.interlaced);
  return recordPoster(tx, sha256, examined.poster.sha256);
}

/** Stores what was made, then says so: a row never names bytes that are not there. */
async function record({ db, blobs }: Deps, sha256: string, examined: Examined): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockForStoring(tx);
    if (!(await note(tx, sha256, examined))) return;
    for (const product of productsOf(examined)) {
      if (product && (await blobs.size(product.sha256)) !== product.bytes) {
        await blobs.adopt(product.sha256, product.file);
      }
    }
    await publishFiles(tx, await filesOfBlob(tx, sha256));
  });
}

/** Ends the processing of a content that no server survives. */
export const giveUpBlob = (deps: Deps, sha256: string): Promise<void> => record(deps, sha256, failed('unreadable'));

const ToExamine = z.object({ sha256: z.string() });
const ToConvert = z.object({ sha256: z.string(), interlaced: z.boolean() });

/** Works on a content that is being processed, in a folder of this job's own, and writes down what was found out. */
async function workOn(
  deps: Deps,
  job: 'examine' | 'convert',
  sha256: string,
  stopping: AbortSignal,
  work: (bench: Bench) => Promise<Examined>,
): Promise<void> {
  if (!(await isProcessing(deps.db, sha256))) return;
  const folder = path.join(deps.config.data, 'processing', `${sha256}.${job}`);
  // What an earlier try left behind when it was killed.
  await fs.rm(folder, { recursive: true, force: true });
  await fs.mkdir(folder, { recursive: true });
  try {
    await using source = await deps.blobs.borrow(sha256);
    const use = deps.conversion ? { ffmpeg: deps.config.ffmpeg, signal: stopping } : undefined;
    await record(deps, sha256, await work({ source: source.path, folder, use }));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/**
 * The job `files_process`: finds out what a content is and makes its still. What browsers cannot play goes on to
 * `files_convert`. Throws only for what may be different next time (disk, database, shutdown).
 */
export async function processBlob(deps: Deps, payload: unknown, stopping: AbortSignal): Promise<void> {
  const { sha256 } = ToExamine.parse(payload);
  await workOn(deps, 'examine', sha256, stopping, examine);
}

/** The job `files_convert`: makes of a video what browsers can play. */
export async function convertBlob(deps: Deps, payload: unknown, stopping: AbortSignal): Promise<void> {
  const { sha256, interlaced } = ToConvert.parse(payload);
  await workOn(deps, 'convert', sha256, stopping, (bench) => convert(bench, interlaced, progressTeller(deps, sha256)));
}
