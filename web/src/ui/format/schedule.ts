import type { Schedule } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { dateFormat } from '../../platform/intl.ts';
import { useFormat } from './format.ts';

const DAY = 86_400_000;
/** 5 January 1970 was a Monday. */
const A_MONDAY = 4 * DAY;

/** A longer name does not fit into the seventh part of a phone's width. */
const COLUMN_LETTERS = 4;

/** Names of the weekdays from Monday on; `column`: those that fit side by side, in Arabic the letters that calendars print. */
export function weekdayNames(language: string, length: 'short' | 'long' | 'column'): string[] {
  if (length === 'column') {
    const short = weekdayNames(language, 'short');
    return short.every((name) => name.length <= COLUMN_LETTERS) ? short : namesOf(language, 'narrow');
  }
  return namesOf(language, length);
}

function namesOf(language: string, length: 'short' | 'long' | 'narrow'): string[] {
  const format = dateFormat(language, { weekday: length, timeZone: 'UTC' });
  return Array.from({ length: 7 }, (_, day) => format.format(A_MONDAY + day * DAY));
}

/** A schedule in a line of words: 'Nov 21, 2026 – Dec 1, 2026, Mon and Tue, 09:00–18:00'. */
export function useScheduleWords(): (schedule: Schedule | null) => string {
  const { t, i18n } = useTranslation();
  const { commaSeparated, date, list } = useFormat();
  return (schedule) => {
    if (!schedule) return t('always');
    const { from, to, weekdays, hours } = schedule;
    const names = weekdayNames(i18n.language, 'short');
    const days = from && to ? `${date(from)} – ${date(to)}` : undefined;
    const parts = [
      days ?? (from ? t('fromDay', { date: date(from) }) : to ? t('untilDay', { date: date(to) }) : undefined),
      weekdays && weekdays.length > 0 ? list(weekdays.map((day) => names[day - 1] ?? '')) : undefined,
      hours && hours.length > 0 ? list(hours.map((span) => `${span.from}–${span.to}`)) : undefined,
    ];
    return commaSeparated(parts.filter((part) => part !== undefined)) || t('always');
  };
}
