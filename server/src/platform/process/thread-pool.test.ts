import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Prints the niceness of its event loop and of libuv's threads. */
const PROGRAM = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { getPriority } from 'node:os';
  import { lowerThreadPool } from '${new URL('thread-pool.ts', import.meta.url).href}';
  await lowerThreadPool();
  const threads = readdirSync('/proc/self/task').filter((id) =>
    readFileSync('/proc/self/task/' + id + '/comm', 'utf8').startsWith('libuv-worker'));
  console.log(JSON.stringify({ loop: getPriority(), pool: threads.map((id) => getPriority(Number(id))) }));
`;

test('the threads of libuv have a lower priority than the event loop', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
  const own = getPriority();
  const lower = Math.min(own + 5, 19);
  expect(JSON.parse(stdout)).toEqual({ loop: own, pool: [lower, lower, lower, lower] });
});
