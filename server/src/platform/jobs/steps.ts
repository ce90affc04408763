/**
 * Runs the steps of a job one after the other, also those after one that fails: what cannot be done for a while must not
 * keep other things from being done. @throws the first error, when all steps have run
 */
export async function runSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** A run of like steps ends early when so many have failed: the disk or the storage itself is likely to be away. */
const FAILURES_MAX = 10;

/** The failures of like steps, such as removing one content each: the others are done. */
export class Failures {
  readonly #errors: unknown[] = [];

  /** @throws the first error, when too many steps have failed */
  readonly note = (error: unknown): void => {
    this.#errors.push(error);
    if (this.#errors.length === FAILURES_MAX) this.end();
  };

  /** To be called after the last step. @throws the first error, if a step has failed */
  end(): void {
    if (this.#errors.length > 0) throw this.#errors[0];
  }
}
