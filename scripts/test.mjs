/** `npm test`: every check of the repository, on a machine that may have nothing yet. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareMachine } from './machine.mjs';
import { insideEnvironment, isStopped, run, script, Stop } from './process.mjs';
import { buildPages, installPackages } from './setup.mjs';
import { atLeastOneFailed, ofPlaywright, ofVitest, one, sum } from './tally.mjs';

const reports = mkdtempSync(path.join(tmpdir(), 'ams-reports-'));

const CHECKS = {
  'Types': () => check('npm', ['run', '--silent', 'typecheck']),
  'Lint': () => check('npm', ['run', '--silent', 'lint']),
  'Format': () => check('prettier', ['--check', '--log-level=warn', '.']),
  'Build': build,
  'Unit and server tests': vitest,
  'Browser tests': () => playwright('stories', 2),
  'Browser tests that measure': () => playwright('measured', 1),
};

/** @param {string} program @param {string[]} args */
async function check(program, args) {
  const { code } = await run(program, args, { env: insideEnvironment() });
  return one(code === 0);
}

async function vitest() {
  const report = path.join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await run('vitest', args, { env: insideEnvironment() });
  return atLeastOneFailed(read(report, ofVitest), code === 0);
}

async function build() {
  try {
    await buildPages();
    return one(true);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(error.message);
    return one(false);
  }
}

/** @param {string} project @param {number} workers */
async function playwright(project, workers) {
  const report = path.join(reports, `${project}.json`);
  const env = { ...insideEnvironment(), PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const { code } = await run('playwright', ['test', `--project=${project}`, `--workers=${workers}`], { env });
  return atLeastOneFailed(read(report, ofPlaywright), code === 0);
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
  const tallies = [];
  for (const [name, checkIt] of Object.entries(CHECKS)) {
    if (isStopped()) throw new Stop('Stopped');
    console.log(`\n── ${name}`);
    tallies.push(await checkIt());
  }
  return sum(tallies);
}

await script(async () => {
  try {
    await installPackages();
    await prepareMachine();
    const { passed, retried, failed, skipped } = await everything();
    if (retried > 0) console.log(`\n${retried} browser stories passed only when they were tried again: find out why`);
    if (skipped > 0) console.log(`\n${skipped} skipped`);
    console.log(`\n${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
});
