/** Failures are written to the browser's console. */
export function logError(...what: unknown[]): void {
  // oxlint-disable-next-line no-console -- the one place that writes there
  console.error(...what);
}
