import { z } from 'zod';
import type { LaneRule } from '../../src/platform/sandbox/sandbox.ts';
import type { TaskTable } from '../../src/platform/sandbox/task.ts';

type Lane = 'bad' | 'good';

const limits = { wallMs: 30_000, cpuMs: 20_000, residentMb: 400 };
const output = z.string();

/** Work that misbehaves in one way each, and one that does not. */
export const TEST_TASKS = {
  greet: { lane: 'good', limits, input: z.string(), output },
  spin: { lane: 'bad', limits: { ...limits, cpuMs: 300 }, input: z.null(), output },
  hang: { lane: 'bad', limits: { ...limits, wallMs: 1500 }, input: z.null(), output },
  fillHeap: { lane: 'bad', limits: { ...limits, residentMb: 1000 }, input: z.null(), output },
  fillMemory: { lane: 'bad', limits, input: z.null(), output },
  /** Fills memory within its own limit, and keeps it. */
  keepMemory: { lane: 'bad', limits: { ...limits, residentMb: 1000 }, input: z.null(), output },
  /** All at once, before anybody measures. */
  claimMemory: { lane: 'bad', limits, input: z.null(), output },
  crash: { lane: 'bad', limits, input: z.null(), output },
  throwLater: { lane: 'bad', limits, input: z.null(), output },
  refuse: { lane: 'bad', limits, input: z.null(), output },
  lie: { lane: 'bad', limits, input: z.null(), output },
  wait: { lane: 'bad', limits, input: z.number(), output },
  read: { lane: 'good', limits, input: z.string(), output },
  environment: { lane: 'good', limits, input: z.null(), output },
  spawn: { lane: 'good', limits, input: z.null(), output },
  pid: { lane: 'good', limits, input: z.null(), output },
} satisfies TaskTable<Lane>;

export const TEST_LANES: Record<Lane, LaneRule> = {
  bad: { children: 1, heapMb: 128, waitingMax: 2, niceness: 5 },
  good: { children: 1, heapMb: 128, waitingMax: 100, niceness: 0 },
};
