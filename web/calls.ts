import { type RouteTable, routes } from '@ams/contract';
import type { Plugin } from 'vite';

const PREFIX = 'calls:';

/** Fields of a route that the typed client reads (contract/src/kernel/client.ts). */
const sentOf = (table: RouteTable) =>
  Object.fromEntries(Object.entries(table).map(([name, { method, url }]) => [name, { method, url }]));

/**
 * In the browser a call is its method and its address. The schemas of a route are for the server and for the types,
 * which are gone by now, so the tables of the contract are exchanged for modules without them: a page that only
 * calls needs neither zod nor the rules of other pages.
 */
export function calls(): Plugin {
  const sources = new Map(
    Object.entries<RouteTable>(routes).map(([feature, table]) => [
      PREFIX + feature,
      `export const ${feature} = ${JSON.stringify(sentOf(table))};`,
    ]),
  );
  // Named exports take precedence over `*` exports.
  const exports = [...sources.keys()].map((id) => `export { ${id.slice(PREFIX.length)} } from '${id}';`);
  return {
    name: 'calls',
    apply: 'build',
    resolveId: (id) => (sources.has(id) ? id : undefined),
    load: (id) => sources.get(id),
    transform: {
      filter: { id: /\/contract\/src\/index\.ts$/ },
      handler: (code) => [code, ...exports].join('\n'),
    },
  };
}
