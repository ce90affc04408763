import { type Weekday, WorkingHours } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { newKey } from '../../platform/intents.ts';

export const WEEKDAYS: readonly Weekday[] = ['1', '2', '3', '4', '5', '6', '7'];

export interface SpanDraft {
  /** Tells spans apart while they are edited. */
  id: string;
  from: string;
  to: string;
}

export interface ExceptionDraft {
  id: string;
  date: string;
  hours: SpanDraft[];
}

/** Working hours as they are typed. The field of a time has no 24:00: the end of a day is written as 00:00. */
export interface HoursDraft {
  weekly: Record<Weekday, SpanDraft[]>;
  exceptions: ExceptionDraft[];
}

type Spans = readonly { from: string; to: string }[];

export const newSpan = (from = '08:00', to = '20:00'): SpanDraft => ({ id: newKey(), from, to });

export const newException = (date = '', hours: SpanDraft[] = []): ExceptionDraft => ({ id: newKey(), date, hours });

const draftSpans = (spans: Spans = []): SpanDraft[] =>
  spans.map(({ from, to }) => newSpan(from, to === '24:00' ? '00:00' : to));

const readSpans = (spans: Spans) => spans.map(({ from, to }) => ({ from, to: to === '00:00' ? '24:00' : to }));

const eachDay = (spansOf: (day: Weekday) => SpanDraft[]): HoursDraft['weekly'] => ({
  1: spansOf('1'),
  2: spansOf('2'),
  3: spansOf('3'),
  4: spansOf('4'),
  5: spansOf('5'),
  6: spansOf('6'),
  7: spansOf('7'),
});

/** Hours to edit; without any, a working day of each day of the week. */
export function draftOf(hours: WorkingHours | null): HoursDraft {
  if (!hours) return { weekly: eachDay(() => [newSpan()]), exceptions: [] };
  return {
    weekly: eachDay((day) => draftSpans(hours.weekly[day])),
    exceptions: hours.exceptions.map(({ date, hours: spans }) => newException(date, draftSpans(spans))),
  };
}

/** The hours that a draft means; days without hours are left out. */
export function hoursOf({ weekly, exceptions }: HoursDraft): WorkingHours {
  const days = WEEKDAYS.filter((day) => weekly[day].length > 0);
  return {
    weekly: Object.fromEntries(days.map((day) => [day, readSpans(weekly[day])])),
    exceptions: exceptions.map(({ date, hours }) => ({ date, hours: readSpans(hours) })),
  };
}

/** The first problem of each day and exception, by `weekly.1` or `exceptions.0`. */
export function problemsOf(
  draft: HoursDraft,
  messages: Parameters<typeof explainIssues>[1],
): Partial<Record<string, string>> {
  const issues = WorkingHours.safeParse(hoursOf(draft)).error?.issues ?? [];
  const problems = explainIssues(issues, messages).map(({ path, message }) => [
    path.split('.').slice(0, 2).join('.'),
    message,
  ]);
  return Object.fromEntries(problems.toReversed());
}

/** The draft with the hours of one day on every day. */
export const copiedToAll = (draft: HoursDraft, from: Weekday): HoursDraft => ({
  ...draft,
  weekly: eachDay((day) => (day === from ? draft.weekly[day] : draftSpans(draft.weekly[from]))),
});
