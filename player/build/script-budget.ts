import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** A machine in a shop with a bad line starts for the first time with this much script, compressed. */
const SCRIPT_MAX_BYTES = 60 * 1024;
/** A machine loads one language. */
const LANGUAGE = /^(zh|de|es|fr|ar|ja|ko|pt|ru|tr|vi)-/;

const scriptsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.js') && !LANGUAGE.test(path.basename(name)),
  );

/** Ends the build when everything that one machine runs (page, worker, service worker, a language) outgrows the budget. */
export function scriptBudget(): Plugin {
  let folder = '';
  return {
    name: 'script-budget',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        const bytes = scriptsIn(folder).reduce(
          (sum, name) => sum + gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).length,
          0,
        );
        const said = `${(bytes / 1024).toFixed(1)} of ${SCRIPT_MAX_BYTES / 1024} KiB of script, compressed`;
        if (bytes > SCRIPT_MAX_BYTES) throw new Error(`The player is too big: ${said}`);
        this.info(said);
      },
    },
  };
}
