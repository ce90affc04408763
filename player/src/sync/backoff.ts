export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/** Doubles from `firstMs` to `maxMs`, then takes a random point in the upper half, so that a fleet spreads out. */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number, random: () => number): number {
  const ceiling = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30));
  return Math.round(ceiling * (0.5 + random() / 2));
}

export const DOWNLOAD_BACKOFF: Backoff = { firstMs: 1000, maxMs: 60_000 };
/** For a file that comes whole and wrong. */
export const CHECKSUM_BACKOFF: Backoff = { firstMs: 1000, maxMs: 3_600_000 };
/** For files that a disk did not take: each try fetches again what was given back, and fills the disk for a moment. */
export const FULL_BACKOFF: Backoff = { firstMs: 600_000, maxMs: 3_600_000 };
export const CALL_BACKOFF: Backoff = { firstMs: 1000, maxMs: 60_000 };
export const SOCKET_BACKOFF: Backoff = { firstMs: 1000, maxMs: 30_000 };
export const ENROL_BACKOFF: Backoff = { firstMs: 2000, maxMs: 30_000 };
/** A server that restarts closes every connection at once; devices reconnect over this time. */
export const RECONNECT_SPREAD_MS = 5000;
/** For a connection that another one of the same identity replaces: two copies of a disk would take turns without a pause. */
export const REPLACED_BACKOFF: Backoff = { firstMs: 5000, maxMs: 300_000 };
