import { promises as fs } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { isWaiting } from '../platform/jobs/jobs.ts';
import { attempt, type Attempted } from '../platform/sandbox/attempts.ts';
import { recordUnparsable } from '../platform/sandbox/unparsable.ts';
import { type BlobOutcome, recordPoster } from '../blobs/blobs.queries.ts';
import { settleContent } from '../blobs/blobs.service.ts';
import { storing } from '../blobs/content-lock.ts';
import { processingFolder } from '../blobs/staging.ts';
import { queueCheck } from '../media/checks.ts';
import { isInVain } from '../media/ffmpeg.ts';
import { LONG_TASK, queueExamination, queueLong, queueShort } from '../media/queue.ts';
import type { Owned } from './files.queries.ts';
import { publishFiles } from './files.service.ts';
import { type Bounds, FIRST_QUANTUM_MS, LONGEST_MS, projectedMs, QUANTUM_GROWTH, SHORT_MS } from '../media/pace.ts';
import type { Frames } from '../media/filters.ts';
import { MakeRoom } from '../media/pace-watch.ts';
import { type Workspace, convert, type Examined, examine, failed, type Product } from '../media/processing.ts';
import { progressTeller } from './progress.ts';
import { beginTurn } from '../media/turns.queries.ts';
import type { WantedWork } from './wanted.ts';
import {
  findWork,
  type Forgotten,
  isKnownTo,
  lockWork,
  recordAnew,
  recordResult,
  recordStep,
  type Step,
  type Work,
} from './work.queries.ts';

/** A conversion takes up to hours, in which servers die for reasons of their own: its film is given up much later. */
const CONVERSION = { interruptionsMax: 10 };

/** A film that will surely take long does not begin among the short ones. */
const SURELY_LONG_SECONDS = 10 * (SHORT_MS / 1000);

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

/** Whether all that was made of a content is known and still stored. */
async function isComplete(
  { blobs }: Deps,
  { state, play_sha256, poster_sha256 }: Omit<Work, 'fileId' | 'owner' | 'sha256'>,
): Promise<boolean> {
  if (state !== 'ready') return false;
  const products = [play_sha256, poster_sha256].filter((name) => name !== null);
  const sizes = await Promise.all(products.map((name) => blobs.size(name)));
  return !sizes.includes(undefined);
}

async function queueConversion(tx: Db, { fileId, owner }: Work, frames: Frames, seconds: number): Promise<void> {
  const work = { fileId, owner, frames, seconds: Math.min(seconds, LONGEST_MS / 1000) };
  await recordStep(tx, fileId, 'convert');
  if (seconds > SURELY_LONG_SECONDS) await queueLong(tx, { ...work, quantumMs: FIRST_QUANTUM_MS });
  else await queueShort(tx, work);
}

/**
 * Notes the outcome; what is known of a content that is ready already stays as it is. Answers the other files that look
 * different now.
 */
async function note(tx: Db, work: Work, isKnown: boolean, examined: Examined): Promise<Owned[]> {
  if (examined.state === 'toConvert') {
    await queueConversion(tx, work, examined.frames, examined.seconds);
    if (!isKnown) await recordPoster(tx, work.sha256, examined.poster.sha256);
    return [];
  }
  if (isKnown) {
    await recordStep(tx, work.fileId, null);
    return [];
  }
  const shown = await recordResult(tx, work, toOutcome(examined));
  if (examined.state === 'ready' && examined.durationMs !== null) await queueCheck(tx, work.sha256);
  return shown;
}

/** Puts what was made of a content into its place. */
async function store(deps: Deps, examined: Examined): Promise<void> {
  for (const product of productsOf(examined)) {
    if (product) await settleContent(deps, product, () => deps.blobs.adopt(product.sha256, product.file));
  }
}

/**
 * Stores the results before the row that names them: a row never names missing bytes. Nobody waits for the rows meanwhile:
 * a storage may take its time.
 */
async function record(deps: Deps, before: Work, step: Step, examined: Examined): Promise<void> {
  const { fileId } = before;
  await storing(deps.db, async (tx) => {
    const wasComplete = await isComplete(deps, before);
    if (!wasComplete) await store(deps, examined);
    const work = await lockWork(tx, fileId, step);
    if (!work) return;
    // Another attempt that recorded its results meanwhile has stored them as well.
    const isKnown = wasComplete || (work.state === 'ready' && before.state !== 'ready');
    const others = await note(tx, work, isKnown, examined);
    await publishFiles(tx, [...others, { id: fileId, owner: work.owner }]);
  });
}

/** Shows a file whose content is known to its owner already. */
async function show(db: Db, { fileId, owner }: Work): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await recordStep(tx, fileId, null);
    await publishFiles(tx, [{ id: fileId, owner }]);
  });
}

/** Has a file examined that may have been left half-way. */
export async function queueAnew(db: Db, { fileId, owner, media, bytes }: Forgotten): Promise<void> {
  await recordAnew(db, fileId);
  await queueExamination(db, { fileId, owner, media, bytes });
}

interface Job {
  deps: Deps;
  step: Step;
  fileId: string;
  signal: AbortSignal;
  isLastTry: boolean;
}

/** Content that exceeded a limit is never parsed again, whoever uploads it. */
const isFinal = (failure: (Examined & { state: 'failed' })['failure']): boolean =>
  failure === 'tooDemanding' || failure === 'tooSlow';

/** Writes down what was found out about a content. */
async function conclude({ deps, step }: Job, work: Work, examined: Examined): Promise<void> {
  if (examined.state === 'failed' && isFinal(examined.failure)) {
    await recordUnparsable(deps.db, work.sha256, examined.failure);
  }
  await record(deps, work, step, examined);
}

