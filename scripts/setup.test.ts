import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Notes what it is asked for, takes a while, and fails when another one is at work. */
const NPM = `#!/bin/sh
echo "$1 $5" >> npm.log
mkdir busy || exit 1
sleep 0.5
mkdir -p node_modules web/dist player/dist
rmdir busy
`;

/** A fresh checkout whose npm only notes what it is asked for. */
function freshCheckout() {
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(import.meta.dirname, path.join(folder, 'scripts'), { recursive: true });
  for (const part of ['contract', 'web', 'player', 'bin']) mkdirSync(path.join(folder, part));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'package-lock.json'), '{}');
  writeFileSync(path.join(folder, 'bin/npm'), NPM);
  chmodSync(path.join(folder, 'bin/npm'), 0o755);
  const env = { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` };
  /** Prepares the checkout as every start does. */
  const prepare = () => {
    const code =
      "const { installPackages, buildPages } = await import('./scripts/setup.mjs'); await installPackages(); await buildPages();";
    const options = { cwd: folder, env, stdio: 'ignore', detached: true } as const;
    return spawn(process.execPath, ['--input-type=module', '--eval', code], options);
  };
  /** Kills a start together with its npm. */
  const kill = async (start: ChildProcess) => {
    if (start.pid !== undefined) process.kill(-start.pid, 'SIGKILL');
    await once(start, 'exit');
    rmSync(path.join(folder, 'busy'), { recursive: true, force: true });
  };
  const log = path.join(folder, 'npm.log');
  const asked = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { prepare, kill, asked };
}

test('of two starts in a fresh checkout one waits until the other has prepared it', async () => {
  const { prepare, asked } = freshCheckout();
  const codes = await Promise.all([prepare(), prepare()].map((start) => once(start, 'exit')));
  expect(codes).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(asked()).toEqual(['ci --no-fund', 'run web', 'run player']);
});

test('a start that was killed does not keep others waiting', async () => {
  const { prepare, kill, asked } = freshCheckout();
  const killed = prepare();
  await expect.poll(asked).toHaveLength(1);
  await kill(killed);
  expect(await once(prepare(), 'exit')).toEqual([0, null]);
});
