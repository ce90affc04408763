type Ending = () => Promise<void>;

const endings: Ending[] = [];

/** Runs `ending` when the tests of this file are done. Unlike `afterAll`, it may be called in a hook or a test. */
export const atEndOfFile = (ending: Ending): void => void endings.push(ending);

/** Runs what is to be run at the end of this file, the last first. */
export async function endFile(): Promise<void> {
  for (const ending of endings.splice(0).toReversed()) await ending();
}
