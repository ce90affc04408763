import { z } from 'zod';

/** ISO 8601 has a year 0000; calendars, and databases with them, begin with 0001. */
const hasYear = (text: string): boolean => !text.startsWith('0000');

/** Whether an instant stays in the years 0001 to 9999 in UTC: its offset may lead out of them. */
function isWithinYears(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** A date given by a person; the caller may give a better message by `error`. */
export const GivenDate = (error?: string) => z.iso.date(error).refine(hasYear, error);

/** Whether something can be planned for a day: a plan looks at days after it, and year 9999 is the last. */
export const isPlannable = (day: string): boolean => day <= '9999-10-31';

/** A calendar month given by a person (`YYYY-MM`). */
export const GivenMonth = (error?: string) =>
  z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, error)
    .refine(hasYear, error);

/** An instant that somebody gives, in UTC. */
export const GivenTime = z.iso.datetime().refine(hasYear);

/** An instant that somebody gives, with its offset from UTC. */
export const GivenOffsetTime = z.iso.datetime({ offset: true }).refine(hasYear).refine(isWithinYears);

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'schedule.clock');

/** Hours of a day by the wall clock, `HH:MM`. Hours that end before they start run over midnight. */
export const ClockHours = z.object({ from: Clock, to: Clock });
