import type { ChildProcess } from 'node:child_process';
import { CrashError, LimitError, type LimitName, type Limits, TaskError } from './limits.ts';
import { startGuarded } from './guarded.ts';
import { Answer, type Order } from './task.ts';
import { usageOf } from './usage.ts';

const MEASURE_EVERY_MS = 100;
const LOG_KEPT = 4000;
/** Of its life; a child that used a part of this is replaced, so that its next task has the whole of its own limit. */
const LIFE_CPU_SECONDS = 1200;
const SPENT_CPU_MS = 600_000;
/** It is replaced, too, when it keeps more than this from its tasks; 40 megapixels leave up to 200 MB. */
const KEPT_MB = 300;
/** The kernel refuses memory beyond what measuring would kill for, plus what is reserved and never touched. */
const DATA_MARGIN_MB = 512;
/** V8, libstdc++ and GLib when they are refused memory. */
const NO_MEMORY = /out of memory|allocation failed|bad_alloc|failed to allocate/i;
const NO_HEAP = /heap out of memory|reached heap limit/i;

export interface ChildOptions {
  /** The module that calls `serveTasks`. */
  entry: string;
  heapMb: number;
  /** Relative to this process. */
  niceness: number;
  /** The most that any of its tasks may use. */
  residentMb: number;
  /** Folders whose files it may read. */
  readable: readonly string[];
}

interface Running {
  order: Order;
  limits: Limits;
  /** Processor time of the process before this task. */
  cpuBefore: number;
  exceeded: LimitName | undefined;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
}

/** One process that does one task at a time within limits. */
export class Child {
  readonly #process: ChildProcess;
  #running: Running | undefined;
  #log = '';
  #isAlive = true;
  #cpuMs = 0;
  #residentMb = 0;
  /** Settles when the process has ended. */
  readonly ended: Promise<void>;

  constructor({ entry, residentMb, niceness, ...options }: ChildOptions) {
    const dataMb = residentMb + DATA_MARGIN_MB;
    this.#process = startGuarded(entry, options, { cpuSeconds: LIFE_CPU_SECONDS, dataMb, niceness });
    this.#process.stderr?.on('data', (chunk: Buffer) => (this.#log = (this.#log + chunk.toString()).slice(-LOG_KEPT)));
    this.#process.on('message', (message) => this.#settle(message));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      this.#isAlive = false;
      this.#fail(code, signal);
      resolve();
    };
    this.#process.once('close', end);
    this.#process.once('error', (error) => {
      this.#log = String(error);
      end(null, null);
    });
  }

  /** Whether it can take another task. */
  get isFit(): boolean {
    const isUsedUp = this.#cpuMs >= SPENT_CPU_MS || this.#residentMb > KEPT_MB;
    return this.#isAlive && this.#process.connected && !this.#running && !isUsedUp;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * Does a task. Throws `LimitError`, `CrashError` or `TaskError`, and the reason of `signal` when that aborts. Ends the
   * process in all cases but an answer and `TaskError`.
   */
  async run(order: Order, limits: Limits, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    // It may have ended, or have failed to start, since it was chosen. Nothing would tell so any more.
    if (!this.#isAlive) throw new CrashError(order.task, null, null, this.#log);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#running = { order, limits, cpuBefore: this.#cpuMs, exceeded: undefined, resolve, reject };
    const measure = setInterval(() => this.#measure(), MEASURE_EVERY_MS);
    const late = setTimeout(() => this.#exceed('time'), limits.wallMs);
    const abort = (): void => {
      reject(signal?.reason);
      this.kill();
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      // The end of a process that has already exited is handled elsewhere.
      this.#process.send(order, () => undefined);
      return await promise;
    } finally {
      clearInterval(measure);
      clearTimeout(late);
      signal?.removeEventListener('abort', abort);
      this.#running = undefined;
    }
  }

  kill(): void {
    this.#end('SIGKILL');
  }

  #end(signal: NodeJS.Signals): void {
    this.#isAlive = false;
    this.#process.kill(signal);
  }

  #measure(): void {
    const usage = this.#process.pid === undefined ? undefined : usageOf(this.#process.pid);
    if (!usage || !this.#running) return;
    this.#cpuMs = usage.cpuMs;
    this.#residentMb = usage.residentMb;
    const { limits, cpuBefore } = this.#running;
    if (usage.residentMb > limits.residentMb) this.#exceed('memory');
    else if (usage.cpuMs - cpuBefore > limits.cpuMs) this.#exceed('cpu');
  }

  #exceed(limit: LimitName): void {
    if (this.#running) this.#running.exceeded ??= limit;
    this.kill();
  }

  #settle(message: unknown): void {
    const running = this.#running;
    if (!running) return;
    this.#measure();
    const answer = Answer.safeParse(message).data;
    if (answer?.kind === 'done') running.resolve(answer.output);
    else if (answer) running.reject(new TaskError(`${running.order.task}: ${answer.message}`));
    else this.#end('SIGABRT');
  }

  #fail(code: number | null, signal: NodeJS.Signals | null): void {
    const running = this.#running;
    if (!running) return;
    const { task } = running.order;
    const limit = running.exceeded ?? limitBehind(signal, this.#log);
    running.reject(limit ? new LimitError(limit, task) : new CrashError(task, code, signal, this.#log));
  }
}

/** The limit that a process met which V8, a library or the kernel ended. */
function limitBehind(signal: NodeJS.Signals | null, log: string): LimitName | undefined {
  if (signal === 'SIGXCPU') return 'cpu';
  if (NO_HEAP.test(log)) return 'heap';
  return NO_MEMORY.test(log) ? 'memory' : undefined;
}
