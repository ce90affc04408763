import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const FRAME = path.join(import.meta.dirname, 'src/app/frame.ts');

/** The files of a chunk and of all it needs before it can run. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, files = new Set<string>()): Set<string> {
  if (files.has(chunk.fileName)) return files;
  files.add(chunk.fileName);
  for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
  for (const name of chunk.imports) {
    const other = bundle[name];
    if (other?.type === 'chunk') filesOf(other, bundle, files);
  }
  return files;
}

/**
 * Writes `preloads.json`: the addresses of the files of the frame, which surrounds every page after signing in, beyond those
 * that the document names. The server sends them along with the document (pages.ts), so that they come together with the
 * script that would ask for them.
 */
export const preloads = (): Plugin => ({
  name: 'preloads',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file : []));
    const named = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => [...filesOf(entry, bundle)]));
    const frame = chunks.find(({ moduleIds }) => moduleIds.includes(FRAME));
    if (!frame) throw new Error(`${FRAME} is in no file of the build`);
    const files = [...filesOf(frame, bundle)].filter((file) => !named.has(file));
    this.emitFile({
      type: 'asset',
      fileName: 'preloads.json',
      source: JSON.stringify(files.map((file) => `/${file}`)),
    });
  },
});
