/** Resolves when the page has nothing else to do, each time in a task of its own; after `limit` milliseconds anyway. */
export const idle = (limit: number): Promise<void> =>
  new Promise((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: limit });
    else setTimeout(resolve, limit);
  });
