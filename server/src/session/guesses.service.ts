import { AppError, type ErrorName } from '@ams/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Wrong passwords and codes from one address, whatever the names: many names, each tried a little, are an attack too. */
export const WRONG_GUESSES = { max: 300, timeWindow: '15 minutes' };

const WRONG = new Set<ErrorName>(['BAD_CREDENTIALS', 'WRONG_PASSWORD', 'BAD_CODE']);

type Limiter = ReturnType<FastifyInstance['createRateLimit']>;

/** Counts wrong passwords and codes by the address they come from; accounts count their own. */
export class Guesses {
  readonly #limiter: Limiter;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  /**
   * Runs what checks a password or a code. `alsoLocked`: a locked account counts as well, since it was looked at.
   * @throws `TOO_MANY`
   */
  async watch<T>(request: FastifyRequest, attempt: () => Promise<T>, alsoLocked = false): Promise<T> {
    const counted = await this.#limiter(request, { increment: false });
    if (!counted.isAllowed && counted.remaining === 0) {
      throw new AppError('TOO_MANY', { seconds: counted.ttlInSeconds });
    }
    return attempt().catch(async (error: unknown) => {
      if (error instanceof AppError) await this.#count(request, error.error, alsoLocked);
      throw error;
    });
  }

  /** The name stays out of the log: people type their passwords there. */
  async #count(request: FastifyRequest, error: ErrorName, alsoLocked: boolean): Promise<void> {
    request.log.info({ address: request.ip, error }, 'login refused');
    if (WRONG.has(error) || (alsoLocked && error === 'TOO_MANY')) await this.#limiter(request);
  }
}
