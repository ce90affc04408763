import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const ROUTES = path.join(import.meta.dirname, 'src/app/routes.tsx');
/** What surrounds every page after signing in. */
const FRAME = './frame.ts';
/** A page of the table of routes: `{ path: '/mac', lazy: shelledPage(() => import('…')) }`. */
const PAGE = /path: '(?<address>[^']+)',\s*lazy: (?<wrap>shelledPage|page)\([^']*import\('(?<module>[^']+)'\)/g;
const LAZY = /path: '[^']+',\s*lazy:/g;

interface Page {
  address: string;
  /** As the table of routes imports them. */
  modules: string[];
}

function pagesOf(routes: string): Page[] {
  const pages = [...routes.matchAll(PAGE)].map(({ groups = {} }) => {
    const { address = '', wrap, module = '' } = groups;
    return { address, modules: wrap === 'shelledPage' ? [FRAME, module] : [module] };
  });
  if (pages.length !== [...routes.matchAll(LAZY)].length) throw new Error(`${ROUTES}: a page has no import of its own`);
  return pages;
}

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
 * Writes `preloads.json`: for each page that is loaded when it is shown, the files that it needs beyond those that the
 * document names. The server sends their addresses along with the document (pages.ts), so that they come together with the
 * script that would ask for them.
 */
export const preloads = (): Plugin => ({
  name: 'preloads',
  apply: 'build',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file : []));
    const named = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((entry) => [...filesOf(entry, bundle)]));
    const filesOfModule = async (module: string): Promise<string[]> => {
      const id = (await this.resolve(module, ROUTES))?.id;
      const chunk = chunks.find(({ moduleIds }) => id !== undefined && moduleIds.includes(id));
      if (!chunk) throw new Error(`${module} is in no file of the build`);
      return [...filesOf(chunk, bundle)].filter((file) => !named.has(file));
    };
    const source: Record<string, string[]> = {};
    for (const { address, modules } of pagesOf(await this.fs.readFile(ROUTES, { encoding: 'utf8' }))) {
      const files = await Promise.all(modules.map(filesOfModule));
      source[address] = [...new Set(files.flat())].map((file) => `/${file}`);
    }
    this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(source) });
  },
});
