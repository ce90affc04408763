/** Prepares a fresh checkout: packages from npm and the two built pages. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { alone } from './alone.mjs';
import { insideEnvironment, outsideEnvironment, root, run, Stop } from './process.mjs';

const lockFile = path.join(root, 'package-lock.json');
const installedStamp = path.join(root, 'node_modules/.ams-installed');
const npmOwnStamp = path.join(root, 'node_modules/.package-lock.json');

/** @param {string} file */
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}

/**
 * Runs a step quietly; when it fails, shows its whole output and then one line.
 *
 * @param {string} progress
 * @param {string} failure
 * @param {string} command
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function step(progress, failure, command, args, env) {
  console.log(progress);
  const { code, output } = await run(command, args, { quiet: true, env });
  if (code === 0) return;
  throw new Stop(`${output.trimEnd()}\n${failure}`);
}

/** `npm ci` when `node_modules` is missing or does not belong to package-lock.json. */
export const installPackages = () => alone(install);

async function install() {
  const wanted = hashOf([lockFile]);
  if (read(installedStamp) === wanted) return;
  if (!installedByHand()) {
    await step(
      'Installing packages, which takes a minute or two …',
      'The packages cannot be installed: see the lines above',
      'npm',
      ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
      outsideEnvironment(),
    );
  }
  writeFileSync(installedStamp, wanted);
}

/** Somebody ran npm without us, after the lock file had its present content. */
const installedByHand = () =>
  !existsSync(installedStamp) && existsSync(npmOwnStamp) && statSync(npmOwnStamp).mtimeMs >= statSync(lockFile).mtimeMs;

const PAGES = [
  { part: 'web', says: 'Building the web app …' },
  { part: 'player', says: 'Building the player …' },
];

/** Builds each page whose sources differ from those of its last build. */
export const buildPages = () => alone(build);

async function build() {
  for (const { part, says } of PAGES) {
    const stamp = path.join(root, part, 'dist/.built');
    const sources = hashOf([lockFile, ...sourcesIn(path.join(root, 'contract')), ...sourcesIn(path.join(root, part))]);
    if (read(stamp) === sources) continue;
    await step(
      says,
      `The ${part} cannot be built: see the lines above`,
      'npm',
      ['run', '--silent', 'build', '-w', part],
      insideEnvironment(),
    );
    writeFileSync(stamp, sources);
  }
}

const NOT_SOURCES = new Set(['node_modules', 'dist', 'test', 'test-results']);

/** @param {string} folder @returns {string[]} */
function sourcesIn(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !NOT_SOURCES.has(name));
  return entries
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return sourcesIn(file);
      return entry.isFile() && !entry.name.includes('.test.') ? [file] : [];
    })
    .toSorted();
}
