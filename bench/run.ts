import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import path from 'node:path';
import { endWithChildren } from '../e2e/children.ts';

/** `npm run bench -- <name>`: runs `bench/<name>.ts`, whose default export gets a folder to work in. */
const [name] = process.argv.slice(2);
if (!name || !/^[a-z]+$/.test(name)) {
  console.error('Usage: npm run bench -- <name>, for example home');
  process.exit(1);
}
/** The conditions of a result: the date, the commit, the computer and the load on it before the run. */
function conditions(): string {
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  const computer = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${new Date().toISOString().slice(0, 10)}, ${commit}, ${computer}, load average ${loadavg()[0]?.toFixed(1)}`;
}

/** A folder that is kept has its databases filled once: a million devices take minutes. */
const kept = process.env['BENCH_FOLDER'];
const folder = kept ?? mkdtempSync(path.join(tmpdir(), `ams-bench-${name}-`));
endWithChildren(() => {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
});
const bench: unknown = await import(`./${name}.ts`);
if (typeof bench !== 'object' || bench === null || !('default' in bench) || typeof bench.default !== 'function') {
  throw new Error(`bench/${name}.ts has no default export to run`);
}
console.log(conditions());
await bench.default(folder);
