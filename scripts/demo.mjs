/** `npm run demo`: from a fresh checkout to a server with people, films and forty devices. */
import { runBuilt } from './built.mjs';
import { script } from './process.mjs';

if (process.env.npm_lifecycle_event === 'demo') await import('./follow-parent.mjs');

await script(() => runBuilt('demo/main.ts'));
