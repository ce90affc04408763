/** What the JSON reports of the test runners say, as numbers. */

/** @typedef {{ passed: number, retried: number, failed: number, skipped: number }} Tally `retried` have passed, too; Vitest does not report them. */

/** A check that has no report counts as one test. @param {boolean} ok @returns {Tally} */
export const one = (ok) => ({ passed: ok ? 1 : 0, retried: 0, failed: ok ? 0 : 1, skipped: 0 });

/** @param {Tally[]} tallies @returns {Tally} */
export const sum = (tallies) =>
  tallies.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      retried: a.retried + b.retried,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
    }),
    { passed: 0, retried: 0, failed: 0, skipped: 0 },
  );

/**
 * A file that fails before its tests exist counts as one failed test.
 *
 * @param {{
 *   numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { status: string, assertionResults: { status: string }[] }[],
 * }} report
 * @returns {Tally}
 */
export function ofVitest(report) {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    retried: 0,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * @param {{
 *   stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[],
 * }} report
 * @returns {Tally}
 */
export const ofPlaywright = ({ stats, errors }) => ({
  passed: stats.expected + stats.flaky,
  retried: stats.flaky,
  failed: stats.unexpected + errors.length,
  skipped: stats.skipped,
});

/**
 * No report, or one that knows of no failure although the runner does: something failed all the same.
 *
 * @param {Tally} tally
 * @param {boolean} ok whether the runner was content
 */
export const atLeastOneFailed = (tally, ok) => (ok || tally.failed > 0 ? tally : sum([tally, one(false)]));
