import { useTranslation } from 'react-i18next';
import { dateLocale } from '../../platform/language.ts';
import type { CalendarDaysProps } from './Agenda.tsx';
import type { CalendarDay } from './days.ts';
import { SlotLink } from './SlotLink.tsx';
import { useDayName } from './useDayName.ts';
import { useSlotWords } from './useSlotWords.ts';
import style from './calendar.module.css';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** A slot of this length has room for three lines, its time and its plays. */
const ROOMY_HOURS = 2;

const percent = (share: number): string => `${share * 100}%`;

/** The days as columns of 24 hours, for a desk. */
export function DayGrid(props: CalendarDaysProps) {
  return (
    <div className={style.grid}>
      <HourAxis />
      {props.days.map((day) => (
        <DayColumn key={day.date} {...props} day={day} />
      ))}
    </div>
  );
}

function HourAxis() {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(dateLocale(i18n.language), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return (
    <ol className={style.hours} aria-hidden>
      {HOURS.map((hour) => (
        <li key={hour}>{format.format(Date.UTC(2026, 0, 1, hour))}</li>
      ))}
    </ol>
  );
}

function DayColumn({ day, timeZone, releases }: CalendarDaysProps & { day: CalendarDay }) {
  const { t } = useTranslation('releases');
  const short = useDayName('short');
  const long = useDayName('long');
  const words = useSlotWords(timeZone, releases);
  return (
    <section className={style.day} aria-label={long(day.date)}>
      <h2 className={style.dayName} data-today={day.now !== undefined}>
        {short(day.date)}
      </h2>
      <ol className={style.column}>
        {day.pieces.map((piece) => {
          const { slot } = piece;
          const place = { top: percent(piece.start), height: percent(piece.length) };
          return (
            <li key={piece.from}>
              <SlotLink
                releases={slot.releases.flatMap((id) => releases.get(id) ?? [])}
                title={words.time(piece)}
                className={words.isUrgent(slot) ? `${style.block} ${style.urgent}` : (style.block ?? '')}
                state={slot.state}
                place={place}
                isShort={piece.length * HOURS.length < ROOMY_HOURS}
              >
                <strong>{words.title(slot)}</strong>
                <span className={style.blockTime}>{words.time(piece)}</span>
                {slot.plays !== null && <span className={style.blockTime}>{words.plays(slot)}</span>}
              </SlotLink>
            </li>
          );
        })}
        {day.pieces.length === 0 && <li className={style.unknown}>{t('calendarUnknown')}</li>}
        {day.now !== undefined && <li className={style.now} style={{ top: percent(day.now) }} aria-hidden />}
      </ol>
    </section>
  );
}
