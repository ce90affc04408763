import { commaOf, DEFAULT_LANGUAGE, isLanguage } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../../platform/language.ts';
import { dateFormat, listFormat, numberFormat, relativeFormat } from '../../platform/intl.ts';
import { firstOf, isolated } from './bidi.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Bytes as a person reads them, by powers of 1024: '1.4 MB'. */
export function formatBytes(language: string, bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** power;
  const digits = power === 0 || value >= 100 ? 0 : 1;
  const unit = UNITS[power];
  return numberFormat(language, {
    style: 'unit',
    unit,
    // The short form of bytes knows no plural in English: '0 byte'.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(value);
}

/** A running time as a player shows it: '0:07', '1:02:03'. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A time that is left, in whole seconds, minutes or hours: '40 sec', '3 min'. */
export function formatTimeLeft(language: string, seconds: number): string {
  const [value, unit] =
    seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return numberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'hour' ? 1 : 0,
  }).format(value);
}

/** A share, 0 to 1, in whole percent; never rounded up to what is not done yet. */
export const formatPercent = (language: string, share: number): string =>
  numberFormat(language, { style: 'percent' }).format(Math.floor(share * 100) / 100);

/** How long something lasted, in its two largest units: '2 hr, 5 min'; less than a minute in seconds. */
export function formatLength(language: string, milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  const unit = (value: number, name: string) =>
    numberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(value);
  if (seconds < 60) return unit(seconds, 'second');
  const minutes = Math.round(seconds / 60);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = [
    days > 0 && unit(days, 'day'),
    hours > 0 && unit(hours, 'hour'),
    days === 0 && rest > 0 && unit(rest, 'minute'),
  ].filter((part) => part !== false);
  return listFormat(language, { type: 'unit', style: 'short' }).format(parts);
}

/** A sum of running times in its largest unit, hours at most; below ten of them with a tenth. */
export function totalOf(milliseconds: number): { value: number; unit: 'hours' | 'minutes' | 'seconds' } {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return { value: seconds, unit: 'seconds' };
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return { value: minutes, unit: 'minutes' };
  const hours = seconds / 3600;
  return { value: hours < 10 ? Math.round(hours * 10) / 10 : Math.round(hours), unit: 'hours' };
}

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Milliseconds in whole days, hours or minutes, whichever is the largest that fits; undefined below a minute. */
function inLargestUnit(milliseconds: number): { value: number; unit: (typeof STEPS)[number][0] } | undefined {
  const step = STEPS.find(([, size]) => Math.abs(milliseconds) >= size);
  return step && { value: Math.trunc(milliseconds / step[1]), unit: step[0] };
}

const TOTALS = { hours: 'totalHours', minutes: 'totalMinutes', seconds: 'totalSeconds' } as const;

/** How long ago (or ahead) `at` is, in whole units; both in milliseconds since 1970. */
export function relativeTime(language: string, at: number, now: number): string {
  const format = relativeFormat(language, { numeric: 'auto' });
  const { value, unit } = inLargestUnit(at - now) ?? { value: 0, unit: 'second' };
  return format.format(value, unit);
}

/** For how long something has been so, in its largest whole unit and as short as it gets: '10h'; at least a minute. */
export function shortAge(language: string, since: number, now: number): string {
  const { value, unit } = inLargestUnit(Math.max(now - since, 0)) ?? { value: 1, unit: 'minute' };
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow' }).format(value);
}

const SEMICOLONS: Partial<Record<string, string>> = { ar: '؛ ', zh: '；', ja: '；' };

const commaIn = (language: string): string => commaOf(isLanguage(language) ? language : DEFAULT_LANGUAGE);

/** Formatters in the language shown. Dates are ISO 8601; a calendar date is not moved between time zones. */
export function useFormat() {
  const { t, i18n } = useTranslation();
  const language = i18n.language;
  const dates = dateLocale(language);
  const dateBy = (options: Intl.DateTimeFormatOptions) => (iso: string) =>
    dateFormat(dates, iso.length === 10 ? { ...options, timeZone: 'UTC' } : options).format(new Date(iso));
  return {
    number: (value: number): string => numberFormat(language).format(value),
    compact: (value: number): string =>
      numberFormat(language, { notation: value >= 100_000 ? 'compact' : 'standard' }).format(value),
    /** Fits a badge: '10K'. */
    short: (value: number): string => numberFormat(language, { notation: 'compact' }).format(value),
    bytes: (value: number): string => formatBytes(language, value),
    percent: (share: number): string => formatPercent(language, share),
    timeLeft: (seconds: number): string => formatTimeLeft(language, seconds),
    /** A sum of running times in its largest unit: '3,700 h', '1.5 h', '45 min'. */
    total: (milliseconds: number): string => {
      const { value, unit } = totalOf(milliseconds);
      return t(TOTALS[unit], { n: numberFormat(language, { maximumFractionDigits: 1 }).format(value) });
    },
    length: (milliseconds: number): string => formatLength(language, milliseconds),
    date: dateBy({ dateStyle: 'medium' }),
    /** Fits a column in each language: '11/26/2026'. */
    numericDate: dateBy({ year: 'numeric', month: 'numeric', day: 'numeric' }),
    dateTime: dateBy({ dateStyle: 'medium', timeStyle: 'short' }),
    /** An hour by the clock on the wall, `2026-11-21T13`. */
    hour: (hour: string): string =>
      dateFormat(dates, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
        new Date(`${hour}:00:00Z`),
      ),
    time: dateBy({ timeStyle: 'short' }),
    shortDate: dateBy({ month: 'short', day: 'numeric' }),
    /** Of a calendar date. */
    month: dateBy({ month: 'short', year: 'numeric' }),
    /** The items of a sentence: 'Mon, Tue, and Fri'; a sign at the end says that there are more than `max`. */
    list: (values: readonly string[], max = values.length): string => {
      const named = firstOf(values, max).map(isolated);
      return values.length > max ? named.join(commaIn(language)) : listFormat(language).format(named);
    },
    /** Values of one line, each of which may be a list. */
    commaSeparated: (values: readonly string[]): string => values.map(isolated).join(commaIn(language)),
    /** Parts of one line that contain commas. */
    semicolonSeparated: (values: readonly string[]): string => values.map(isolated).join(SEMICOLONS[language] ?? '; '),
  };
}
