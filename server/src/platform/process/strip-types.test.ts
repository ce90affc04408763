import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../../..');
const run = promisify(execFile);

const keptFor = (text: string): string =>
  path.join(repository, 'node_modules/.cache/stripped', hash('sha256', process.version + text));

/** A module with types that nobody has run yet, and where its code will be kept. */
function newModule(): { folder: string; file: string; kept: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-types-'));
  const file = path.join(folder, 'module.mts');
  const text = `const place: string = ${JSON.stringify(folder)};\nconsole.log(place.length > 0 ? 'it runs' : place);\n`;
  writeFileSync(file, text);
  const kept = keptFor(text);
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
    rmSync(kept, { force: true });
  });
  return { folder, file, kept };
}

async function says(file: string, ...options: string[]): Promise<string> {
  const hook = path.join(import.meta.dirname, 'strip-types.mjs');
  const flags = ['--disable-warning=ExperimentalWarning', `--import=${hook}`, ...options];
  const { stdout, stderr } = await run(process.execPath, [...flags, file]);
  return stdout + stderr;
}

test('a module runs without its types, which are removed once', async () => {
  const { file, kept } = newModule();
  expect(await says(file)).toBe('it runs\n');
  const code = readFileSync(kept, 'utf8').split('\n').slice(1).join('\n');
  expect(code).not.toContain(': string');
  const other = code.replace('it runs', 'it runs again');
  writeFileSync(kept, `${hash('sha256', other)}\n${other}`);
  expect(await says(file)).toBe('it runs again\n');
});

test('the code of child processes, which must not write, is kept with the first module that is new', async () => {
  const child = keptFor(readFileSync(path.join(repository, 'server/src/platform/sandbox/entry.ts'), 'utf8'));
  rmSync(child, { force: true });
  await says(newModule().file);
  expect(existsSync(child)).toBe(true);
});

test.each([
  ['nothing', () => ''],
  ['a part', (code: string) => code.slice(0, -20)],
  ['zeros', (code: string) => code.slice(0, 80) + '\0'.repeat(code.length - 80)],
])('a file of which a power cut left %s is not run', async (_, left) => {
  const { file, kept } = newModule();
  expect(await says(file)).toBe('it runs\n');
  const code = readFileSync(kept, 'utf8');
  writeFileSync(kept, left(code));
  expect(await says(file)).toBe('it runs\n');
  expect(readFileSync(kept, 'utf8')).toBe(code);
});

test('a process that must not write runs as well', async () => {
  const { folder, file, kept } = newModule();
  const readable = [repository, folder].map((place) => `--allow-fs-read=${place}`);
  expect(await says(file, '--permission', ...readable)).toBe('it runs\n');
  expect(existsSync(kept)).toBe(false);
});
