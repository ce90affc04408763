/** SQLSTATE classes and system errors that mean: the database is away, or a standby for now; try again. */
const DATABASE_AWAY =
  /^(08|57P0|53300|25006)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EAI_AGAIN|ENOTFOUND)$/;

export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof Error &&
  (DATABASE_AWAY.test(codeOf(error)) ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(error.message));
