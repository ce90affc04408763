export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Resolves in a task of its own: what follows does not lengthen the one before, and taps are answered in between. */
export const nextTask = (): Promise<void> => pause(0);
