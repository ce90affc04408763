/** `npm start`: from a fresh checkout to a running server. */
import { runBuilt } from './built.mjs';
import { script } from './process.mjs';

// npm is our parent then; started by hand it may be a shell that ends, as it may.
if (process.env.npm_lifecycle_event === 'start') await import('./follow-parent.mjs');

await script(() => runBuilt('server/src/main.ts'));
