import type { Plugin } from 'vite';

/**
 * The modules of zod that a device never needs: turning schemas into JSON Schema documents, which only the server does, and
 * values that contain themselves, which no JSON does.
 */
const UNUSED = /\/zod\/v4\/core\/(to-json-schema|json-schema-processors|memoizer)\.js$/;
const EXPORTED = /export (?:const|function|class) (\$?\w+)/g;
/** zod's own English messages: nobody reads them on a device. */
const MESSAGES = /\/zod\/v4\/locales\/en\.js$/;

/** Leaves a tenth of the script out of the player: each function of these modules becomes one that does nothing. */
export function leanZod(): Plugin {
  return {
    name: 'lean-zod',
    apply: 'build',
    transform(code, id) {
      if (MESSAGES.test(id)) return { code: 'export default () => ({ localeError: () => undefined });', map: null };
      if (!UNUSED.test(id)) return undefined;
      const names = [...code.matchAll(EXPORTED)].map(([, name]) => name);
      return { code: names.map((name) => `export const ${name} = () => undefined;`).join('\n'), map: null };
    },
  };
}
