import { z } from 'zod';
import { ClockHours, GivenDate } from './kernel/time.ts';
import { MINUTES_A_DAY, type ClockSpan, spanMinutes } from './rules/clock.ts';

/** Hours that one day, or one list of levels, may have. */
export const SPANS_MAX = 24;
/** Days with hours of their own: each day of a year. */
export const EXCEPTIONS_MAX = 366;

const Weekday = z.enum(['1', '2', '3', '4', '5', '6', '7']);

/** Hours that begin when they end could be none or a whole day; `24:00` is the end of a day only. */
const Span = ClockHours.refine(({ from }) => from !== '24:00', { path: ['from'], error: 'schedule.clock' }).refine(
  ({ from, to }) => from !== to,
  { path: ['to'], error: 'hours.same' },
);

/** Whether two spans share a minute when the second is moved by any of `shifts` (minutes). */
const overlap = (a: ClockSpan, b: ClockSpan, shifts: readonly number[]): boolean => {
  const [first, second] = [spanMinutes(a), spanMinutes(b)];
  return shifts.some((shift) => first.from < second.to + shift && second.from + shift < first.to);
};

/** The first span that shares a minute with one before it, or -1. */
const firstOverlap = (spans: readonly ClockSpan[], shifts: readonly number[]): number =>
  spans.findIndex((span, index) => spans.slice(0, index).some((before) => overlap(before, span, shifts)));

const refuseOverlap = (spans: readonly ClockSpan[], ctx: z.RefinementCtx, shifts: readonly number[]): void => {
  const index = firstOverlap(spans, shifts);
  if (index >= 0) ctx.addIssue({ code: 'custom', path: [index, 'from'], message: 'hours.overlap' });
};

const SAME_DAY = [0];
const EVERY_DAY = [-MINUTES_A_DAY, 0, MINUTES_A_DAY];

const DayHours = z
  .array(Span)
  .max(SPANS_MAX, 'hours.count')
  .superRefine((spans, ctx) => refuseOverlap(spans, ctx, SAME_DAY));

const Exception = z.object({ date: GivenDate('schedule.date'), hours: DayHours });

/** Working hours that a person gives. A weekday that is left out, or an exception without hours, is dark all day. */
export const WorkingHours = z.object({
  weekly: z.partialRecord(Weekday, DayHours),
  exceptions: z
    .array(Exception)
    .max(EXCEPTIONS_MAX, 'hours.exceptions')
    .superRefine((exceptions, ctx) => {
      const dates = exceptions.map(({ date }) => date);
      const index = dates.findIndex((date, place) => dates.indexOf(date) < place);
      if (index >= 0) ctx.addIssue({ code: 'custom', path: [index, 'date'], message: 'hours.date' });
    })
    .default([]),
});
export type WorkingHours = z.output<typeof WorkingHours>;

const ShownSpan = z.object({ from: z.string(), to: z.string() });

/** Working hours in an answer: already read. */
export const ShownHours = z.object({
  weekly: z.partialRecord(Weekday, z.array(ShownSpan)),
  exceptions: z.array(z.object({ date: z.string(), hours: z.array(ShownSpan) })),
}) satisfies z.ZodType<WorkingHours>;

/** Volume or brightness in percent. */
export const Level = z.number().int().min(0, 'level.range').max(100, 'level.range');

/** Levels for parts of every day; outside them the level of the device counts. */
export const LevelHours = z
  .array(Span.and(z.object({ value: Level })))
  .max(SPANS_MAX, 'hours.count')
  .superRefine((spans, ctx) => refuseOverlap(spans, ctx, EVERY_DAY));
export type LevelHours = z.output<typeof LevelHours>;

export const ShownLevelHours = z.array(ShownSpan.extend({ value: z.number().int() })) satisfies z.ZodType<LevelHours>;

/** Volume and brightness as an operator changes them. Null: left as the device has it. */
export const GivenLevels = {
  volume: Level.nullish(),
  volumeHours: LevelHours.optional(),
  brightness: Level.nullish(),
  brightnessHours: LevelHours.optional(),
};

/** Hours and levels as an operator changes them. Null hours: the default. */
export const GivenHours = { workingHours: WorkingHours.nullish(), ...GivenLevels };

/** Levels of a device, or those of them that a change names. */
export const Levels = z.object(GivenLevels);
export type Levels = z.output<typeof Levels>;
export const LEVEL_KEYS = [
  'volume',
  'volumeHours',
  'brightness',
  'brightnessHours',
] as const satisfies readonly (keyof Levels)[];

/** The same in an answer. */
export const HeldHours = {
  workingHours: ShownHours.nullable(),
  volume: z.number().int().nullable(),
  volumeHours: ShownLevelHours,
  brightness: z.number().int().nullable(),
  brightnessHours: ShownLevelHours,
};
