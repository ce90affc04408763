import { spawn } from 'node:child_process';
import type { Config } from '../config.ts';

/** Leaves the other cores to answering calls. */
const THREADS = 2;
const STDERR_KEPT = 2000;
const STDOUT_LIMIT = 64 * 2 ** 20;

/** ffmpeg ended with an error of its own: it does not understand the file. */
export class FfmpegError extends Error {
  override name = 'FfmpegError';
}

interface RunOptions {
  timeoutMs: number;
  /** Ends ffmpeg at once; the promise then rejects with the signal's reason. */
  signal: AbortSignal;
}

/**
 * Runs ffmpeg and resolves with what it wrote to its output pipe. It reads and writes local files and
 * pipes only. Throws `FfmpegError` when it fails or takes longer than `timeoutMs`.
 */
export function runFfmpeg(ffmpeg: string, args: string[], { timeoutMs, signal }: RunOptions): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const child = spawn(ffmpeg, ['-hide_banner', '-nostdin', '-loglevel', 'error', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
    timeout: timeoutMs,
  });
  const output: Buffer[] = [];
  let outputBytes = 0;
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > STDOUT_LIMIT) child.kill('SIGKILL');
    else output.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-STDERR_KEPT)));
  child.on('error', (error) => reject(signal.aborted ? signal.reason : error));
  child.on('close', (code, killedBy) => {
    if (signal.aborted) reject(signal.reason);
    else if (code === 0) resolve(Buffer.concat(output));
    else reject(new FfmpegError(`ffmpeg ended with ${killedBy ?? `code ${code}`}: ${complaint.trim()}`));
  });
  return promise;
}

/** Input options: this file alone, read as this container, whatever it says of itself. */
export const readFrom = (file: string, demuxer: 'mov' | 'matroska'): string[] => [
  '-protocol_whitelist',
  'file,pipe',
  '-threads',
  String(THREADS),
  '-f',
  demuxer,
  '-i',
  `file:${file}`,
];

export const outputThreads = ['-threads', String(THREADS)];

const VERSION_TIMEOUT_MS = 10_000;

/** Whether the configured ffmpeg is there and starts. */
export async function ffmpegAvailable(config: Pick<Config, 'ffmpeg'>): Promise<boolean> {
  try {
    await runFfmpeg(config.ffmpeg, ['-version'], {
      timeoutMs: VERSION_TIMEOUT_MS,
      signal: new AbortController().signal,
    });
    return true;
  } catch {
    return false;
  }
}
