import { cpus, totalmem } from 'node:os';
import { endWithChildren } from '../children.ts';

/** `npm run faults -- <name> [number]`: runs `e2e/faults/<name>.ts`, whose default export prints what it found. */
const [name, ...numbers] = process.argv.slice(2);
if (!name || !/^[a-z]+$/.test(name)) {
  console.error('Usage: npm run faults -- <name>, for example rolling');
  process.exit(1);
}
endWithChildren();
const fault: unknown = await import(`./${name}.ts`);
if (typeof fault !== 'object' || fault === null || !('default' in fault) || typeof fault.default !== 'function') {
  throw new Error(`e2e/faults/${name}.ts has no default export to run`);
}
const model = cpus()[0]?.model ?? 'unknown';
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
await fault.default(...numbers.map(Number));
