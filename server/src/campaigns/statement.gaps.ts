import {
  addDays,
  type GapReason,
  lastCovered,
  openSpans,
  type Span,
  type StatementGap,
  zonedInstant,
} from '@ams/contract';
import type { PastHours } from '../devices/hours.service.ts';
import type { Rules } from './carriers.sql.ts';
import { OpenTimes } from './carriers.ts';
import { intersect, lengthOf, merge, subtract } from './spans.ts';
import { earlier, later, type Order } from './statement.order.ts';
import type { CarriedBy, Trouble } from './statement.queries.ts';

const DAY_MS = 86_400_000;

/** The rules of a device from one instant to another, in milliseconds since 1970. */
interface Term extends Span {
  agreed: Rules;
}

/** Finds out why plays are missing. */
export class Gaps {
  readonly #order: Order;
  readonly #period: { from: string; to: string };
  readonly #scale: number;
  readonly #troubles: Map<string, Trouble[]>;
  readonly #pastHours: ReadonlyMap<string, readonly PastHours[]>;
  readonly #spans = new Map<string, Span[]>();
  readonly #times = new OpenTimes();

  constructor(
    order: Order,
    period: { from: string; to: string },
    scale: number,
    troubles: readonly Trouble[],
    pastHours: ReadonlyMap<string, readonly PastHours[]>,
  ) {
    this.#order = order;
    this.#period = period;
    this.#scale = scale;
    this.#troubles = Map.groupBy(troubles, ({ deviceId }) => deviceId);
    this.#pastHours = pastHours;
  }

  /** The reasons for a number of missed plays on a device; together they are that many. */
  of(carrier: CarriedBy, missed: number): StatementGap[] {
    const gaps: StatementGap[] = [];
    let left = missed;
    const note = (reason: GapReason, plays: number, durationMs: number): void => {
      const counted = Math.min(left, Math.round(plays));
      if (counted <= 0) return;
      gaps.push({ reason, plays: counted, durationMs: Math.round(durationMs) });
      left -= counted;
    };
    let open = this.#agreedTime(carrier);
    for (const { reason, spans } of this.#causes(carrier)) {
      const lost = lengthOf(intersect(open, spans));
      open = subtract(open, spans);
      note(reason, (lost / carrier.everyMs) * this.#scaleOf(carrier), lost);
    }
    // All time has its reason: what is left comes from rounding, by less than a play for each.
    const isRounding = (): boolean => left <= gaps.length && lengthOf(open) < carrier.everyMs;
    const moved = isRounding() ? 0 : this.#movedFrom(carrier);
    note('replanned', moved, Math.min(left, moved) * carrier.everyMs);
    const [most] = gaps.toSorted((a, b) => b.plays - a.plays);
    if (most && isRounding()) most.plays += left;
    else note('unknown', left, left * carrier.everyMs);
    return gaps;
  }

  /** What is recorded, the first reason that applies first. */
  #causes({ deviceId, away, now }: CarriedBy): { reason: GapReason; spans: Span[] }[] {
    const troubles = this.#troubles.get(deviceId) ?? [];
    const of = (wanted: Trouble['kind']) => merge(troubles.filter(({ kind }) => kind === wanted));
    return [
      { reason: 'left', spans: away.map(({ from, to }) => ({ from, to: to ?? Infinity })) },
      { reason: 'dark', spans: now ? subtract([{ from: 0, to: Infinity }], this.#inForce(deviceId, now)) : [] },
      { reason: 'failed', spans: of('failed') },
      { reason: 'offline', spans: of('offline') },
    ];
  }

  #scaleOf = ({ isOrdered }: CarriedBy): number => (isOrdered ? this.#scale : 1);

  /** From when to when plays are ordered on a device, and are due. */
  #terms({ isOrdered, agreed, joins }: CarriedBy): Term[] {
    const { bookedAt, dueUntil } = this.#order;
    const terms = isOrdered ? [{ agreed, from: bookedAt, to: null }] : joins;
    return terms.map((term) => ({ agreed: term.agreed, from: term.from, to: Math.min(term.to ?? Infinity, dueUntil) }));
  }

  /** The time of the period in which plays were ordered and are due. */
  #agreedTime(carrier: CarriedBy): Span[] {
    const { schedule } = this.#order;
    // A period may end on the last day that there is: no day is after it.
    const [first, last] = [later(this.#period.from, schedule.from), earlier(this.#period.to, lastCovered(schedule))];
    return this.#terms(carrier).flatMap((term) => {
      const { timeZone } = term.agreed;
      const from = Math.max(zonedInstant(first, 0, timeZone), term.from);
      const to = Math.min(zonedInstant(addDays(last, 1), 0, timeZone), term.to);
      return to > from ? intersect(this.#openSpans(term.agreed), [{ from, to }]) : [];
    });
  }

  /** When the campaign could run by the working hours that were in force at each moment. */
  #inForce(deviceId: string, now: Rules): Span[] {
    let from = -Infinity;
    return [...(this.#pastHours.get(deviceId) ?? []), { until: Infinity, hours: now.hours }].flatMap(
      ({ until, hours }) => {
        const spans = intersect(this.#openSpans({ ...now, hours }), [{ from, to: until }]);
        from = until;
        return spans;
      },
    );
  }

  /** When the campaign runs by these rules, until now; computed once for equal rules. */
  #openSpans(rules: Rules): Span[] {
    const { schedule, dueUntil } = this.#order;
    const key = JSON.stringify(rules);
    const start = Date.parse(`${schedule.from}T00:00:00Z`) - DAY_MS;
    const calendar = { timeZone: rules.timeZone, expiresOn: rules.expiresOn, workingHours: rules.hours };
    const known = this.#spans.get(key) ?? (dueUntil > start ? openSpans(schedule, calendar, start, dueUntil) : []);
    this.#spans.set(key, known);
    return known;
  }

  /** Plays that re-planning has moved from a device to others, over the whole flight. */
  #movedFrom(carrier: CarriedBy): number {
    const { now, pace, everyMs } = carrier;
    if (!pace || !now) return 0;
    const { schedule, dueUntil } = this.#order;
    const open = ({ agreed, from, to }: Term) => this.#times.between({ schedule, ...agreed }, from, to);
    const planned = pace.dueBefore + open({ agreed: now, from: pace.from, to: dueUntil }) / pace.everyMs;
    const ordered = this.#terms(carrier).reduce((sum, term) => sum + open(term), 0) / everyMs;
    return Math.max(ordered * this.#scaleOf(carrier) - planned, 0);
  }
}
