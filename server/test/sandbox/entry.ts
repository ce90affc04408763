import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveTasks } from '../../src/platform/sandbox/serve-tasks.ts';
import { TEST_TASKS } from './tasks.ts';

const MB = 2 ** 20;
/** What a library keeps for its next call. */
const kept: Buffer[] = [];

serveTasks(TEST_TASKS, {
  greet: async (name) => `hello ${name}`,
  spin: async () => {
    for (;;);
  },
  hang: () => new Promise(() => undefined),
  fillHeap: async () => {
    const all: object[] = [];
    for (;;) all.push({ all });
  },
  fillMemory: async () => {
    const all: Buffer[] = [];
    for (;;) {
      all.push(Buffer.alloc(8 * MB, 1));
      await sleep(1);
    }
  },
  keepMemory: async () => {
    kept.push(Buffer.alloc(500 * MB, 1));
    return 'kept';
  },
  claimMemory: async () => {
    const all: Buffer[] = [];
    for (let n = 0; n < 1000; n++) all.push(Buffer.alloc(64 * MB, 1));
    return String(all.length);
  },
  crash: async () => {
    process.kill(process.pid, 'SIGSEGV');
    await sleep(60_000);
    return '';
  },
  throwLater: async () => {
    setTimeout(() => {
      throw new Error('a library threw out of its own timer');
    });
    await sleep(60_000);
    return '';
  },
  refuse: async () => {
    throw new Error('no such file');
  },
  lie: async () => {
    process.send?.({ kind: 'nonsense' });
    await sleep(60_000);
    return '';
  },
  wait: async (ms) => {
    await sleep(ms);
    return 'waited';
  },
  read: async (file) => readFileSync(file, 'utf8'),
  environment: async () => Object.keys(process.env).join(' '),
  spawn: async () => spawnSync('true').error?.message ?? 'spawned',
  pid: async () => String(process.pid),
});
