/** Summaries of the test runners' JSON reports: counts, and failures as text. */
import { stripVTControlCharacters } from 'node:util';

/**
 * @typedef {{ passed: number, retried: number, failed: number, skipped: number, failures: string[] }} Tally
 *   `retried` have passed, too; Vitest does not report them. `failures` name what failed, with the reasons.
 */

/** @type {Tally} */
const NOTHING = { passed: 0, retried: 0, failed: 0, skipped: 0, failures: [] };

/**
 * A check that has no report counts as one test.
 *
 * @param {string} name
 * @param {boolean} ok
 * @param {string} [output] of the check; its last lines are the reason of a failure
 * @returns {Tally}
 */
export const one = (name, ok, output = '') =>
  ok
    ? { ...NOTHING, passed: 1 }
    : { ...NOTHING, failed: 1, failures: [failure(name, output === '' ? [] : [lastLines(output)])] };

/** @param {Tally[]} tallies @returns {Tally} */
export const sum = (tallies) =>
  tallies.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      retried: a.retried + b.retried,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
      failures: [...a.failures, ...b.failures],
    }),
    NOTHING,
  );

/**
 * A file that fails before its tests exist counts as one failed test.
 *
 * @param {{
 *   numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: {
 *     name: string, status: string, message: string,
 *     assertionResults: { fullName: string, status: string, failureMessages: string[] }[],
 *   }[],
 * }} report
 * @returns {Tally}
 */
export function ofVitest(report) {
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [failure(name, [message])];
    return failed.map(({ fullName, failureMessages }) => failure(`${name} › ${fullName}`, failureMessages));
  });
  return {
    passed: report.numPassedTests,
    retried: 0,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

/**
 * @typedef {{ message?: string }} PlaywrightError
 * @typedef {{ status: string, results: { errors: PlaywrightError[] }[] }} PlaywrightTest
 * @typedef {{ title: string, specs: { title: string, tests: PlaywrightTest[] }[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @param {{
 *   stats: { expected: number, unexpected: number, flaky: number, skipped: number },
 *   errors: PlaywrightError[], suites: PlaywrightSuite[],
 * }} report
 * @returns {Tally}
 */
export const ofPlaywright = ({ stats, errors, suites }) => ({
  passed: stats.expected + stats.flaky,
  retried: stats.flaky,
  failed: stats.unexpected + errors.length,
  skipped: stats.skipped,
  failures: [
    ...suites.flatMap((suite) => failuresOfSuite(suite, [])),
    ...errors.map((error) => failure('Outside of every story', [error.message])),
  ],
});

/** @param {PlaywrightSuite} suite @param {string[]} above titles of the suites it is in @returns {string[]} */
function failuresOfSuite({ title, specs, suites = [] }, above) {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => {
        const name = [...path, spec.title].join(' › ');
        const messages = results.flatMap(({ errors }) => errors.map(({ message }) => message));
        return failure(status === 'flaky' ? `${name} (passed when tried again)` : name, messages);
      }),
  );
  return [...own, ...suites.flatMap((suite) => failuresOfSuite(suite, path))];
}

const LINES_OF_A_REASON = 12;

/** @param {string} output */
const lastLines = (output) => output.trimEnd().split('\n').slice(-LINES_OF_A_REASON).join('\n');

/** @param {string} name @param {(string | undefined)[]} reasons */
function failure(name, reasons) {
  const lines = reasons.flatMap((reason) =>
    stripVTControlCharacters(reason ?? '')
      .split('\n')
      .slice(0, LINES_OF_A_REASON),
  );
  return [name, ...lines.map((line) => `    ${line}`)].join('\n');
}

/**
 * No report, or one that knows of no failure although the runner does: something failed all the same.
 *
 * @param {string} name of the runner's check
 * @param {Tally} tally
 * @param {boolean} ok whether the runner was content
 */
export const atLeastOneFailed = (name, tally, ok) => (ok || tally.failed > 0 ? tally : sum([tally, one(name, false)]));
