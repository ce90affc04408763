import type { CalendarRelease } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../ui/feedback/StateBadge.tsx';
import { Card } from '../../ui/layout/Page.tsx';
import type { CalendarDay } from './days.ts';
import { SlotLink } from './SlotLink.tsx';
import { useDayName } from './useDayName.ts';
import { useSlotWords } from './useSlotWords.ts';
import style from './calendar.module.css';

export interface CalendarDaysProps {
  days: readonly CalendarDay[];
  timeZone: string;
  releases: ReadonlyMap<string, CalendarRelease>;
}

/** The days before today are above the screen; on the first day, the controls above the list stay in view. */
const showToday = (day: HTMLElement | null): void => day?.scrollIntoView({ block: 'start' });

/** The days as a list, for a phone. */
export function Agenda({ days, timeZone, releases }: CalendarDaysProps) {
  const { t } = useTranslation('releases');
  const dayName = useDayName('long');
  const words = useSlotWords(timeZone, releases);
  return days.map(({ date, pieces, now }, index) => (
    <div key={date} className={style.agendaDay} ref={now !== undefined && index > 0 ? showToday : undefined}>
      <Card title={dayName(date)}>
        {pieces.length === 0 && <p className="caption">{t('calendarUnknown')}</p>}
        <ol className={style.agenda}>
          {pieces.map((piece) => {
            const { slot } = piece;
            const time = words.time(piece);
            const plays = words.plays(slot);
            return (
              <li key={piece.from}>
                <SlotLink
                  releases={slot.releases.flatMap((id) => releases.get(id) ?? [])}
                  title={time}
                  className={style.row ?? ''}
                  state={slot.state}
                >
                  <span className={style.time}>{time}</span>
                  <span className={style.what}>
                    <span>{words.title(slot)}</span>
                    {plays && <span className="caption numbers">{plays}</span>}
                  </span>
                  {words.isUrgent(slot) && <Badge tone="warning">{t('urgent')}</Badge>}
                </SlotLink>
              </li>
            );
          })}
        </ol>
      </Card>
    </div>
  ));
}
