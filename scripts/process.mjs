/** Running programs from the scripts: with the right Node first on the PATH, and never outliving us. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');

const NODE_FOR_THE_PRODUCT = 24;
const NODE_FOR_THE_SCRIPTS = [20, 19];

/** Why the work cannot continue, as one line for the terminal. */
export class Stop extends Error {}

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let stopped = false;

/**
 * A signal goes to the programs that run now, once: npm passes on what the terminal has sent
 * already. We end when they have.
 */
export function passSignalsOn() {
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => {
      if (stopped) return;
      stopped = true;
      for (const child of running) child.kill(name === 'SIGHUP' ? 'SIGTERM' : name);
      if (running.size === 0) process.exit(exitCode(null, name));
    });
  }
}

/** Whether a signal has asked us to end. */
export const isStopped = () => stopped;

const binFolder = path.join(root, 'node_modules/.bin');
const foreignPath = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(path.delimiter);

/** For npm itself, which replaces `node_modules` and must not run from there. */
export const outsideEnvironment = () => ({ ...process.env, PATH: foreignPath() });

/**
 * For everything else: what npm installed comes first, Node 24 among it. Node keeps what it compiled beside the
 * packages: tools start with less processor time.
 */
export const insideEnvironment = () => ({
  NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
  ...process.env,
  PATH: [path.dirname(productNode()), binFolder, foreignPath()].join(path.delimiter),
});

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions & {
 *   quiet?: boolean, onStart?: (child: import('node:child_process').ChildProcess) => void,
 * }} options `quiet`: keep the output, for `output`
 * @returns {Promise<{ code: number, output: string }>} 128 + the signal's number when one ended it, as shells do
 */
export function run(command, args, { quiet = false, onStart, ...options } = {}) {
  return new Promise((resolve) => {
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, args, { cwd: root, env: process.env, stdio, ...options });
    let output = '';
    child.stdout?.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    running.add(child);
    onStart?.(child);
    child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code: exitCode(code, signal), output });
    });
  });
}

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
const exitCode = (code, signal) => code ?? 128 + (signal ? constants.signals[signal] : 0);

/** The scripts run before anything is installed, on whatever Node there is. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = NODE_FOR_THE_SCRIPTS;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new Stop(`Node ${wantedMajor}.${wantedMinor} or newer is required; this is ${process.versions.node}`);
}

/** The Node that runs the product: the one from npm, or the running one when it is new enough. */
export function productNode() {
  const shipped = path.join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(shipped) && spawnSync(shipped, ['--version']).status === 0) return shipped;
  if (Number.parseInt(process.versions.node, 10) >= NODE_FOR_THE_PRODUCT) return process.execPath;
  throw new Stop(`Node ${NODE_FOR_THE_PRODUCT} or newer is required; this is ${process.versions.node}`);
}

/**
 * Runs a script's `main`; a `Stop` becomes one line and exit code 1.
 *
 * @param {() => Promise<number>} main returns the exit code
 */
export async function script(main) {
  passSignalsOn();
  try {
    checkNode();
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    if (!stopped) console.error(error.message);
    process.exitCode = stopped ? 130 : 1;
  }
}
