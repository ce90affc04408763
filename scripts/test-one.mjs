/**
 * `npm run test:one <file>`: one test file with the runner that it belongs to. Files under `e2e/` are stories for a
 * browser; a test of the server that uses nothing of `server/test/` starts without a database.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { insideEnvironment, root, run, script, Stop } from './process.mjs';
import { buildPages } from './setup.mjs';

const SERVER_PARTS = new Set(['server', 'fleet', 'demo', 'bench']);

/** Whether a test needs the run's PostgreSQL: its helpers are in folders named `test`. */
const usesDatabase = (/** @type {string} */ file) =>
  file.startsWith('server/test/') || /from '[^']*(\/test\/|fleet|demo)|inject\(/.test(readFileSync(file, 'utf8'));

await script(async () => {
  const [given, ...rest] = process.argv.slice(2);
  if (given === undefined) throw new Stop('Name a test file: npm run test:one web/src/app/guard.test.ts');
  const file = path.relative(root, path.resolve(given));
  const part = file.split(path.sep)[0] ?? '';
  if (part === 'e2e') {
    await buildPages();
    return (await run('playwright', ['test', file, ...rest], { env: insideEnvironment() })).code;
  }
  const projects = SERVER_PARTS.has(part) ? ['server', 'systems', 'hostile'] : ['pure', 'components'];
  const env = { ...insideEnvironment(), AMS_TEST_DATABASE: usesDatabase(file) ? 'on' : 'off' };
  const chosen = projects.map((project) => `--project=${project}`);
  return (await run('vitest', ['run', ...chosen, file, ...rest], { env })).code;
});
