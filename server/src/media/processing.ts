import { hash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { type FILE_FAILURES, IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX, type Media } from '@ams/contract';
import type { AppSandbox } from '../platform/sandbox/open.ts';
import { hashFile } from '../platform/process/hash-file.ts';
import { convertVideo, type Converting } from './convert.ts';
import { estimateSeconds } from './pace.ts';
import { writePieces } from './pieces.ts';
import type { Frames } from './filters.ts';
import { planVideo } from './playable.ts';
import { sniff, SNIFF_BYTES } from './sniff.ts';
import { cleanVideo } from './clean-video.ts';
import { type FfmpegUse, isWhole, stillOf } from './still.ts';

export type Failure = (typeof FILE_FAILURES)[number];

/** A file that processing made. */
export interface Product {
  file: string;
  sha256: string;
  bytes: number;
}

/** The rest is left to the job that converts; what it will look like is known already. */
interface ToConvert {
  state: 'toConvert';
  frames: Frames;
  poster: Product;
  /** How long converting it may take. */
  seconds: number;
}

export type Examined = { state: 'failed'; failure: Failure } | ToConvert | Ready;

interface Ready {
  state: 'ready';
  mime: string;
  width: number;
  height: number;
  durationMs: number | null;
  /** The copy that devices receive instead of the original. */
  play: Product | undefined;
  /** Undefined where there is none, or the one that was made before stays. */
  poster: Product | undefined;
}

/** Environment for processing one content: input, output folder, sandbox, and ffmpeg if available. */
export interface Workspace {
  source: string;
  folder: string;
  sandbox: AppSandbox;
  signal: AbortSignal;
  use: FfmpegUse | undefined;
}

export const failed = (failure: Failure): Examined => ({ state: 'failed', failure });

async function savePoster(folder: string, poster: Uint8Array): Promise<Product> {
  const file = path.join(folder, 'poster.webp');
  await fs.writeFile(file, poster);
  return { file, sha256: hash('sha256', poster), bytes: poster.length };
}

const PIXELS = { pixelsMax: IMAGE_PIXELS_MAX };

async function examinePicture({ source, folder, sandbox, signal }: Workspace): Promise<Examined> {
  const asked = { file: source, ...PIXELS, sideMax: IMAGE_SIDE_MAX };
  const picture = await sandbox.run('examinePicture', asked, { signal });
  if (picture.kind === 'bad') return failed(picture.failure);
  const { mime, width, height, clean } = picture;
  const copy = path.join(folder, 'clean');
  const play = clean ? { file: copy, ...(await writePieces(source, clean, copy)) } : undefined;
  const poster = await savePoster(folder, picture.poster);
  return { state: 'ready', mime, width, height, durationMs: null, play, poster };
}

/** Serves a cleaned copy of a video whose metadata tell place, person or camera. */
async function cleaned(workspace: Workspace, soundAt: number, ready: Ready): Promise<Examined> {
  const made = await cleanVideo({ ...workspace, soundAt, mime: ready.mime });
  if (made.kind === 'failed') return failed(made.failure);
  return made.kind === 'copy' ? { ...ready, play: made.copy } : ready;
}

async function examineVideo(workspace: Workspace): Promise<Examined> {
  const { source, folder, sandbox, signal, use } = workspace;
  const facts = await sandbox.run('videoFacts', { file: source, ...PIXELS }, { signal });
  if (facts.kind === 'bad') return failed(facts.failure);
  const still = use && (await stillOf(source, facts, use));
  if (use && !still) return failed('unreadable');
  const poster = still && (await savePoster(folder, still.poster));
  const { width, height, durationMs } = facts;
  const frames = still ? still.frames : { interlaced: false };
  const plan = planVideo({ ...facts, interlaced: frames.interlaced });
  if (plan.kind === 'play') {
    if (use && !(await isWhole(source, facts, use))) return failed('unreadable');
    return cleaned(workspace, facts.soundAt, {
      state: 'ready',
      mime: plan.mime,
      width,
      height,
      durationMs,
      play: undefined,
      poster,
    });
  }
  if (!poster) return failed('needsConversion');
  return { state: 'toConvert', frames, poster, seconds: plan.video === 'copy' ? 1 : estimateSeconds(facts) };
}

/** Makes of a video what browsers can play. Throws `MakeRoom` when others come first. */
export async function convert(workspace: Workspace, frames: Frames, converting: Converting): Promise<Examined> {
  const { source, folder, sandbox, signal, use } = workspace;
  const facts = await sandbox.run('videoFacts', { file: source, ...PIXELS }, { signal });
  if (facts.kind === 'bad') return failed(facts.failure);
  const plan = planVideo({ ...facts, interlaced: frames.interlaced });
  if (plan.kind === 'play') return examine(workspace);
  if (!use) return failed('needsConversion');
  const target = path.join(folder, 'play.mp4');
  const converted = await convertVideo({ file: source, target, facts, frames, use, ...converting }, plan);
  if (converted.kind === 'failed') return failed(converted.failure);
  const { width, height, durationMs } = converted.facts;
  const play = { file: target, ...(await hashFile(target)) };
  return { state: 'ready', mime: 'video/mp4', width, height, durationMs, play, poster: undefined };
}

const EXAMINE: Record<Media, (workspace: Workspace) => Promise<Examined>> = {
  image: examinePicture,
  video: examineVideo,
};

/** Examines a content and creates its poster. Content that browsers cannot play is marked for conversion. */
export async function examine(workspace: Workspace): Promise<Examined> {
  const head = Buffer.alloc(SNIFF_BYTES);
  const handle = await fs.open(workspace.source);
  await handle.read(head, 0, SNIFF_BYTES, 0).finally(() => handle.close());
  const media = sniff(head);
  if (media === undefined) return failed('unreadable');
  return EXAMINE[media](workspace);
}
