import type { ProbedVideo } from '../platform/sandbox/answers.ts';
import { CrashError } from '../platform/sandbox/limits.ts';
import { OUT_OF_CPU, type ProgramLimits, startProgram } from '../platform/sandbox/program.ts';

/** Leaves the other cores to answering calls. */
const THREADS = 2;
const STDERR_KEPT = 4000;
const STDOUT_LIMIT = 64 * 2 ** 20;
/** Address space: a hostile file must not take the memory of everything else. 8K video needs about 3 GiB. */
const ADDRESS_MB = 4096;
/** Processor time for each second that a run may take: more cores than its threads keep busy. */
const CPU_FACTOR = 4;
/** Maximum allocation of a decoder: 8K with a margin. */
const PIXELS_MAX = 8192 * 8192;

/** ffmpeg's own exit code for more decoding errors than `-max_error_rate` allows. */
const TOO_MANY_ERRORS = 69;
/** A phone's clip has a damaged frame now and then; a file that is broken half-way has half of them. */
const ERROR_RATE_MAX = 0.1;

/** ffmpeg ended with an error of its own: it does not understand the file, or not in time. */
export class FfmpegError extends Error {
  override name = 'FfmpegError';
  readonly reason: 'refused' | 'damaged' | 'timeout';

  constructor(reason: FfmpegError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Somebody else ended ffmpeg, as the system does when memory is short: it may go well next time. */
export class FfmpegKilled extends Error {
  override name = 'FfmpegKilled';
}

/**
 * Whether the last attempt at a content failed because its program was ended from outside: the content is given up. Not
 * while the server stops, because systemd ends the programs of a server together with it.
 */
export const isInVain = (error: unknown, isLastTry: boolean, stopping: AbortSignal): boolean =>
  (error instanceof FfmpegKilled || error instanceof CrashError) && isLastTry && !stopping.aborted;

/**
 * Niceness of background programs. Beside `usual` ones, `long` ones get little processor time, and `unawaited` ones, whose
 * result nobody waits for, next to none.
 */
export const NICENESS = { usual: 5, long: 15, unawaited: 'idle' } as const;

interface RunOptions {
  timeoutMs: number;
  niceness?: ProgramLimits['niceness'];
  /** Ends ffmpeg at once; the promise then rejects with the signal's reason. */
  signal: AbortSignal;
  /** Gets its output piece by piece; nothing is collected then. */
  onOutput?: (text: string) => void;
}

interface Said {
  output: Buffer;
  /** The end of what it wrote to its error stream. */
  log: string;
}

/** Exit codes for a program that could not be started: its package is being replaced, say (POSIX, `nice`). */
const NOT_STARTED = new Set<number | null>([126, 127]);
/** The exit code of the shell that starts it, and what it says, when there are too many processes. */
const NO_PROCESS = { code: 2, says: /Cannot fork/ };

/** Exit codes of a program that a signal ended from outside: SIGHUP, SIGINT, SIGKILL, SIGTERM; 255 is ffmpeg's own for them. */
const KILLED = new Set([null, 129, 130, 137, 143, 255]);

function errorOf(code: number | null, log: string): Error {
  const message = `ffmpeg ended with code ${code}: ${log.trim()}`;
  if (KILLED.has(code)) return new FfmpegKilled(message);
  // Not the file's fault: it goes well once there is room again, or once ffmpeg starts again.
  const isStarted = !NOT_STARTED.has(code) && !(code === NO_PROCESS.code && NO_PROCESS.says.test(log));
  if (!isStarted || /No space left on device/.test(log)) return new Error(message);
  if (code === OUT_OF_CPU) return new FfmpegError('timeout', message);
  return new FfmpegError(code === TOO_MANY_ERRORS ? 'damaged' : 'refused', message);
}

/**
 * Runs ffmpeg and resolves with what it wrote. It reads and writes local files and pipes only. Throws
 * `FfmpegError` when it fails or takes longer than `timeoutMs`, `FfmpegKilled` when somebody else ended it, another
 * error when the disk is full or ffmpeg could not be started.
 */
export function runFfmpeg(
  ffmpeg: string,
  args: string[],
  { timeoutMs, niceness = NICENESS.usual, signal, onOutput }: RunOptions,
): Promise<Said> {
  if (signal.aborted) return Promise.reject(signal.reason);
  const { promise, resolve, reject } = Promise.withResolvers<Said>();
  const limits = { cpuSeconds: Math.ceil((timeoutMs / 1000) * CPU_FACTOR), addressMb: ADDRESS_MB, niceness };
  const child = startProgram(ffmpeg, ['-hide_banner', '-nostdin', ...args], limits);
  let limit: FfmpegError | undefined;
  // Closing its input makes the guard kill ffmpeg.
  const stop = (): void => void child.stdin.destroy();
  const timer = setTimeout(() => {
    limit = new FfmpegError('timeout', `ffmpeg did not end within ${timeoutMs} ms`);
    stop();
  }, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });

  const output: Buffer[] = [];
  let outputBytes = 0;
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    if (onOutput) return onOutput(chunk.toString());
    outputBytes += chunk.length;
    if (outputBytes <= STDOUT_LIMIT) return void output.push(chunk);
    limit ??= new FfmpegError('refused', `ffmpeg wrote more than ${STDOUT_LIMIT} bytes`);
    stop();
  });
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-STDERR_KEPT)));
  child.on('error', reject);
  child.on('close', (code) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    if (signal.aborted) reject(signal.reason);
    else if (limit) reject(limit);
    else if (code === 0) resolve({ output: Buffer.concat(output), log });
    else reject(errorOf(code, log));
  });
  return promise;
}

/** Input options: only this file, read as this container regardless of its contents. */
export const readFrom = (file: string, demuxer: 'mov' | 'matroska'): string[] => [
  ...['-protocol_whitelist', 'file,pipe', '-max_pixels', String(PIXELS_MAX)],
  ...['-max_error_rate', String(ERROR_RATE_MAX), '-threads', String(THREADS)],
  ...['-f', demuxer, '-i', `file:${file}`],
];

export const demuxerOf = (container: ProbedVideo['container']): 'mov' | 'matroska' =>
  container === 'mp4' || container === 'mov' ? 'mov' : 'matroska';

export const outputThreads = ['-threads', String(THREADS)];
