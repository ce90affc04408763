/** `npm start`: from a fresh checkout to a running server. What was done before is not done again. */
import { insideEnvironment, isStopped, productNode, run, script } from './process.mjs';
import { buildPages, installPackages } from './setup.mjs';

// npm is our parent then; started by hand it may be a shell that ends, as it may.
if (process.env.npm_lifecycle_event === 'start') await import('./follow-parent.mjs');

await script(async () => {
  await installPackages();
  await buildPages();
  if (isStopped()) return 130;
  // A session of its own: Ctrl-C reaches the server once, through us.
  const { code } = await run(productNode(), ['--import', './scripts/follow-parent.mjs', 'server/src/main.ts'], {
    env: insideEnvironment(),
    detached: true,
  });
  return code;
});
