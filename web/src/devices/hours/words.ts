import type { WorkingHours } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/format/format.ts';
import { weekdayNames } from '../../ui/format/schedule.ts';
import { WEEKDAYS } from './draft.ts';

interface Run {
  first: number;
  last: number;
  spans: string;
}

/** Days that follow each other and have the same hours as one, as `[first, last, hours]`. */
function runsOf({ weekly }: WorkingHours): Run[] {
  const runs: Run[] = [];
  for (const [index, day] of WEEKDAYS.entries()) {
    const spans = (weekly[day] ?? []).map(({ from, to }) => `${from}–${to}`).join(', ');
    const last = runs.at(-1);
    if (last?.spans === spans) last.last = index;
    else runs.push({ first: index, last: index, spans });
  }
  return runs.filter((run) => run.spans !== '');
}

/** Working hours in a line of words: 'Mon–Fri 08:00–20:00; Sat 10:00–14:00'. Null: always. */
export function useHoursWords(): (hours: WorkingHours | null) => string {
  const { t, i18n } = useTranslation('devices');
  const { number } = useFormat();
  const names = weekdayNames(i18n.language, 'short');
  return (hours) => {
    if (!hours) return t('hoursAlways');
    const days = runsOf(hours).map(({ first, last, spans }) => {
      const name = first === last ? names[first] : `${names[first]}–${names[last]}`;
      return `${name} ${spans}`;
    });
    const exceptions = hours.exceptions.length;
    return [
      days.length > 0 ? days.join('; ') : t('hoursNever'),
      ...(exceptions > 0 ? [t('hoursExceptionsAre', { n: number(exceptions) })] : []),
    ].join('; ');
  };
}
