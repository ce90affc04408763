import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest)$/;
/** Bytes; below this there is nothing to gain. */
const WORTH_IT = 256;

/** Writes `.br` and `.gz` beside the built files, once, so that the server compresses nothing while it serves. */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      folder = path.resolve(config.root, config.build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        for (const name of await readdir(folder, { recursive: true })) {
          if (!COMPRESSIBLE.test(name)) continue;
          const file = path.join(folder, name);
          const bytes = await readFile(file);
          if (bytes.length < WORTH_IT) continue;
          await writeFile(`${file}.br`, brotliCompressSync(bytes));
          await writeFile(`${file}.gz`, gzipSync(bytes));
        }
      },
    },
  };
}
