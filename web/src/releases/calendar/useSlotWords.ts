import type { CalendarRelease, CalendarSlot } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../../platform/language.ts';
import { dateFormat } from '../../platform/intl.ts';
import { useFormat } from '../../ui/format/format.ts';
import type { Piece } from './days.ts';

/** What the slots of one calendar say. */
export function useSlotWords(timeZone: string, releases: ReadonlyMap<string, CalendarRelease>) {
  const { t, i18n } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { list, number } = useFormat();
  // 24 hours, as schedules are written.
  const clock = dateFormat(dateLocale(i18n.language), {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const emptyWords: Record<Exclude<CalendarSlot['state'], 'played' | 'plays'>, string> = {
    nothing: t('calendarNothing'),
    dark: t('calendarDark'),
    expired: common('stateExpired'),
  };
  // An ad that was released twice, or by a campaign as well, plays once in the eyes of a viewer.
  const namesOf = ({ releases: ids }: CalendarSlot): string[] => [
    ...new Set(ids.flatMap((id) => releases.get(id)?.ad.name ?? [])),
  ];
  const linesOf = (slot: CalendarSlot): string[] =>
    slot.state === 'played' || slot.state === 'plays' ? namesOf(slot) : [emptyWords[slot.state]];
  return {
    /** `08:00 – 12:00`, by the clock of the device. */
    time: ({ from, to, start, length }: Piece): string =>
      start === 0 && length === 1 ? t('calendarAllDay') : `${clock.format(from)} – ${clock.format(to)}`,
    /** The ads that play, or why nothing does. */
    title: (slot: CalendarSlot): string => list(linesOf(slot)),
    /** The same, one by one. */
    lines: linesOf,
    /** How often it played; undefined where that is unknown. */
    plays: ({ plays }: CalendarSlot): string | undefined =>
      plays === null ? undefined : t('calendarPlays', { count: plays, n: number(plays) }),
    isUrgent: (slot: CalendarSlot): boolean => slot.releases.some((id) => releases.get(id)?.priority === 'urgent'),
  };
}
