import type { Flight, Load, WorkingHours } from '@ams/contract';

/** Devices with equal working hours, last day, loads and sellable share: what is free on one is free on all. */
export interface DeviceClass {
  hours: WorkingHours | null;
  /** The last day (`YYYY-MM-DD`) if devices expire before the flight ends. */
  expiresOn: string | null;
  /** The share of an hour (0–1) that may be sold. */
  sellable: number;
  /** What the devices were asked to be told apart by, beside these. */
  group: string | null;
  loads: Load[];
  /** In order. */
  ids: string[];
}

/** Devices that are alike before their loads are looked at; by their places in the list of ids. */
export interface Alike extends Omit<DeviceClass, 'loads' | 'ids'> {
  places: readonly number[];
}

/** A campaign at one pace, and the places of the devices that carry it. */
export type Carried = readonly [flight: Flight, everyMs: number, spotMs: number, places: readonly number[]];

/**
 * Splits devices that are alike until all of a class carry the same: each campaign divides a class into the devices that
 * carry it and the others. Takes as many steps as there are carriers. Answers the class of each place, by any numbers.
 */
function splitByLoads(size: number, alike: readonly Alike[], carried: readonly Carried[]): Int32Array {
  const classOf = new Int32Array(size);
  for (const [index, { places }] of alike.entries()) for (const place of places) classOf[place] = index;
  // Of each class, by its number: the part of it that carries a campaign, and which campaign that is. Arrays instead of a
  // map: there are tens of thousands of parts.
  const most = carried.reduce((sum, [, , , places]) => sum + places.length, alike.length);
  const partOf = new Int32Array(most);
  const splitBy = new Int32Array(most).fill(-1);
  let next = alike.length;
  for (const [nth, [, , , places]] of carried.entries()) {
    for (const place of places) {
      const whole = classOf[place] ?? 0;
      if (splitBy[whole] !== nth) {
        splitBy[whole] = nth;
        partOf[whole] = next;
        next += 1;
      }
      classOf[place] = partOf[whole] ?? 0;
    }
  }
  return classOf;
}

/** Devices (ids in order) in classes. Loads of one campaign have the same flight object. */
export function classesOf(ids: readonly string[], alike: readonly Alike[], carried: readonly Carried[]): DeviceClass[] {
  const classOf = splitByLoads(ids.length, alike, carried);
  const known = new Map<number, DeviceClass>();
  // The loads of a class are those of its first device.
  const loadsAt: (Load[] | undefined)[] = Array.from({ length: ids.length });
  const kinds: Alike[] = [];
  for (const each of alike) for (const place of each.places) kinds[place] = each;
  for (const [place, id] of ids.entries()) {
    const number = classOf[place] ?? 0;
    const same = known.get(number);
    const kind = kinds[place];
    if (same) same.ids.push(id);
    else if (kind) {
      const { hours, expiresOn, sellable, group } = kind;
      const loads: Load[] = [];
      loadsAt[place] = loads;
      known.set(number, { hours, expiresOn, sellable, group, loads, ids: [id] });
    }
  }
  for (const [flight, everyMs, spotMs, places] of carried) {
    const load = { flight, share: spotMs / everyMs };
    for (const place of places) loadsAt[place]?.push(load);
  }
  return [...known.values()];
}
