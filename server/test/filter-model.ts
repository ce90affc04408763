import { type GroupFilter, macSearch, type Orientation } from '@ams/contract';

/** A device as far as lasting filters depend on it. */
export interface ModelDevice {
  mac: string;
  name: string;
  area: string | null;
  tags: readonly string[];
  orientation: Orientation | null;
  paired: boolean;
  owner: { id: string; username: string };
}

const has = (text: string | null, part: string): boolean => text?.toLowerCase().includes(part.toLowerCase()) ?? false;

function isFound({ mac, name, area, owner }: ModelDevice, q: string): boolean {
  const hex = macSearch(q);
  const byMac = hex !== undefined && mac.replaceAll(':', '').includes(hex);
  return has(name, q) || has(area, q) || has(owner.username, q) || byMac;
}

/** Whether a device satisfies the lasting conditions of a filter: by reading, without SQL. */
export function satisfies(
  device: ModelDevice,
  { q, owner, paired, orientation, fits, area, tags }: GroupFilter,
): boolean {
  const isTagged = (tag: string): boolean => device.tags.includes(tag);
  return (
    (!q || isFound(device, q)) &&
    (owner === undefined || device.owner.id === owner) &&
    (paired === undefined || `${device.paired}` === `${paired}`) &&
    (orientation === undefined || device.orientation === orientation) &&
    (fits === undefined || (device.orientation ?? fits) === fits) &&
    (!area || device.area?.toLowerCase() === area.toLowerCase()) &&
    (tags?.all ?? []).every(isTagged) &&
    (tags?.any === undefined || tags.any.some(isTagged)) &&
    !(tags?.none ?? []).some(isTagged)
  );
}

/** The same sequence of numbers in [0, 1) for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const TAGS = ['lyon', 'paris', 'shop', 'wall', 'north', 'south'];
export const AREAS = ['Lyon 2e', 'Paris', 'Nice', null];
export const NAMES = ['Lyon station', 'Shop window', 'Wall', 'North gate'];

/** Picks and random filters by a random number. */
export function chance(random: () => number) {
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[Math.floor(random() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  };
  const some = (max: number): string[] => TAGS.filter(() => random() < 0.5).slice(0, Math.floor(random() * (max + 1)));
  const maybe = <K extends keyof GroupFilter>(key: K, share: number, value: () => GroupFilter[K]): GroupFilter =>
    random() < share ? { [key]: value() } : {};
  const filter = (owners: readonly string[]): GroupFilter => ({
    ...maybe('tags', 0.7, () => ({
      ...(random() < 0.6 && { all: some(2) }),
      ...(random() < 0.4 && { any: some(3) }),
      ...(random() < 0.3 && { none: some(1) }),
    })),
    ...maybe('area', 0.2, () => pick(['lyon 2E', 'paris', 'Nice'])),
    ...maybe('q', 0.2, () => pick(['lyon', 'GATE', '0a', 'wall', '_', '%'])),
    ...maybe('owner', 0.15, () => pick(owners)),
    ...maybe('orientation', 0.1, () => pick(['vertical', 'horizontal'] as const)),
    ...maybe('fits', 0.1, () => pick(['vertical', 'horizontal'] as const)),
    ...maybe('paired', 0.1, () => random() < 0.5),
  });
  return { pick, some, filter };
}
