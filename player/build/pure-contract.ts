import type { Plugin } from 'vite';

const CONTRACT = /\/contract\/src\//;

/** Lets the schemas and route tables that a device does not use be removed: to make one has no other effect. */
export function pureContract(): Plugin {
  return {
    name: 'pure-contract',
    apply: 'build',
    transform(code, id) {
      if (!CONTRACT.test(id)) return undefined;
      let pure = code;
      for (const statement of this.parse(code).body.toReversed()) {
        const made = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
        if (made?.type !== 'VariableDeclaration') continue;
        for (const { init } of made.declarations.toReversed()) {
          if (init?.type !== 'CallExpression') continue;
          const { start, end } = init;
          pure = `${pure.slice(0, start)}/* @__PURE__ */ (() => ${pure.slice(start, end)})()${pure.slice(end)}`;
        }
      }
      return { code: pure, map: null };
    },
  };
}
