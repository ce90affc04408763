/** The database cannot start or cannot be used. The message is one line and all that a person needs to see. */
export class PostgresError extends Error {
  override name = 'PostgresError';
}

/** The last line of a program's output, or the error's own first line: the reason of a failure. */
export const lastLine = (text: string): string =>
  text
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim() ?? 'no reason given';
