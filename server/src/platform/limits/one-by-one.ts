/** Runs jobs of the same key one after another, in the order in which they came; those of other keys meanwhile. */
export class OneByOne {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(key: string, job: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(job);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === settled) this.#last.delete(key);
      });
    this.#last.set(key, settled);
    return mine;
  }
}
