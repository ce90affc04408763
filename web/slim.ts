import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/**
 * Modules of libraries that the browser carries and this app never calls: zod's JSON Schema writer
 * (the server draws the OpenAPI document) and axios's second transport (XMLHttpRequest is used, for its
 * error messages). They hang on methods, so that no tree shaker finds them unused.
 */
const NEVER_CALLED = [
  /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/,
  /\/axios\/lib\/adapters\/fetch\.js$/,
];

const EXPORTED = /^export (?:async )?(?:const|function|class) (\w+)/gm;

/** Keeps the names that such a module exports, each an empty function. */
export function slim(): Plugin {
  return {
    name: 'slim',
    apply: 'build',
    async load(id) {
      if (!NEVER_CALLED.some((module) => module.test(id))) return undefined;
      const names = [...(await readFile(id, 'utf8')).matchAll(EXPORTED)].map(([, name]) => name);
      return [...names.map((name) => `export const ${name} = () => undefined;`), 'export default undefined;'].join(
        '\n',
      );
    },
  };
}
