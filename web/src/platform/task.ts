/** Resolves in a task of its own: what follows does not lengthen the one before, and taps are answered in between. */
export const nextTask = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
