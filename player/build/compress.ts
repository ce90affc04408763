import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** A device in a shop with a bad line starts for the first time with this much script, compressed. */
const SCRIPT_MAX_BYTES = 64 * 1024;
/** A device loads one language. */
const OTHER_LANGUAGE = /^(zh|de|es|fr|ar|ja|ko|pt|ru|tr|vi)-/;
const COMPRESSIBLE = /\.(js|css|html|svg)$/;

const isScript = (name: string): boolean => name.endsWith('.js') && !OTHER_LANGUAGE.test(path.basename(name));

/**
 * Writes `.br` and `.gz` beside the built files, as the server sends them, and ends the build when everything that one
 * device runs (page, worker, service worker, a language) outgrows the budget.
 */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: 'build',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      // After the service worker, which another plugin writes in the same hook.
      order: 'post',
      sequential: true,
      handler() {
        let script = 0;
        for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
          if (!COMPRESSIBLE.test(name)) continue;
          const file = path.join(folder, name);
          const bytes = readFileSync(file);
          const small = brotliCompressSync(bytes);
          writeFileSync(`${file}.br`, small);
          writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
          if (isScript(name)) script += small.length;
        }
        const said = `${(script / 1024).toFixed(1)} of ${SCRIPT_MAX_BYTES / 1024} KiB of script, compressed`;
        if (script > SCRIPT_MAX_BYTES) throw new Error(`The player is too big: ${said}`);
        this.info(said);
      },
    },
  };
}
