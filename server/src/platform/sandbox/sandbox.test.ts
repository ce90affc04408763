import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { TEST_LANES, TEST_TASKS } from '../../../test/sandbox/tasks.ts';
import { CrashError, isHarmful, LimitError, TaskError } from './limits.ts';
import { Sandbox } from './sandbox.ts';

const entry = path.resolve(import.meta.dirname, '../../../test/sandbox/entry.ts');
const make = (readable: string[] = [], idleMs = 60_000) =>
  new Sandbox({ tasks: TEST_TASKS, lanes: TEST_LANES, entry, readable, idleMs });

const disposable = (made: ReturnType<typeof make>) =>
  Object.assign(made, { [Symbol.asyncDispose]: () => made.close() });

let folder: string;
let sandbox: ReturnType<typeof make>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ams-sandbox-'));
  sandbox = make([folder]);
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

type Bad = 'spin' | 'hang' | 'fillHeap' | 'fillMemory' | 'claimMemory' | 'crash' | 'throwLater' | 'refuse' | 'lie';

/** The result of a bad task; good ones run beside it and after it. */
async function errorOf(task: Bad): Promise<unknown> {
  const bad = sandbox.run(task, null).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(await sandbox.run('greet', 'neighbour')).toBe('hello neighbour');
  const error = await bad;
  expect(await sandbox.run('wait', 1)).toBe('waited');
  return error;
}

test.each([
  ['spin', 'cpu'],
  ['hang', 'time'],
  ['fillHeap', 'heap'],
  ['fillMemory', 'memory'],
] as const)('the task %s is killed for its limit of %s', async (task, limit) => {
  const error = await errorOf(task);
  expect(error).toBeInstanceOf(LimitError);
  expect(error).toMatchObject({ limit });
});

test('a task that claims memory faster than anybody measures is refused memory or killed', async () => {
  const error = await errorOf('claimMemory');
  // Node throws when the kernel refuses; a measurement may come first.
  if (error instanceof LimitError) expect(error.limit).toBe('memory');
  else expect(error).toBeInstanceOf(TaskError);
});

test.each(['crash', 'throwLater', 'lie'] as const)('the task %s ends its child and nothing else', async (task) => {
  expect(await errorOf(task)).toBeInstanceOf(CrashError);
});

test('a crash names its signal, which distinguishes a kill from outside', async () => {
  expect(await errorOf('crash')).toMatchObject({ signal: 'SIGSEGV' });
});

test('a task that throws keeps its child', async () => {
  const error = await errorOf('refuse');
  expect(error).toBeInstanceOf(TaskError);
  expect(String(error)).toContain('no such file');
});

test('a child is used again', async () => {
  const first = await sandbox.run('pid', null);
  expect(await sandbox.run('pid', null)).toBe(first);
});

test('a task is not killed for the memory that an earlier one left behind', async () => {
  await using own = disposable(make());
  expect(await own.run('keepMemory', null)).toBe('kept');
  expect(await own.run('wait', 500)).toBe('waited');
});

test('a child reads only permitted files and cannot start programs', async () => {
  const later = path.join(folder, 'later');
  await using own = disposable(make([later]));
  await expect(own.run('read', path.join(later, 'media'))).rejects.toThrow('ENOENT');
  await mkdir(later);
  const file = path.join(later, 'media');
  await writeFile(file, 'bytes');
  expect(await own.run('read', file)).toBe('bytes');
  await expect(own.run('read', '/etc/hostname')).rejects.toThrow('restricted');
  await expect(own.run('spawn', null)).rejects.toThrow('restricted');
});

test('what somebody waits for has the priority of requests, other work a lower one', async () => {
  await using other = disposable(make());
  for (const [task, niceness] of [
    ['pid', 0],
    ['wait', 5],
  ] as const) {
    await (task === 'pid' ? other.run(task, null) : other.run(task, 1));
    const [pid = 0] = other.pids.slice(-1);
    expect(getPriority(pid) - getPriority()).toBe(niceness);
  }
});

test('a child has no settings of the server', async () => {
  process.env['AMS_ADMIN_PASSWORD'] = 'secret of the server';
  await using own = disposable(make());
  const names = (await own.run('environment', null)).split(' ');
  expect(names.filter((name) => !['PATH', 'NODE_ENV', 'PWD'].includes(name))).toEqual([]);
});

test('a lane that is full refuses more, and other lanes do not wait for it', async () => {
  const running = ['hang', 'hang', 'hang'].map(() => sandbox.run('hang', null));
  const outcomes = Promise.allSettled(running);
  await expect(sandbox.run('hang', null)).rejects.toThrow('UNAVAILABLE');
  expect(await sandbox.run('greet', 'neighbour')).toBe('hello neighbour');
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { limit: 'time' } });
});

test('a cancelled task ends at once, also while it waits', async () => {
  const wanted = new AbortController();
  const running = sandbox.run('hang', null, { signal: wanted.signal });
  const waiting = sandbox.run('hang', null, { signal: wanted.signal });
  const outcomes = Promise.allSettled([running, waiting]);
  const next = sandbox.run('wait', 1);
  wanted.abort(new Error('the file was deleted'));
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { message: 'the file was deleted' } });
  expect(await next).toBe('waited');
});

test('an idle child ends', async () => {
  await using own = disposable(make([], 50));
  const pid = await own.run('pid', null);
  await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
  expect(own.pids).toEqual([]);
  expect(await own.run('greet', 'again')).toBe('hello again');
});

test('closing ends every child and rejects waiting tasks', async () => {
  const own = make();
  const outcomes = Promise.allSettled([own.run('wait', 60_000), own.run('wait', 60_000)]);
  const pid = Number(await own.run('pid', null));
  await own.close();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(own.run('greet', 'late')).rejects.toThrow('UNAVAILABLE');
});

test('a task whose child is killed from outside is done by another', async () => {
  await using own = disposable(make());
  const answer = own.run('wait', 1000);
  const [pid = 0] = own.pids;
  process.kill(pid, 'SIGKILL');
  expect(await answer).toBe('waited');
  expect(own.pids).not.toContain(pid);
});

test('a task whose child ends before the task begins is done by another', { timeout: 20_000 }, async () => {
  await using own = disposable(make());
  await own.run('wait', 1);
  const [pid = 0] = own.pids;
  const beforeStart = async (): Promise<void> => {
    if (own.pids.includes(pid) && existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
    // Until this process has noticed, too.
    await sleep(100);
  };
  expect(await own.run('wait', 1, { beforeStart })).toBe('waited');
  expect(own.pids).not.toContain(pid);
});

test('tasks that wait for a child that cannot be started fail with the reason', async () => {
  const readable: string[] = [];
  await using own = disposable(make(readable));
  const outcomes = Promise.allSettled([own.run('hang', null), own.run('wait', 1), own.run('wait', 1)]);
  // As without memory for another process.
  readable.push('\0');
  const [hanging, ...waiting] = await outcomes;
  expect(hanging).toMatchObject({ reason: { limit: 'time' } });
  for (const each of waiting) expect(each).toMatchObject({ reason: { code: 'ERR_INVALID_ARG_VALUE' } });
  readable.pop();
  expect(await own.run('wait', 1)).toBe('waited');
});

test('a kill from outside or an answer does not make a content harmful', async () => {
  expect(isHarmful(await errorOf('crash'))).toBe(true);
  expect(isHarmful(await errorOf('spin'))).toBe(true);
  expect(isHarmful(await errorOf('refuse'))).toBe(false);
  expect(isHarmful(new CrashError('wait', null, 'SIGKILL', ''))).toBe(false);
});
