/** The embedded database cannot start. The message is one line and all that a person needs to see. */
export class PostgresError extends Error {
  override name = 'PostgresError';
}

/** The last line of what a program wrote, or the error's own first line: enough to say why something failed. */
export const lastLine = (text: string): string =>
  text
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim() ?? 'no reason given';
