/** Running a program of the product from a checkout that may be fresh. */
import { insideEnvironment, isStopped, productNode, run } from './process.mjs';
import { buildPages, installPackages } from './setup.mjs';

/**
 * Installs and builds what is missing and runs a program; what was done before is not done again.
 *
 * @param {string} file from the root of the repository
 * @returns {Promise<number>} its exit code
 */
export async function runBuilt(file) {
  await installPackages();
  await buildPages();
  if (isStopped()) return 130;
  const beforehand = ['./scripts/follow-parent.mjs', './server/src/platform/process/strip-types.mjs'];
  const options = ['--disable-warning=ExperimentalWarning', ...beforehand.map((module) => `--import=${module}`)];
  // A session of its own: Ctrl-C reaches the program once, through us.
  const { code } = await run(productNode(), [...options, file], {
    env: { ...insideEnvironment(), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    detached: true,
  });
  return code;
}
