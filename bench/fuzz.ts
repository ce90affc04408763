import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/**
 * Generated requests, messages and uploads against a whole server: the tests of `server/test/fuzz`, at length.
 * `FUZZ_REQUESTS` sets their number (default 50,000), `FUZZ_SEED` repeats a run.
 */
export default async function fuzz(): Promise<void> {
  const repository = path.resolve(import.meta.dirname, '..');
  const vitest = path.join(repository, 'node_modules/vitest/vitest.mjs');
  const running = spawn(process.execPath, [vitest, 'run', 'server/test/fuzz', '--no-file-parallelism'], {
    cwd: repository,
    env: { FUZZ_REQUESTS: '50000', ...process.env },
    stdio: 'inherit',
  });
  const [code] = await once(running, 'exit');
  if (code !== 0) throw new Error('something was found');
}
