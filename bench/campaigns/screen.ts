import { missedSpots, nextSpot, type PacedSpot } from '@ams/contract';
import { type Board, nothingSeen, type Seen } from './board.ts';
import { FILL_MS, HOUR_MS, isOpen, randomFrom, type Scenario } from './scenario.ts';

interface Spot extends PacedSpot {
  pair: number;
  lengthMs: number;
  /** Open time at the beginning of the hour. */
  openMs: number;
  playedBefore: number;
  dueBefore: number;
  wasOnTime: boolean;
}

/** A device between two hours. */
interface Screen {
  /** What was shown last, a campaign or the fill. */
  last: string | null;
  /** The spot that runs over the end of the hour, and until when it does (milliseconds since the hour began). */
  running: number | null;
  untilMs: number;
}

export const LOST = 0.1;
/** A campaign is on time if its spot waits for the item on screen only, none of which is longer. */
const LONGEST_MS = 20_000;
const TWICE = 2;
/** Periods are floats. */
const TOLERANCE = 1e-6;

/** Whether a device is off in an hour: at random, or for good. */
export const isLost = (device: number, hour: number, diesAt: number): boolean =>
  hour >= diesAt || randomFrom(device * 7919 + hour * 104_729)() < LOST;

/** Simulates screens by the player's own choice of the next spot. Items begin when the one before has ended. */
export class Screens {
  readonly #scenario: Scenario;
  readonly #board: Board;
  readonly #devices: readonly number[];
  readonly #screens = new Map<number, Screen>();
  /** What each pair missed in the dark. */
  readonly #missed = new Map<number, number>();

  constructor(scenario: Scenario, board: Board, devices: readonly number[]) {
    this.#scenario = scenario;
    this.#board = board;
    this.#devices = devices;
  }

  /** Plays one hour on every device. */
  play(hour: number): Seen {
    const seen = nothingSeen();
    for (const device of this.#devices) this.#playOn(device, hour, seen);
    return seen;
  }

  #spotsOf(device: number, hour: number): Spot[] {
    const { campaigns, devices, pairs } = this.#scenario;
    const { everyMs, played, dueBefore, fromMs } = this.#board;
    const { zone = 0, pairs: own = [] } = devices[device] ?? {};
    return own.flatMap((pair) => {
      const number = pairs[pair]?.campaign ?? 0;
      const campaign = campaigns[number];
      const open = campaign?.open[zone];
      if (!campaign || !isOpen(open, hour)) return [];
      const openMs = open?.[hour] ?? 0;
      const period = everyMs[pair] ?? 0;
      const due = (dueBefore[pair] ?? 0) + (openMs - (fromMs[pair] ?? 0)) / period;
      const playedBefore = played[pair] ?? 0;
      const spot: Spot = {
        ...{ id: `c${number}`, pair, lengthMs: campaign.spotMs, openMs, everyMs: period, played: playedBefore },
        ...{
          due,
          sinceMs: Infinity,
          missed: 0,
          playedBefore,
          dueBefore: due,
          wasOnTime: due - playedBefore <= LONGEST_MS / period,
        },
      };
      return [spot];
    });
  }

  #playOn(device: number, hour: number, seen: Seen): void {
    const screen = this.#screens.get(device) ?? { last: null, running: null, untilMs: 0 };
    this.#screens.set(device, screen);
    const { diesAt = Infinity } = this.#scenario.devices[device] ?? {};
    if (isLost(device, hour, diesAt)) return this.#cut(screen);
    const spots = this.#spotsOf(device, hour);
    if (spots.length === 0) return void Object.assign(screen, { last: null, running: null, untilMs: 0 });
    let fillMs = 0;
    let at = screen.untilMs;
    while (at < HOUR_MS) {
      const spot = this.#next(spots, at, screen.last);
      if (spot) {
        if (screen.last === spot.id) seen.twice += 1;
        seen.spots += 1;
      } else {
        fillMs += FILL_MS;
        seen.fills += 1;
      }
      at += spot?.lengthMs ?? FILL_MS;
      screen.last = spot?.id ?? null;
      screen.running = spot?.pair ?? null;
    }
    screen.untilMs = at - HOUR_MS;
    seen.onMs += HOUR_MS;
    seen.fillMs += fillMs;
    seen.leastFill = Math.min(seen.leastFill, fillMs / HOUR_MS);
    for (const spot of spots) judge(spot, seen);
  }

  #next(spots: readonly Spot[], at: number, last: string | null): Spot | undefined {
    const { lastMs, played, dueBefore, fromMs } = this.#board;
    for (const spot of spots) {
      const open = spot.openMs + at;
      spot.due = (dueBefore[spot.pair] ?? 0) + (open - (fromMs[spot.pair] ?? 0)) / spot.everyMs;
      const before = lastMs[spot.pair] ?? -1;
      spot.sinceMs = before < 0 ? Infinity : open - before;
      spot.missed = missedSpots(this.#missed.get(spot.pair) ?? 0, spot);
      this.#missed.set(spot.pair, spot.missed);
    }
    const spot = nextSpot(spots, last, true);
    if (spot) {
      spot.played += 1;
      played[spot.pair] = spot.played;
      lastMs[spot.pair] = spot.openMs + at;
    }
    return spot;
  }

  /** The power goes: what was on screen has not been played. */
  #cut(screen: Screen): void {
    const { played } = this.#board;
    if (screen.running !== null && screen.untilMs > 0) played[screen.running] = (played[screen.running] ?? 1) - 1;
    Object.assign(screen, { last: null, running: null, untilMs: 0 });
  }
}

/**
 * A rate need not be whole, but the spots of an hour are: they are compared with those that became due in it. If a spot
 * waits over the hour for the item on screen, no rule can keep them within one of a rate that is not whole.
 */
function judge({ played, playedBefore, dueBefore, everyMs, lengthMs, wasOnTime }: Spot, seen: Seen): void {
  const [plays, rate] = [played - playedBefore, HOUR_MS / everyMs];
  // No spot shows twice running: nothing plays that often.
  if (everyMs < lengthMs + FILL_MS) {
    seen.impossibleHours += 1;
    return;
  }
  const due = Math.ceil(dueBefore + rate - TOLERANCE) - Math.ceil(dueBefore - TOLERANCE);
  if (!wasOnTime) {
    if (plays > TWICE * rate + 1) seen.rushedHours += 1;
    return;
  }
  if (Math.abs(plays - due) <= 1) seen.steadyHours += 1;
  else seen.unsteadyHours += 1;
  seen.furthest = Math.max(seen.furthest, Math.abs(plays - rate));
}
