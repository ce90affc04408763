import { AppError } from '@ams/contract';
import { z } from 'zod';
import { Child } from './child.ts';
import { CrashError } from './limits.ts';
import type { InputOf, Order, OutputOf, TaskRule, TaskTable } from './task.ts';

/** Children that serve the tasks of one lane, which never wait for those of another. */
export interface LaneRule {
  /** Children at most; each does one task at a time. */
  children: number;
  heapMb: number;
  /** Tasks that may wait; more are refused. */
  waitingMax: number;
  /** Niceness relative to the server: 0 where somebody waits for what takes milliseconds. */
  niceness: number;
}

export interface SandboxOptions<Lane extends string, Table extends TaskTable<Lane>> {
  tasks: Table;
  lanes: Record<Lane, LaneRule>;
  /** The module of the children, which calls `serveTasks` with the same tasks. */
  entry: string;
  readable: readonly string[];
  /** After so many milliseconds without a task a child ends. */
  idleMs: number;
}

export interface RunOptions {
  /** Ends the task. */
  signal?: AbortSignal;
  /** Is awaited when a child is free, before each start of the task; the task does not start when it throws. */
  beforeStart?: () => Promise<void>;
}

interface Waiting {
  start: (child: Child) => void;
  cancel: (reason: unknown) => void;
}

interface LaneState {
  rule: LaneRule;
  residentMb: number;
  children: Set<Child>;
  idle: Map<Child, NodeJS.Timeout>;
  waiting: Set<Waiting>;
}

/**
 * Does closed sets of tasks in child processes under limits. Children are started when there is work, replaced when
 * they were killed, and ended when there has been nothing to do for a while.
 */
export class Sandbox<Lane extends string, Table extends TaskTable<Lane>> {
  readonly #options: SandboxOptions<Lane, Table>;
  readonly #lanes = new Map<string, LaneState>();
  #isClosed = false;

  constructor(options: SandboxOptions<Lane, Table>) {
    this.#options = options;
  }

  /**
   * Does a task when its lane has a free child; once more in another when that child crashed. Throws `LimitError`,
   * `CrashError` or `TaskError` (limits.ts), what `beforeStart` throws, the reason of `signal` when that aborts, and
   * `UNAVAILABLE` when too many wait already or the server stops.
   */
  async run<Name extends keyof Table & string>(
    task: Name,
    input: InputOf<Table[Name]>,
    options: RunOptions = {},
  ): Promise<OutputOf<Table[Name]>> {
    const rule: Table[Name] = this.#options.tasks[task];
    const order = { task, input };
    const output = await this.#perform(rule, order, options).catch((error: unknown) => {
      if (error instanceof CrashError) return this.#perform(rule, order, options);
      throw error;
    });
    return z.parse<Table[Name]['output']>(rule.output, output);
  }

  async #perform(rule: TaskRule<Lane>, order: Order, { signal, beforeStart }: RunOptions): Promise<unknown> {
    const lane = this.#lane(rule.lane);
    const child = await this.#childOf(lane, signal);
    try {
      await beforeStart?.();
      return await child.run(order, rule.limits, signal);
    } finally {
      this.#release(lane, child);
    }
  }

  /** Processes that run now. */
  get pids(): number[] {
    const children = [...this.#lanes.values()].flatMap((lane) => [...lane.children]);
    return children.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /** Kills every child; whoever waits gets `UNAVAILABLE`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const lanes = [...this.#lanes.values()];
    for (const { cancel } of lanes.flatMap(({ waiting }) => [...waiting])) cancel(new AppError('UNAVAILABLE'));
    const children = lanes.flatMap((lane) => [...lane.children]);
    for (const child of children) child.kill();
    await Promise.all(children.map(({ ended }) => ended));
  }

  #lane(name: Lane): LaneState {
    const known = this.#lanes.get(name);
    if (known) return known;
    const rules = Object.values(this.#options.tasks).filter(({ lane }) => lane === name);
    const lane: LaneState = {
      rule: this.#options.lanes[name],
      residentMb: Math.max(...rules.map(({ limits }) => limits.residentMb)),
      children: new Set(),
      idle: new Map(),
      waiting: new Set(),
    };
    this.#lanes.set(name, lane);
    return lane;
  }

  /** A child that has nothing to do, or a new one, or the next that is free. */
  #childOf(lane: LaneState, signal: AbortSignal | undefined): Promise<Child> | Child {
    if (signal?.aborted) throw signal.reason;
    if (this.#isClosed) throw new AppError('UNAVAILABLE');
    const idle = this.#takeIdle(lane);
    if (idle) return idle;
    if (lane.children.size < lane.rule.children) return this.#start(lane);
    if (lane.waiting.size >= lane.rule.waitingMax) throw new AppError('UNAVAILABLE');
    return this.#wait(lane, signal);
  }

  #wait(lane: LaneState, signal: AbortSignal | undefined): Promise<Child> {
    const { promise, resolve, reject } = Promise.withResolvers<Child>();
    const cancel = (reason: unknown): void => {
      lane.waiting.delete(waiting);
      reject(reason);
    };
    const waiting: Waiting = { start: resolve, cancel };
    const abort = (): void => cancel(signal?.reason);
    lane.waiting.add(waiting);
    signal?.addEventListener('abort', abort, { once: true });
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  #takeIdle(lane: LaneState): Child | undefined {
    for (const [child, timer] of [...lane.idle].toReversed()) {
      clearTimeout(timer);
      lane.idle.delete(child);
      if (child.isFit) return child;
      this.#discard(lane, child);
    }
    return undefined;
  }

  #start(lane: LaneState): Child {
    const { entry, readable } = this.#options;
    const { heapMb, niceness } = lane.rule;
    const child = new Child({ entry, readable, heapMb, niceness, residentMb: lane.residentMb });
    lane.children.add(child);
    return child;
  }

  #discard(lane: LaneState, child: Child): void {
    child.kill();
    lane.children.delete(child);
  }

  /** Gives a child to the next that waits; one that is unfit is replaced. */
  #release(lane: LaneState, child: Child): void {
    if (!child.isFit) this.#discard(lane, child);
    if (this.#isClosed || this.#serveNext(lane, child) || !lane.children.has(child)) return;
    const end = setTimeout(() => {
      lane.idle.delete(child);
      this.#discard(lane, child);
    }, this.#options.idleMs);
    lane.idle.set(child, end.unref());
  }

  /** Whether somebody waited. Without memory for a new child, those who wait fail: nobody would serve them later. */
  #serveNext(lane: LaneState, child: Child): boolean {
    for (const next of lane.waiting) {
      lane.waiting.delete(next);
      try {
        next.start(child.isFit ? child : this.#start(lane));
        return true;
      } catch (error) {
        next.cancel(error);
      }
    }
    return false;
  }
}
