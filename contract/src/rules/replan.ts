/** A device that carries a campaign, as far as the server knows. Open time is counted in milliseconds. */
export interface Carrier {
  id: string;
  everyMs: number;
  /** Length of a spot. */
  spotMs: number;
  /** Spots that are due by now on its present pace, in fractions of a period. */
  due: number;
  /** Spots it has played, in parts of spots; of a device without a connection that is still expected to play, those due by now. */
  played: number;
  /** Open time that is left of the flight. */
  leftMs: number;
  /** The share of its open time (0–1) that is free for more. */
  free: number;
  /** It has no connection at the moment; whether it plays is not known. */
  isOffline: boolean;
  /** Nothing more is expected of it: it has been silent for too long, or its files have failed. */
  isLost: boolean;
}

/** Another pace for a device: from now on, when `dueBefore` spots are due. */
export interface Repaced {
  id: string;
  everyMs: number;
  dueBefore: number;
}

export interface Replan {
  changes: Repaced[];
  /** Spots that the changes add. */
  makeGoods: number;
  /** Spots that will be missing at the end of the flight whatever is changed. */
  short: number;
}

/** A pace changes only if it moves by more than this, so that manifests stay still. */
const STILL = 0.02;
/** Planned above the order: what is lost at the end of a flight cannot be made good. */
const RESERVE = 0.0065;
/** The part of the reserve by which a forecast may be off the plan. */
const TOLERATED = 0.3;
/** What devices without a connection miss in the last hour of a flight cannot be made good after it. */
const LAST_MS = 3_600_000;
/** A device makes up for missed spots at most at this multiple of its rate by itself. */
const CATCH_UP = 2;
/** Sums of periods are floats: a spot that is due at the very end of the flight is none. Sums of parts of spots are, too. */
const TOLERANCE = 1e-6;

/** Devices play whole spots: a part of one is missing as a whole. */
const whole = (spots: number): number => Math.ceil(spots - TOLERANCE);

/** Spots of the whole flight that a device will have played on its present pace. */
export function forecast({ everyMs, due, played, leftMs, isLost }: Carrier): number {
  if (isLost || leftMs <= 0) return played;
  const planned = Math.ceil(due + leftMs / everyMs - TOLERANCE);
  return Math.max(played, Math.min(planned, played + Math.floor((CATCH_UP * leftMs) / everyMs)));
}

interface Option {
  carrier: Carrier;
  final: number;
  /** Spots it can still play more (or less, when there are too many). */
  room: number;
  /** The least number by which its pace visibly changes. */
  least: number;
}

function optionOf(carrier: Carrier, isMore: boolean): Option {
  const final = forecast(carrier);
  const coming = final - carrier.played;
  const fits = Math.floor((carrier.free * carrier.leftMs) / carrier.spotMs + TOLERANCE);
  return { carrier, final, room: isMore ? Math.max(fits, 0) : coming, least: Math.floor(coming * STILL) + 1 };
}

/** The fastest pace of a device: with all that is free on it. */
const fastest = ({ everyMs, spotMs, free }: Carrier): number =>
  Math.ceil(spotMs / (spotMs / everyMs + free) - TOLERANCE);

/** The pace by which a device has played `target` spots at the end of the flight; undefined: too little would change. */
function repaced(carrier: Carrier, target: number): Repaced | undefined {
  const { id, due, played, leftMs, everyMs } = carrier;
  // What it missed is part of its new target.
  const dueBefore = Math.min(due, played);
  const more = target - dueBefore;
  const even = more > TOLERANCE ? Math.ceil(leftMs / more) : Math.ceil(leftMs) + 1;
  const next = Math.max(even, fastest(carrier));
  if (Math.abs(next / everyMs - 1) <= STILL) return undefined;
  // A pace takes no more than is free. What it leaves is due at once, and the device makes up for it by itself.
  return { id, everyMs: next, dueBefore: next === even ? dueBefore : target - leftMs / next };
}

/** Divides a number of spots among devices, those with the longest time left first. */
function divide(spots: number, options: readonly Option[]): Map<Option, number> {
  const shares = new Map<Option, number>();
  const allMs = options.reduce((sum, { carrier }) => sum + carrier.leftMs, 0);
  let left = spots;
  for (const option of options) {
    const even = Math.ceil((spots * option.carrier.leftMs) / allMs);
    const share = Math.min(Math.max(even, option.least), option.room, left);
    // Too few to change this device's pace: another one may have fewer spots to come.
    if (share < Math.min(option.least, option.room)) continue;
    if (share > 0) shares.set(option, share);
    left -= share;
  }
  for (const [option, share] of shares) {
    const more = Math.min(option.room - share, left);
    shares.set(option, share + more);
    left -= more;
  }
  return shares;
}

const comingOf = (carriers: readonly Carrier[]): number =>
  carriers.reduce((sum, carrier) => sum + forecast(carrier), 0);

/**
 * Spots that will probably be missed at the very end: as many devices as now will be off then. In the last hour it is known
 * which ones.
 */
function lostAtEnd(carriers: readonly Carrier[]): number {
  const playing = carriers.filter(({ isLost, leftMs }) => !isLost && leftMs > 0);
  const offline = playing.filter(({ isOffline }) => isOffline);
  const lastOf = (some: readonly Carrier[]): number =>
    some.reduce((sum, { leftMs, everyMs }) => sum + Math.min(leftMs, LAST_MS) / everyMs, 0);
  if (playing.every(({ leftMs }) => leftMs <= LAST_MS)) return lastOf(offline);
  return (lastOf(playing) * offline.length) / playing.length;
}

/** Whether a device can still play at another pace. One that is offline in its last hour will hardly hear of it. */
const canFollow = ({ isLost, isOffline, leftMs }: Carrier): boolean => !isLost && leftMs > (isOffline ? LAST_MS : 0);

const aimOf = (ordered: number, carriers: readonly Carrier[]): number =>
  Math.ceil(ordered * (1 + RESERVE) + lostAtEnd(carriers));

/** Whether the devices will together play too few or too many spots. */
export const deviates = (ordered: number, carriers: readonly Carrier[]): boolean =>
  Math.abs(aimOf(ordered, carriers) - comingOf(carriers)) > Math.max(ordered * RESERVE * TOLERATED, 1);

/**
 * Re-plans what is left of a campaign's flight so that its devices play `ordered` spots together. Lost devices keep their
 * pace: they cannot be told. Changes are whole spots on devices with room, and as few devices change as can take them.
 */
export function replan(ordered: number, carriers: readonly Carrier[]): Replan {
  const coming = comingOf(carriers);
  const missing = whole(aimOf(ordered, carriers) - coming);
  const isMore = missing > 0;
  if (!deviates(ordered, carriers)) return { changes: [], makeGoods: 0, short: 0 };
  const options = carriers
    .filter(canFollow)
    .map((carrier) => optionOf(carrier, isMore))
    .filter(({ room }) => room > 0)
    .toSorted((a, b) => b.carrier.leftMs - a.carrier.leftMs || (a.carrier.id < b.carrier.id ? -1 : 1));
  const room = options.reduce((sum, option) => sum + option.room, 0);
  const changes: Repaced[] = [];
  let makeGoods = 0;
  for (const [{ carrier, final }, share] of divide(Math.abs(missing), options)) {
    const change = repaced(carrier, isMore ? final + share : final - share);
    if (!change) continue;
    changes.push(change);
    if (isMore) makeGoods += share;
  }
  return { changes, makeGoods, short: Math.max(whole(ordered - coming) - (isMore ? room : 0), 0) };
}
