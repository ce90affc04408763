/**
 * `npm test`: the checks of every change, on a device that may have nothing yet. `npm run test:all` (`--all`) adds
 * languages, faults, hostile files, days of playback, stories of a cluster and other browsers.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BROWSER_PACKAGES, prepareSystem } from './system.mjs';
import { insideEnvironment, isStopped, run, script, Stop } from './process.mjs';
import { buildPages, installPackages } from './setup.mjs';
import { atLeastOneFailed, ofPlaywright, ofVitest, one, sum } from './tally.mjs';

const ALL = process.argv.includes('--all');
const reports = mkdtempSync(path.join(tmpdir(), 'ams-reports-'));

/**
 * A check by its name. `quiet`: its output follows when it has ended.
 *
 * @typedef {(name: string, quiet: boolean) => Promise<import('./tally.mjs').Tally>} Check
 * @typedef {Record<string, Check>} Lane checks that run one after the other
 */

/**
 * Lanes that run beside each other: tests wait for disks, devices and each other, and one lane alone leaves half of two
 * cores idle. The first shows its output as it comes, the others when a check has ended.
 *
 * @type {Lane[]}
 */
const LANES = [
  { 'Unit and server tests': (name, quiet) => vitest(name, quiet, ['pure', 'components', 'server']) },
  { 'Browser tests': (name, quiet) => playwright(name, quiet, 'stories', 3) },
  {
    'Types and lint': (name, quiet) => check(name, quiet, 'npm', ['run', '--silent', 'lint']),
    'Format': (name, quiet) => check(name, quiet, 'oxfmt', ['--check']),
  },
];

/** Seconds and frames, which need the computer for themselves. @type {Lane} */
const MEASURED = { 'Browser tests that measure': (name, quiet) => playwright(name, quiet, 'measured', 1) };

/** @type {Lane} */
const FURTHER_CHECKS = {
  'Every page in every language': (name, quiet) => playwright(name, quiet, 'languages', 1),
  'Faults and days of playback': (name, quiet) => playwright(name, quiet, 'long', 1),
  'Hostile files': (name, quiet) => vitest(name, quiet, ['hostile']),
  'Hostile files beside an operator': (name, quiet) =>
    check(name, quiet, 'npm', ['run', '--silent', 'faults', '--', 'hostile', '10']),
  'Stories of a cluster': (name, quiet) => playwright(name, quiet, 'stories', 2, { AMS_TEST_CLUSTER: 'on' }),
  'The main job in a cluster': (name, quiet) =>
    playwright(name, quiet, 'measured', 1, { AMS_TEST_CLUSTER: 'on' }, ['e2e/story.spec.ts']),
  'Other browsers': (name, quiet) => playwright(name, quiet, 'browsers', 1),
};

/** @param {string} program @param {string[]} args @param {{ quiet: boolean, env: NodeJS.ProcessEnv }} options */
async function succeeds(program, args, options) {
  const { code, output } = await run(program, args, options);
  if (options.quiet) console.log(output);
  return code === 0;
}

/** @param {string} name @param {boolean} quiet @param {string} program @param {string[]} args */
async function check(name, quiet, program, args) {
  return one(name, await succeeds(program, args, { quiet, env: insideEnvironment() }));
}

/** @param {string} name @param {boolean} quiet @param {string[]} projects */
async function vitest(name, quiet, projects) {
  const report = path.join(reports, `${projects[0]}.json`);
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  args.push(...projects.map((project) => `--project=${project}`));
  const ok = await succeeds('vitest', args, { quiet, env: insideEnvironment() });
  return atLeastOneFailed(name, read(report, ofVitest), ok);
}

/** @param {string} name */
async function build(name) {
  try {
    await buildPages();
    return one(name, true);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(error.message);
    return one(name, false);
  }
}

/**
 * @param {string} name
 * @param {boolean} quiet
 * @param {string} project
 * @param {number} workers
 * @param {NodeJS.ProcessEnv} [settings]
 * @param {string[]} [files] only these
 */
async function playwright(name, quiet, project, workers, settings = {}, files = []) {
  const report = path.join(reports, `${project}.json`);
  const env = { ...insideEnvironment(), ...settings, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const ok = await succeeds('playwright', ['test', `--project=${project}`, `--workers=${workers}`, ...files], {
    quiet,
    env,
  });
  return atLeastOneFailed(name, read(report, ofPlaywright), ok);
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

/** @param {Lane} lane */
async function checksOf(lane, quiet = false) {
  const tallies = [];
  for (const [name, checkIt] of Object.entries(lane)) {
    if (isStopped()) throw new Stop('Stopped');
    console.log(`\n── ${name}`);
    const begun = performance.now();
    tallies.push(await checkIt(name, quiet));
    console.log(`── ${name}: ${Math.round((performance.now() - begun) / 1000)} s`);
  }
  return sum(tallies);
}

async function everything() {
  const before = await checksOf({ Build: build });
  const beside = await Promise.all(LANES.map((lane, n) => checksOf(lane, n > 0)));
  const after = await checksOf(ALL ? { ...MEASURED, ...FURTHER_CHECKS } : MEASURED);
  return sum([before, ...beside, after]);
}

await script(async () => {
  try {
    await Promise.all([installPackages(), prepareSystem(ALL ? BROWSER_PACKAGES : [])]);
    const { passed, retried, failed, skipped, failures } = await everything();
    // Said again at the end, where whoever sees only the last page of a long output finds it.
    for (const failure of failures) console.log(`\n✗ ${failure}`);
    if (retried > 0) console.log(`\n${retried} browser stories passed only after a retry: find out why`);
    if (skipped > 0) console.log(`\n${skipped} skipped`);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});
