import path from 'node:path';
import { LANGUAGES } from '@ams/contract';
import type { Plugin, Rolldown } from 'vite';

const moduleOf = (name: string): string => path.join(import.meta.dirname, 'src', name);

const FRAME = moduleOf('app/frame.ts');
/** The page whose script is the largest part of what a phone waits for. */
const PAGES = { '/mac': moduleOf('devices/pages/DeviceListPage.tsx') };

/** The texts of a language: those of the frame and the home page, and those of all pages. */
const textsOf = (language: string) => {
  const first = moduleOf(`locales/${language}/first.ts`);
  return { frame: [first, moduleOf(`locales/${language}/home.ts`)], all: [first, moduleOf(`locales/${language}.ts`)] };
};

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
 * Writes `preloads.json`: the addresses of files that come first, and of those that the document does not name. The server sends them along with the
 * document (server/src/platform/http/preloads.ts), so that they come together with the script that would ask for them.
 */
export const preloads = (): Plugin => ({
  name: 'preloads',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file : []));
    const named = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => [...filesOf(entry, bundle)]));
    const addresses = (modules: readonly string[], without: ReadonlySet<string> = named): string[] => {
      const files = modules.flatMap((module) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
        if (!chunk) throw new Error(`${module} is in no file of the build`);
        return [...filesOf(chunk, bundle)];
      });
      return [...new Set(files)].filter((file) => !without.has(file)).map((file) => `/${file}`);
    };
    const beyond = addresses([FRAME]);
    const here = new Set([...named, ...beyond.map((address) => address.slice(1))]);
    // The first picture and its style before all: a browser loads six files at a time.
    const styles = [...named].filter((file) => file.endsWith('.css')).map((file) => `/${file}`);
    const frame = [...styles, '/favicon.svg', ...beyond];
    const pages = Object.entries(PAGES).map(([page, module]) => [page, addresses([module], here)]);
    const texts = LANGUAGES.map((language) => {
      const { frame: first, all } = textsOf(language);
      return [language, { frame: addresses(first), all: addresses(all) }];
    });
    const source = JSON.stringify({ frame, pages: Object.fromEntries(pages), texts: Object.fromEntries(texts) });
    this.emitFile({ type: 'asset', fileName: 'preloads.json', source });
  },
});
