import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/**
 * Modules of libraries that the browser carries and this app never calls: zod's JSON Schema writer (the server draws the
 * OpenAPI document), axios's second transport (XMLHttpRequest is used, for its error messages) and its writers of forms
 * and query strings (addresses come whole, bodies are JSON or made by the browser), and of the router what observes it
 * or belongs to its framework. They hang on methods and conditions, so that no tree shaker finds them unused.
 */
const NEVER_CALLED = [
  /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/,
  /\/axios\/lib\/(adapters\/fetch|cancel\/CancelToken|core\/assertParamsAcyclic)\.js$/,
  /\/axios\/lib\/helpers\/(AxiosURLSearchParams|formDataToJSON|HttpStatusCode|toFormData|toURLEncodedForm)\.js$/,
  /\/react-router\/dist\/production\/lib\/router\/instrumentation\.js$/,
  /\/react-router\/dist\/production\/lib\/dom\/ssr\/(links|routeModules|single-fetch)\.js$/,
];

/**
 * Icons name each of their lines for React, which only a warning of its development version asks for: no line ever changes
 * places. The names are random, so that no compression helps.
 */
const ICON = /\/lucide-react\/dist\/esm\/icons\//;
const LINE_NAME = /,\s*key: "\w+"/g;

const DECLARED = /^export (?:async )?(?:const|function|class) (\w+)/gm;
const LISTED = /^export \{([^}]*)\}/gm;

/** The names that a module exports. */
function exportsOf(code: string): string[] {
  const lists = [...code.matchAll(LISTED)].flatMap(([, list = '']) => list.split(','));
  const listed = lists.map((name) => name.replace(/^.* as /, '').trim());
  return [...code.matchAll(DECLARED)]
    .map(([, name = '']) => name)
    .concat(listed.filter((name) => /^\w/.test(name) && name !== 'default'));
}

/** Keeps the names that modules of `NEVER_CALLED` export, each an empty function, and icons without the names of lines. */
export function slim(): Plugin {
  return {
    name: 'slim',
    apply: 'build',
    async load(id) {
      if (!NEVER_CALLED.some((module) => module.test(id))) return undefined;
      const names = exportsOf(await readFile(id, 'utf8'));
      return [...names, 'nothing']
        .map((name) => `export const ${name} = () => undefined;`)
        .concat('export default nothing;')
        .join('\n');
    },
    transform: (code, id) => (ICON.test(id) ? { code: code.replaceAll(LINE_NAME, ''), map: null } : undefined),
  };
}
