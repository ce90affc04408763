import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

/** Time for a client to send a request head, which is small even on a bad network. */
const HEAD_WITHIN_MS = 20_000;
const CHECK_EACH_MS = 5000;
/** File descriptors that stay for the database, files and programs. */
const OWN_FILES = 1000;
const TELL_EACH_MS = 60_000;
/** Linux alone has it. */
const LIMITS = '/proc/self/limits';

/** Options of Node's server: silent and slow clients are disconnected. */
export const impatience = { headersTimeout: HEAD_WITHIN_MS, connectionsCheckingInterval: CHECK_EACH_MS };

/** How many connections a process takes that may open so many files. */
const connectionsOf = (files: number): number => Math.floor(Math.max(files - OWN_FILES, files / 2));

/** How many files the process may open; undefined where that cannot be read. */
function fileLimit(): number | undefined {
  const limits = existsSync(LIMITS) ? readFileSync(LIMITS, 'utf8') : '';
  const files = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return files === undefined ? undefined : Number(files);
}

/** Excess connections are refused before they use up the file descriptors that existing clients need. */
export function limitCrowds(app: FastifyInstance, files = fileLimit()): void {
  if (files === undefined) return;
  const max = connectionsOf(files);
  let toldAt = -Infinity;
  app.server.maxConnections = max;
  app.server.on('drop', () => {
    if (performance.now() - toldAt < TELL_EACH_MS) return;
    toldAt = performance.now();
    app.log.warn({ connections: max }, 'too many connections; new ones are refused');
  });
}
