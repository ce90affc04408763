import type { Programme, Schedule } from '../player.ts';
import { MINUTES_A_DAY, runsOverMidnight, spanMinutes, spansCover } from './clock.ts';
import { PRIORITIES, type Priority } from '../vocabulary.ts';
import { addDays, isoWeekday, localTime, zonedInstant } from './zone.ts';

/** What decides when a programme plays; `pace`: only releases of campaigns have one. */
export type Scheduled = Pick<Programme, 'schedule' | 'endsAt' | 'priority' | 'replace' | 'playMode'> & {
  pace?: object | null | undefined;
};

const rankOf = ({ priority }: Pick<Programme, 'priority'>): number => PRIORITIES.indexOf(priority);

function dayAllowed(schedule: Schedule, date: string): boolean {
  if (schedule.from && date < schedule.from) return false;
  if (schedule.to && date > schedule.to) return false;
  const { weekdays } = schedule;
  return !weekdays || weekdays.length === 0 || weekdays.includes(isoWeekday(date));
}

/**
 * Whether a schedule covers an instant, by the wall clock of the device's time zone. Hours are
 * half-open; hours that end before they start run over midnight and belong to the day they start on;
 * `00:00`–`00:00` (or `24:00`) is the whole day.
 */
export function covers(schedule: Schedule | null | undefined, now: number, timeZone: string): boolean {
  if (!schedule) return true;
  const { date, minutes } = localTime(now, timeZone);
  if (!schedule.hours || schedule.hours.length === 0) return dayAllowed(schedule, date);
  const { hours } = schedule;
  return spansCover((day) => {
    if (day === 'today') return dayAllowed(schedule, date) ? hours : [];
    return hours.some(runsOverMidnight) && dayAllowed(schedule, addDays(date, -1)) ? hours : [];
  }, minutes);
}

/** The last day on which a schedule can cover an instant: the one after its `to` if hours that begin on that day run over midnight. */
export function lastCovered({ to, ...schedule }: Schedule & { to: string }): string {
  const isOvernight = schedule.hours?.some((span) => spanMinutes(span).to > MINUTES_A_DAY) ?? false;
  return isOvernight && dayAllowed(schedule, to) ? addDays(to, 1) : to;
}

/**
 * Weeks repeat: what covers these days throughout covers the time after them as long as the schedule lasts. A second week
 * has what the clock skips in the first one.
 */
const TELLING_DAYS = 16;
const DAY_MS = 86_400_000;

/** Whether a schedule covers all the time between two instants, milliseconds since 1970. */
export function coversThroughout(
  schedule: Schedule | null | undefined,
  from: number,
  to: number,
  timeZone: string,
): boolean {
  if (!covers(schedule, from, timeZone) || !covers(schedule, to, timeZone)) return false;
  if (!schedule) return true;
  // A schedule only ends at midnight or at the end of its hours.
  const ends = (schedule.hours ?? []).map((span) => spanMinutes(span).to % MINUTES_A_DAY);
  const last = localTime(Math.min(to, from + TELLING_DAYS * DAY_MS), timeZone).date;
  for (let { date } = localTime(from, timeZone); date <= last; date = addDays(date, 1)) {
    for (const minutes of [0, ...ends]) {
      const end = zonedInstant(date, minutes, timeZone);
      if (end > from && end < to && !covers(schedule, end, timeZone)) return false;
    }
  }
  return true;
}

/** Why a programme is on screen, or which other one comes before it and why. */
export type Verdict<P> =
  | { kind: 'plays' }
  | { kind: 'notScheduled' }
  /**
   * `takeover`, `urgent`: `by` has this priority, which is higher. `released`: it is default content, and `by` was
   * released. `replaced`: `by` came later and replaces what came before it.
   */
  | { kind: 'outranked'; why: 'takeover' | 'urgent' | 'released' | 'replaced'; by: P };

/** What outranks a programme of a lower priority, by its own priority. */
const OUTRANKS = {
  takeover: 'takeover',
  urgent: 'urgent',
  normal: 'released',
  default: 'released',
} as const satisfies Record<Priority, string>;

export interface Explained<P, V = Verdict<P>> {
  programme: P;
  verdict: V;
}

const isOpen = ({ schedule, endsAt }: Scheduled, now: number, timeZone: string): boolean =>
  covers(schedule, now, timeZone) && (!endsAt || now < Date.parse(endsAt));

/** Of two takeovers the newer one plays alone. */
const replaces = ({ replace, priority }: Scheduled): boolean => replace || priority === 'takeover';

/**
 * Playing programmes at an instant, with reasons: of the programmes whose schedule covers it and that have not ended,
 * those of the highest priority, beginning with the last one that replaces its predecessors. Spots of campaigns play
 * beside normal releases: they replace nothing, and nothing of their priority replaces them. Default content plays between
 * them where there is no such release.
 * `programmes` are in release order, oldest first; `now` in milliseconds since 1970.
 */
export function explainPlaying<P extends Scheduled>(
  programmes: readonly P[],
  now: number,
  timeZone: string,
): Explained<P>[] {
  const covering = programmes.filter((programme) => isOpen(programme, now, timeZone));
  const highest = Math.max(...covering.map(rankOf));
  const isFilled = covering.some((programme) => rankOf(programme) === highest && !programme.pace);
  const chosen = covering.filter(
    (programme) => rankOf(programme) === highest || (!isFilled && programme.priority === 'default'),
  );
  const inTurn = chosen.filter(({ pace }) => !pace);
  const start = Math.max(inTurn.findLastIndex(replaces), 0);
  const first = inTurn[start] ?? chosen[0];
  const verdictOf = (programme: P): Verdict<P> => {
    if (!first || !covering.includes(programme)) return { kind: 'notScheduled' };
    if (!chosen.includes(programme)) return { kind: 'outranked', why: OUTRANKS[first.priority], by: first };
    return !programme.pace && inTurn.indexOf(programme) < start
      ? { kind: 'outranked', why: 'replaced', by: first }
      : { kind: 'plays' };
  };
  return programmes.map((programme) => ({ programme, verdict: verdictOf(programme) }));
}

/** The playing releases, in order. Arguments as in `explainPlaying`. */
export const playingNow = <P extends Scheduled>(programmes: readonly P[], now: number, timeZone: string): P[] =>
  explainPlaying(programmes, now, timeZone)
    .filter(({ verdict }) => verdict.kind === 'plays')
    .map(({ programme }) => programme);

/** Whether a programme holds the screen for good: it has neither hours nor an end of its own. Takeovers end. */
const isLasting = ({ schedule, endsAt, priority, playMode, pace }: Scheduled): boolean =>
  !schedule && !endsAt && priority !== 'takeover' && playMode !== 'once' && !pace;

/**
 * The programmes that can still play, so that devices download nothing else: programmes that a permanent programme
 * replaces for good, because it is later or urgent, are dropped. Everything beneath a takeover stays, and so does default
 * content: it plays at once when all else is withdrawn or fails.
 */
export function reachable<P extends Scheduled>(programmes: readonly P[]): P[] {
  const lasting = programmes.filter(isLasting);
  const floor = Math.max(...lasting.map(rankOf));
  return programmes.filter((programme, index) => {
    if (programme.priority !== 'default' && rankOf(programme) < floor) return false;
    if (programme.pace) return true;
    const later = programmes.slice(index + 1).filter((other) => other.priority === programme.priority);
    return !later.some((other) => other.replace && isLasting(other));
  });
}
