/** Shares are sums of floats: 0.57 is a little less. */
const TOLERANCE = 1e-6;

/** Whole percent of a share that is free (0–1): never more than there is. */
export const freePercent = (share: number): number => Math.floor(share * 100 + TOLERANCE);

/** Whole percent of a share that is needed (0–1): never less, so that what does not fit never looks equal to what is free. */
export const neededPercent = (share: number): number => Math.ceil(share * 100 - TOLERANCE);
