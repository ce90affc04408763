/** Limits of a task; a process that exceeds them is killed. */
export interface Limits {
  /** From its start to its answer. Generous: a busy host is not the content's fault. */
  wallMs: number;
  /** Processor time of all threads. */
  cpuMs: number;
  /** Resident memory of the process, which takes about 100 MB by itself. */
  residentMb: number;
}

export type LimitName = 'time' | 'cpu' | 'heap' | 'memory';

/** A task was killed because it exceeded a limit of ours. The content is at fault and must not be parsed again. */
export class LimitError extends Error {
  override name = 'LimitError';
  readonly limit: LimitName;

  constructor(limit: LimitName, task: string) {
    super(`${task} exceeded its limit of ${limit}`);
    this.limit = limit;
  }
}

const OUTSIDE = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']);

/** A process ended in the middle of a task and no limit was the reason: a crash, or a kill that is not ours. */
export class CrashError extends Error {
  override name = 'CrashError';
  readonly signal: NodeJS.Signals | null;
  /** It was killed from outside, as the system does when memory is short, or could not be started. */
  readonly isFromOutside: boolean;

  constructor(task: string, code: number | null, signal: NodeJS.Signals | null, log: string) {
    super(`${task} ended with ${signal ?? `code ${code}`}: ${log.trim()}`);
    this.signal = signal;
    this.isFromOutside = signal === null ? code === null : OUTSIDE.has(signal);
  }
}

/** A task threw: a file is missing or cannot be read, for example. Bad content is an answer, not an error. */
export class TaskError extends Error {
  override name = 'TaskError';
}

/** Whether a task's process was killed from outside, or could not start: another attempt may come to its end. */
export const endedFromOutside = (error: unknown): error is CrashError =>
  error instanceof CrashError && error.isFromOutside;

/** Whether a task's process was killed from outside, once it ran. */
export const wasKilled = (error: unknown): boolean => endedFromOutside(error) && error.signal !== null;

/** Whether the content is to blame: not if the process was killed from outside or could not start. */
export const isHarmful = (error: unknown): error is LimitError | CrashError =>
  error instanceof LimitError || (error instanceof CrashError && !error.isFromOutside);
