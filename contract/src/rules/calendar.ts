import { MINUTES_A_DAY, spanMinutes } from './clock.ts';
import { isExpired } from './expiry.ts';
import { isWithinHours, turningMinutes, type WeeklyHours } from './hours.ts';
import { playingNow, reachable, type Scheduled } from './programme.ts';
import { addDays, instantsOn, localTime } from './zone.ts';

/** Conditions besides programmes: the zone of a device, its last day (`YYYY-MM-DD`) and working hours; null: none. */
export interface CalendarRules {
  timeZone: string;
  expiresOn: string | null;
  workingHours: WeeklyHours | null;
}

/** A part of an interval, half-open, in milliseconds since 1970, in which the same programmes play in the same order. */
export interface PlannedSlot<P> {
  from: number;
  to: number;
  /** `dark`: outside the working hours. `nothing`: no release covers this time. */
  state: 'plays' | 'nothing' | 'dark' | 'expired';
  /** Empty unless something plays. */
  playing: P[];
}

/** The minutes of a day (0–1439) at which the hours of these programmes begin or end, midnight included. */
const minutesOf = (programmes: readonly Scheduled[]): number[] => {
  const spans = programmes.flatMap(({ schedule }) => schedule?.hours ?? []);
  const ends = spans.flatMap((span) => Object.values(spanMinutes(span)).map((minute) => minute % MINUTES_A_DAY));
  return [...new Set([0, ...ends])];
};

/**
 * The instants of an interval at which the local clock shows one of the minutes of its day or jumps, in order, beginning
 * with the start of the interval.
 */
function turningPoints(
  minutesOn: (date: string) => readonly number[],
  timeZone: string,
  from: number,
  to: number,
): number[] {
  const found = new Set([from]);
  const last = localTime(to, timeZone).date;
  for (let { date } = localTime(from, timeZone); date <= last; date = addDays(date, 1)) {
    for (const at of instantsOn(date, minutesOn(date), timeZone)) if (at > from && at < to) found.add(at);
  }
  return [...found].toSorted((a, b) => a - b);
}

const isSame = <P>(a: PlannedSlot<P>, b: PlannedSlot<P>): boolean =>
  a.state === b.state && a.playing.length === b.playing.length && a.playing.every((each, i) => each === b.playing[i]);

/**
 * The content from one instant to another (milliseconds since 1970) by the rule that devices use: slots that follow each
 * other without a gap and differ from their neighbours. `programmes` are in release order, oldest first; those that play
 * once count as long as their schedule lasts, unless `isFinished` at an instant.
 */
export function plannedSlots<P extends Scheduled>(
  programmes: readonly P[],
  rules: CalendarRules,
  from: number,
  to: number,
  isFinished: (programme: P, at: number) => boolean = () => false,
): PlannedSlot<P>[] {
  const { timeZone } = rules;
  const able = reachable(programmes);
  const stateAt = (at: number): Pick<PlannedSlot<P>, 'state' | 'playing'> => {
    if (isExpired(rules.expiresOn, timeZone, at)) return { state: 'expired', playing: [] };
    if (!isWithinHours(rules.workingHours, at, timeZone)) return { state: 'dark', playing: [] };
    const open = able.filter((programme) => !isFinished(programme, at));
    const playing = playingNow(open, at, timeZone);
    return { state: playing.length > 0 ? 'plays' : 'nothing', playing };
  };
  const slots: PlannedSlot<P>[] = [];
  const ends = able.flatMap(({ endsAt }) => (endsAt ? [Date.parse(endsAt)] : []));
  const ofProgrammes = minutesOf(able);
  const { workingHours } = rules;
  // Other days may have other hours: all of their minutes on each day would be too many.
  const minutesOn = (date: string) =>
    workingHours ? [...new Set([...ofProgrammes, ...turningMinutes(workingHours, date)])] : ofProgrammes;
  const instants = [
    ...turningPoints(minutesOn, timeZone, from, to),
    ...ends.filter((at) => at > from && at < to),
  ].toSorted((a, b) => a - b);
  for (const [index, at] of instants.entries()) {
    const slot: PlannedSlot<P> = { from: at, to: instants[index + 1] ?? to, ...stateAt(at) };
    const last = slots.at(-1);
    if (last && isSame(last, slot)) last.to = slot.to;
    else slots.push(slot);
  }
  return slots;
}
