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

/** @type {Record<string, (name: string) => Promise<import('./tally.mjs').Tally>>} */
const CHECKS = {
  'Types': (name) => check(name, 'npm', ['run', '--silent', 'typecheck']),
  'Lint': (name) => check(name, 'npm', ['run', '--silent', 'lint']),
  'Format': (name) => check(name, 'prettier', ['--check', '--log-level=warn', '.']),
  'Build': build,
  'Unit and server tests': (name) => vitest(name, ['pure', 'components', 'server']),
  'Browser tests': (name) => playwright(name, 'stories', 2),
  'Browser tests that measure': (name) => playwright(name, 'measured', 1),
};

/** @type {typeof CHECKS} */
const FURTHER_CHECKS = {
  'Languages, faults and days of playback': (name) => playwright(name, 'long', 1),
  'Hostile files': (name) => vitest(name, ['hostile']),
  'Hostile files beside an operator': (name) =>
    check(name, 'npm', ['run', '--silent', 'faults', '--', 'hostile', '10']),
  'Stories of a cluster': (name) => playwright(name, 'stories', 1, { AMS_TEST_CLUSTER: 'on' }),
  'Other browsers': (name) => playwright(name, 'browsers', 1),
};

/** @param {string} name @param {string} program @param {string[]} args */
async function check(name, program, args) {
  const { code } = await run(program, args, { env: insideEnvironment() });
  return one(name, code === 0);
}

/** @param {string} name @param {string[]} projects */
async function vitest(name, projects) {
  const report = path.join(reports, `${projects[0]}.json`);
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
    return one(name, false);
  }
}

/** @param {string} name @param {string} project @param {number} workers @param {NodeJS.ProcessEnv} [settings] */
async function playwright(name, project, workers, settings = {}) {
  const report = path.join(reports, `${project}.json`);
  const env = { ...insideEnvironment(), ...settings, PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const { code } = await run('playwright', ['test', `--project=${project}`, `--workers=${workers}`], { env });
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

async function everything() {
  const checks = ALL ? { ...CHECKS, ...FURTHER_CHECKS } : CHECKS;
  const tallies = [];
  for (const [name, checkIt] of Object.entries(checks)) {
    if (isStopped()) throw new Stop('Stopped');
    console.log(`\n── ${name}`);
    const begun = performance.now();
    tallies.push(await checkIt(name));
    console.log(`── ${name}: ${Math.round((performance.now() - begun) / 1000)} s`);
  }
  return sum(tallies);
}

await script(async () => {
  try {
    await installPackages();
    await prepareSystem(ALL ? BROWSER_PACKAGES : []);
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
