import { type Language, localTime } from '@ams/contract';

const MS_A_HOUR = 3_600_000;

/** Numbers, hours and calendar dates (`YYYY-MM-DD`) as pages under `/share/` write them. */
export function sharedFormats(language: Language) {
  const numbers = new Intl.NumberFormat(language);
  const hours = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  const date = (day: string) => dates.format(new Date(`${day}T00:00:00Z`));
  return {
    number: (value: number) => numbers.format(value),
    hours: (ms: number) => hours.format(ms / MS_A_HOUR),
    date,
    /** The date of an instant in the first of these zones. */
    dateIn: ([zone = 'UTC']: readonly string[], at: Date) => date(localTime(at.getTime(), zone).date),
    /** An instant, in UTC. */
    moment: (iso: string) => `${moments.format(new Date(iso))} UTC`,
    period: ({ from, to }: { from: string; to: string }) => (from === to ? date(from) : `${date(from)} – ${date(to)}`),
  };
}

export type SharedFormats = ReturnType<typeof sharedFormats>;
