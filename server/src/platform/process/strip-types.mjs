/**
 * Loads TypeScript without its types, which are removed once and for all and not at each start:
 *
 *     node --disable-warning=ExperimentalWarning --import ./server/src/platform/process/strip-types.mjs server/src/main.ts
 *
 * A process that Node loads TypeScript for by itself keeps the program that removes types in memory, or with
 * `NODE_COMPILE_CACHE` what was compiled before: 14 MB of a server, 12 MB of each child process. The first start after a
 * change of the code fills a folder beside the packages, and so does this module when it is run by itself. A folder that
 * cannot be written is only read.
 */
import { hash, randomUUID } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '../../../..');
const FOLDER = path.join(repository, 'node_modules/.cache/stripped');

/** @param {string} text */
const digest = (text) => hash('sha256', text);

/** @param {string} file @returns what was kept, unless it is missing or a power cut has left a part of it */
function read(file) {
  try {
    const [, sum, code = ''] = /^(\w+)\n([^]*)$/.exec(readFileSync(file, 'utf8')) ?? [];
    return digest(code) === sum ? code : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Processes that start at once each write a file of their own.
 *
 * @param {string} file @param {string} code @returns whether it could be kept
 */
function keep(file, code) {
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(draft, `${digest(code)}\n${code}`);
    renameSync(draft, file);
    return true;
  } catch {
    // The folder is somebody else's, or this is a child process that must not write.
    return false;
  }
}

/** @param {string} text @returns its code without types, and whether that was kept before and is now */
function strip(text) {
  const place = path.join(FOLDER, digest(process.version + text));
  const known = read(place);
  if (known !== undefined) return { code: known, wasKept: true, isKept: true };
  const code = stripTypeScriptTypes(text);
  return { code, wasKept: false, isKept: keep(place, code) };
}

/** Keeps the code of modules that are loaded later, or by child processes, which must not write. */
function keepAll() {
  const files = globSync('{contract,server}/src/**/*.ts', { cwd: repository });
  files
    .filter((file) => !file.endsWith('.test.ts'))
    .every((file) => strip(readFileSync(path.join(repository, file), 'utf8')).isKept);
}

let hasKeptAll = false;

registerHooks({
  load(url, context, next) {
    if (context.format !== 'module-typescript') return next(url, context);
    const { code, wasKept, isKept } = strip(readFileSync(new URL(url), 'utf8'));
    if (!wasKept && isKept && !hasKeptAll) {
      hasKeptAll = true;
      keepAll();
    }
    return { format: 'module', source: code, shortCircuit: true };
  },
});

if (import.meta.main) keepAll();