/** The result of an attempt on a content; throws errors that may not occur next time. */
async function attemptOnce(
  { deps, step, isLastTry }: Job,
  { sha256 }: Work,
  make: () => Promise<Examined>,
): Promise<Examined> {
  const once = async (begin: () => Promise<void>): Promise<Examined> => {
    await begin();
    return make();
  };
  const giveUp = (error: unknown): Attempted<Examined> => {
    if (isInVain(error, isLastTry, deps.stopping)) return { kind: 'done', value: failed('conversion') };
    throw error;
  };
  const content = { sha256, task: step, ...(step === 'convert' && CONVERSION) };
  const attempted = await attempt(deps, content, once).catch(giveUp);
  return attempted.kind === 'done' ? attempted.value : failed(attempted.failure);
}

/** Runs `make` on a content, with what it needs. */
async function borrowFor(
  { deps, signal }: Job,
  { sha256 }: Work,
  folder: string,
  make: (workspace: Workspace) => Promise<Examined>,
): Promise<Examined> {
  const { blobs, config, conversion, sandbox } = deps;
  await using source = await blobs.borrow(sha256);
  signal.throwIfAborted();
  const use = conversion ? { sandbox, ffmpeg: config.ffmpeg, signal } : undefined;
  // Awaited, because the local file is removed at the end of this block.
  return await make({ source: source.path, folder, sandbox, signal, use });
}

/** Removes what attempts at a step left behind that were killed; those that still run have nothing left to do. */
async function cleanWork(processing: string, work: string): Promise<void> {
  const left = (await fs.readdir(processing)).filter((name) => name.startsWith(work));
  await Promise.all(left.map((name) => fs.rm(path.join(processing, name), { recursive: true, force: true })));
}

/**
 * Runs `make` on the content of a file, in a folder of this attempt's own, and writes down what was found out. Another
 * process, which missed the heartbeat of this one, may be doing the same.
 */
async function workOn(job: Job, make: (workspace: Workspace) => Promise<Examined>): Promise<void> {
  const { deps, step, fileId } = job;
  const work = await findWork(deps.db, fileId, step);
  if (!work) return;
  if ((await isComplete(deps, work)) && (await isKnownTo(deps.db, work.owner, work.sha256))) return show(deps.db, work);
  const processing = processingFolder(deps.config.data);
  await fs.mkdir(processing, { recursive: true });
  const prefix = `${fileId}.${step}.`;
  const folder = await fs.mkdtemp(path.join(processing, prefix));
  try {
    await conclude(job, work, await attemptOnce(job, work, () => borrowFor(job, work, folder, make)));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
  await cleanWork(processing, prefix);
}

const ToExamine = z.object({ fileId: z.uuid(), turn: z.number() });
const ToConvert = ToExamine.extend({
  interlaced: z.boolean(),
  colours: z.object({ primaries: z.string(), transfer: z.string() }).optional(),
  quantumMs: z.number().optional(),
});

/** The jobs on files of one server process; they throw only for what may be different next time. */
export class FileJobs {
  readonly #deps: Deps;
  readonly #wanted: WantedWork;

  constructor(deps: Deps, wanted: WantedWork) {
    this.#deps = deps;
    this.#wanted = wanted;
  }

  /** `files_examine_…` examines content. Content that browsers cannot play continues with `files_convert_…`. */
  async examine(
    lane: 'pictures' | 'videos',
    payload: unknown,
    stopping: AbortSignal,
    isLastTry: boolean,
  ): Promise<void> {
    const { fileId, turn } = ToExamine.parse(payload);
    const deps = this.#deps;
    await beginTurn(deps.db, lane, turn);
    await this.#wanted.during(fileId, stopping, (signal) =>
      workOn({ deps, step: 'examine', fileId, signal, isLastTry }, examine),
    );
  }

  /** `files_convert_…`: makes of a video what browsers can play. */
  async convert(lane: Bounds['lane'], payload: unknown, stopping: AbortSignal, isLastTry: boolean): Promise<void> {
    const { fileId, turn, quantumMs = FIRST_QUANTUM_MS, ...frames } = ToConvert.parse(payload);
    const deps = this.#deps;
    await beginTurn(deps.db, lane, turn);
    const converting = {
      bounds: lane === 'short' ? { lane } : { lane, quantumMs },
      othersWait: () => isWaiting(deps.db, LONG_TASK),
      onProgress: progressTeller(deps, fileId),
    };
    try {
      await this.#wanted.during(fileId, stopping, (signal) =>
        workOn({ deps, step: 'convert', fileId, signal, isLastTry }, (workspace) =>
          convert(workspace, frames, converting),
        ),
      );
    } catch (error) {
      if (!(error instanceof MakeRoom)) throw error;
      await this.#goOnLater(fileId, frames, lane === 'short' ? FIRST_QUANTUM_MS : quantumMs * QUANTUM_GROWTH, error);
    }
  }

  /** Gives a conversion that made room its next turn, by what it was measured to need. */
  async #goOnLater(fileId: string, frames: Frames, quantumMs: number, { measured }: MakeRoom): Promise<void> {
    await this.#deps.db.transaction().execute(async (tx) => {
      const work = await lockWork(tx, fileId, 'convert');
      if (!work) return;
      await recordStep(tx, fileId, 'convert');
      const seconds = Math.min(projectedMs(measured) ?? quantumMs, LONGEST_MS) / 1000;
      await queueLong(tx, { fileId, owner: work.owner, frames, seconds, quantumMs });
      await publishFiles(tx, [{ id: fileId, owner: work.owner }]);
    });
  }
}
