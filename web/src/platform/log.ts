/** Failures are told to the browser's console, for whoever looks into one. */
export function logError(...what: unknown[]): void {
  // oxlint-disable-next-line no-console -- the one place that writes there
  console.error(...what);
}
