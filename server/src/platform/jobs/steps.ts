/**
 * Runs the steps of a job one after the other, also those after one that fails: what cannot be done for a while must not
 * keep other things from being done. @throws the first error, when all steps have run
 */
export async function runSteps(steps: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
