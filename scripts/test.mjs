/**
 * `npm test`: the checks of every change, on a computer that may have nothing yet. `npm run test:all` (`--all`) adds
 * failing databases and disks, hostile files, a cluster, other browsers, languages, faults and days of playback.
 * `--minutes N` leaves out those of them that would not end in time, and names them.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { BROWSER_PACKAGES, prepareSystem } from './system.mjs';
import { insideEnvironment, isStopped, run, script, Stop } from './process.mjs';
import { buildPages, installPackages } from './setup.mjs';
import { atLeastOneFailed, ofPlaywright, ofVitest, one, sum } from './tally.mjs';

const ALL = process.argv.includes('--all');
const MINUTES = numberAfter('--minutes') ?? Infinity;
const reports = mkdtempSync(path.join(tmpdir(), 'ams-reports-'));

/**
 * A check by its name.
 *
 * @typedef {(name: string) => Promise<import('./tally.mjs').Tally>} Check
 * @typedef {Record<string, Check>} Lane checks that run one after the other
 */

/**
 * Tests and stories keep two cores busy by themselves. Beside each other they would take longer: the more processes
 * share a core, the more of it goes into switching between them.
 *
 * @type {Lane}
 */
const TESTS = {
  'Unit and server tests': (name) => vitest(name, ['pure', 'components', 'server']),
  'Browser tests': (name) => playwright(name, 'stories', 2),
};

/** Computes without waiting: what tests that wait leave of the processor. @type {Lane} */
const STATIC = {
  'Types and lint': (name) => check(name, 'npm', ['run', '--silent', 'lint'], 'aside'),
  'Format': (name) => check(name, 'oxfmt', ['--check'], 'aside'),
};

/** Seconds and frames, which need the computer for themselves. @type {Lane} */
const MEASURED = { 'Browser tests that measure': (name) => playwright(name, 'measured', 1) };

/** What all checks above take on the computer of CI on an ordinary day. */
const USUAL_SECONDS = 1080;

/** Checks of `--all` with what they take there, those that must not be left out first. @type {Record<string, { seconds: number, check: Check }>} */
const FURTHER_CHECKS = {
  'Databases, disks and storage that fail': { seconds: 100, check: (name) => vitest(name, ['systems']) },
  'Hostile files': { seconds: 35, check: (name) => vitest(name, ['hostile']) },
  'The main job in a cluster': {
    seconds: 45,
    check: (name) => playwright(name, 'measured', 1, { AMS_TEST_CLUSTER: 'on' }, ['e2e/story.spec.ts']),
  },
  'Hostile files beside an operator': {
    seconds: 55,
    check: (name) => check(name, 'npm', ['run', '--silent', 'faults', '--', 'hostile', '10']),
  },
  'Other browsers': { seconds: 70, check: (name) => playwright(name, 'browsers', 1) },
  'Every page in every language': { seconds: 150, check: (name) => playwright(name, 'languages', 1) },
  'Faults and days of playback': { seconds: 560, check: (name) => playwright(name, 'long', 1) },
  'Stories of a cluster': {
    seconds: 700,
    check: (name) => playwright(name, 'stories', 2, { AMS_TEST_CLUSTER: 'on' }),
  },
};
/** A check may take so much longer than expected. */
const MARGIN = 1.15;

/** @param {string} option @returns {number | undefined} */
function numberAfter(option) {
  const index = process.argv.indexOf(option);
  return index < 0 ? undefined : Number(process.argv[index + 1]);
}

/** A command that is a check; its output follows when it has ended. @param {string} name @param {string} program @param {string[]} args @param {'aside'} [where] */
async function check(name, program, args, where) {
  /** @param {import('node:child_process').ChildProcess} child */
  const lower = ({ pid }) =>
    void (where === 'aside' && pid !== undefined && setPriority(pid, constants.priority.PRIORITY_LOW));
  const { code, output } = await run(program, args, { quiet: true, env: insideEnvironment(), onStart: lower });
  console.log(output);
  return one(name, code === 0, output);
}

/** @param {string} name @param {string[]} projects */
async function vitest(name, projects) {
  const report = path.join(reports, `${name}.json`);
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  args.push(...projects.map((project) => `--project=${project}`));
  const { code } = await run('vitest', args, { env: insideEnvironment() });
  return atLeastOneFailed(name, read(report, ofVitest), code === 0);
}

/** @param {string} name */
async function build(name) {
  try {
    await buildPages();
    return one(name, true);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(error.message);
    return one(name, false, error.message);
  }
}

/**
 * @param {string} name
 * @param {string} project
 * @param {number} workers
 * @param {NodeJS.ProcessEnv} [settings]
 * @param {string[]} [files] only these
 */
async function playwright(name, project, workers, settings = {}, files = []) {
  const report = path.join(reports, `${name}.json`);
  const env = { ...insideEnvironment(), ...settings, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const args = ['test', `--project=${project}`, `--workers=${workers}`, ...files];
  const { code } = await run('playwright', args, { env });
  return atLeastOneFailed(name, read(report, ofPlaywright), code === 0);
}

/**
 * A runner that broke down has written no report, or half of one.
 *
 * @template Report
 * @param {string} report
 * @param {(report: Report) => import('./tally.mjs').Tally} tally
 */
function read(report, tally) {
  try {
    return tally(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return sum([]);
  }
}

const secondsSoFar = () => performance.now() / 1000;

/** @param {Lane} lane */
async function checksOf(lane) {
  const tallies = [];
  for (const [name, checkIt] of Object.entries(lane)) {
    if (isStopped()) throw new Stop('Stopped');
    console.log(`\n── ${name}`);
    const begun = secondsSoFar();
    tallies.push(await checkIt(name));
    console.log(`── ${name}: ${Math.round(secondsSoFar() - begun)} s`);
  }
  return sum(tallies);
}

/**
 * The further checks that end in time, if they take as much longer than usual as those before them did.
 *
 * @returns {Promise<{ tally: import('./tally.mjs').Tally, leftOut: string[] }>}
 */
async function furtherChecks() {
  const slowness = secondsSoFar() / USUAL_SECONDS;
  const tallies = [];
  const leftOut = [];
  for (const [name, { seconds, check: checkIt }] of Object.entries(FURTHER_CHECKS)) {
    if (secondsSoFar() + seconds * slowness * MARGIN > MINUTES * 60) leftOut.push(name);
    else tallies.push(await checksOf({ [name]: checkIt }));
  }
  return { tally: sum(tallies), leftOut };
}

async function everything() {
  const before = await checksOf({ Build: build });
  const beside = await Promise.all([checksOf(TESTS), checksOf(STATIC)]);
  const measured = await checksOf(MEASURED);
  const { tally, leftOut } = ALL ? await furtherChecks() : { tally: sum([]), leftOut: [] };
  return { ...sum([before, ...beside, measured, tally]), leftOut };
}

await script(async () => {
  try {
    await Promise.all([installPackages(), prepareSystem(ALL ? BROWSER_PACKAGES : [])]);
    const { passed, retried, failed, skipped, failures, leftOut } = await everything();
    // Said again at the end, where whoever sees only the last page of a long output finds it.
    for (const failure of failures) console.log(`\n✗ ${failure}`);
    if (retried > 0) console.log(`\n${retried} browser stories passed only after a retry: find out why`);
    if (skipped > 0) console.log(`\n${skipped} skipped`);
    for (const name of leftOut) console.log(`\nLeft out, because it would not end within ${MINUTES} minutes: ${name}`);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});
