import { readFile } from 'node:fs/promises';
import * as contract from '@ams/contract';
import { type Plugin, parseAst } from 'vite';
import { z } from 'zod';

const CONTRACT = '@ams/contract';
const COPY = '?schemas';
const IMPORT = /import \{([^}]*)\} from '@ams\/contract'/g;

const isSchema = (name: string): boolean => Reflect.get(contract, name.replace(/ as .*/, '')) instanceof z.ZodType;

const importOf = (names: readonly string[], from: string): string =>
  names.length === 0 ? '' : `import { ${names.join(', ')} } from '${from}';`;

/**
 * The same module, in which a constant that calls make can be left out where nobody uses it: no call at the top of the
 * contract's modules has effects, which a bundler cannot see of `z.string().max(60)`.
 */
function withPureConstants(code: string): string {
  const values = parseAst(code, { lang: 'ts' }).body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ init }) => (init && !/Function/.test(init.type) ? [init] : []));
  });
  return values.reduceRight((text, { start, end }) => {
    const value = text.slice(start, end);
    return value.includes('(') ? `${text.slice(0, start)}/* @__PURE__ */ (() => (${value}))()${text.slice(end)}` : text;
  }, code);
}

/**
 * Keeps schemas, and zod with them, away from pages without forms. The modules of the contract hold schemas beside
 * constants and rules, and a bundler keeps a module in one file, with all that any page uses of it. Pages therefore take
 * their schemas from a second copy of the contract.
 */
export function schemas(): Plugin {
  return {
    name: 'schemas',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      const isOfCopy = importer?.endsWith(COPY) && source.startsWith('.');
      if (!isOfCopy && source !== CONTRACT + COPY) return undefined;
      const found = await this.resolve(source.replace(COPY, ''), importer?.replace(COPY, ''), { skipSelf: true });
      return found && { id: `${found.id}${COPY}`, moduleSideEffects: false };
    },
    async load(id) {
      if (!/\/contract\/src\/.*\.ts(\?schemas)?$/.test(id)) return undefined;
      return { code: withPureConstants(await readFile(id.replace(COPY, ''), 'utf8')), moduleType: 'ts' };
    },
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx?$/, code: IMPORT },
      handler: (code) =>
        code.replace(IMPORT, (_, list: string) => {
          const names = list.split(',').flatMap((name) => name.trim() || []);
          const others = names.filter((name) => !isSchema(name));
          return importOf(others, CONTRACT) + importOf(names.filter(isSchema), CONTRACT + COPY);
        }),
    },
  };
}
