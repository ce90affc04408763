import { promises as fs } from 'node:fs';
import { FfmpegError } from './ffmpeg.ts';
import { type Bounds, judge, type Measured } from './pace.ts';

const LOOK_MS = 1000;

/** The conversion is restarted later: others come first. */
export class MakeRoom extends Error {
  override name = 'MakeRoom';
  /** Cost so far, and the completed share. */
  readonly measured: Measured;

  constructor(measured: Measured) {
    super('others come first');
    this.measured = measured;
  }
}

export interface PaceWatch extends Disposable {
  /** Aborts with `MakeRoom`, or with a `FfmpegError` of reason `timeout`. */
  signal: AbortSignal;
  /** Takes the share that is done. */
  note: (share: number) => void;
}

interface Watched {
  target: string;
  bounds: Bounds;
  othersWait: () => Promise<boolean>;
}

/** Measures a conversion that writes to `target`, from now on, and ends it when its pace does not allow more. */
export function watchPace({ target, bounds, othersWait }: Watched): PaceWatch {
  const ending = new AbortController();
  const startedAt = performance.now();
  let share = 0;
  let written = '';
  let gotOnAt = startedAt;

  const look = async (): Promise<void> => {
    // The last thing that ffmpeg does is to move the index to the front, without saying how far that is.
    const stat = await fs.stat(target).catch(() => undefined);
    const now = performance.now();
    const state = `${share} ${stat?.size} ${stat?.mtimeMs}`;
    if (state !== written) [written, gotOnAt] = [state, now];
    const measured = { elapsedMs: now - startedAt, stalledMs: now - gotOnAt, share };
    // If the database is away, nobody else can begin.
    const wait =
      bounds.lane === 'long' && measured.elapsedMs > bounds.quantumMs && (await othersWait().catch(() => false));
    const verdict = judge(measured, bounds, wait);
    if (verdict === 'makeRoom') ending.abort(new MakeRoom(measured));
    if (verdict === 'tooSlow') ending.abort(new FfmpegError('timeout', 'too slow'));
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    signal: ending.signal,
    note: (done) => void (share = Math.max(share, done)),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
