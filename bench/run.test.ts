import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childrenOf, isRunning, nameOf } from '../e2e/children.ts';

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a benchmark that is interrupted by %s ends its servers and databases, and removes its folder',
  async (signal) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'ams-bench-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const run = spawn(process.execPath, ['bench/run.ts', 'groups'], {
      cwd: path.resolve(import.meta.dirname, '..'),
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: folder, BENCH_DEVICES: '1000' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const text of run.stdout.iterator({ destroyOnReturn: false }))
      if (String(text).includes('devices are there')) break;
    run.stdout.resume();
    const started = childrenOf(run.pid ?? 0);
    expect(started.map(nameOf)).toContain('postgres');
    onTestFinished(() => {
      for (const pid of started.filter(isRunning)) process.kill(pid, 'SIGKILL');
    });

    const ended = once(run, 'exit');
    run.kill(signal);
    await ended;

    expect(started.filter(isRunning).map(nameOf)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  },
);
