/** Options of an `LRUCache` for at most so many entries; with `max` it takes the room for all of them at its start. */
export const upTo = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
