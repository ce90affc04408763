import type { Levels, WorkingHours } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { numberFormat } from '../../platform/intl.ts';
import { useFormat } from '../../ui/format/format.ts';
import { weekdayNames } from '../../ui/format/schedule.ts';
import { WEEKDAYS } from './draft.ts';

interface Run {
  first: number;
  last: number;
  spans: string;
}

/** Hours of a day in words: '08:00–12:00 and 14:00–20:00'; nothing on a day without any. */
export function useSpanWords(): (spans: readonly { from: string; to: string }[]) => string {
  const { list } = useFormat();
  return (spans) => list(spans.map(({ from, to }) => `${from}–${to}`));
}

/** Days that follow each other and have the same hours as one. */
function runsOf({ weekly }: WorkingHours, words: ReturnType<typeof useSpanWords>): Run[] {
  const runs: Run[] = [];
  for (const [index, day] of WEEKDAYS.entries()) {
    const spans = words(weekly[day] ?? []);
    const last = runs.at(-1);
    if (last?.spans === spans) last.last = index;
    else runs.push({ first: index, last: index, spans });
  }
  return runs.filter((run) => run.spans !== '');
}

/** Working hours in a line of words: 'Mon–Fri 08:00–20:00; Sat 10:00–14:00'. Null: always. */
export function useHoursWords(): (hours: WorkingHours | null) => string {
  const { t, i18n } = useTranslation('devices');
  const { number, semicolonSeparated } = useFormat();
  const words = useSpanWords();
  const names = weekdayNames(i18n.language, 'short');
  return (hours) => {
    if (!hours) return t('hoursAlways');
    const days = runsOf(hours, words).map(({ first, last, spans }) => {
      const name = first === last ? names[first] : `${names[first]}–${names[last]}`;
      return `${name} ${spans}`;
    });
    const exceptions = hours.exceptions.length;
    return semicolonSeparated([
      ...(days.length > 0 ? days : [t('hoursNever')]),
      ...(exceptions > 0 ? [t('hoursExceptionsAre', { n: number(exceptions) })] : []),
    ]);
  };
}

/** Levels in a line of words: 'Volume: 40%, 22:00–07:00 0%'. A level of null is left to the device. */
export function useLevelsWords(): (levels: Levels) => string {
  const { t, i18n } = useTranslation('devices');
  const { t: groups } = useTranslation('groups');
  const { commaSeparated, semicolonSeparated } = useFormat();
  const percent = numberFormat(i18n.language, { style: 'percent' });
  const shown = (value: number | null) => (value === null ? t('levelOwn') : percent.format(value / 100));
  return ({ volume, volumeHours = [], brightness, brightnessHours = [] }) => {
    const parts = [
      { name: t('volume'), value: volume, hours: volumeHours },
      { name: t('brightness'), value: brightness, hours: brightnessHours },
    ];
    return semicolonSeparated(
      parts.flatMap(({ name, value, hours }) => {
        if (value === undefined) return [];
        const spans = hours.map(({ from, to, value: level }) => `${from}–${to} ${shown(level)}`);
        return [groups('conditionIs', { name, value: commaSeparated([shown(value), ...spans]) })];
      }),
    );
  };
}
