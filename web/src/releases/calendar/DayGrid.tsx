import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../../platform/language.ts';
import { dateFormat } from '../../platform/intl.ts';
import { useFormat } from '../../ui/format/format.ts';
import type { CalendarDaysProps } from './Agenda.tsx';
import { type CalendarDay, firstHour } from './days.ts';
import { SlotLink } from './SlotLink.tsx';
import { useDayName } from './useDayName.ts';
import { useSlotWords } from './useSlotWords.ts';
import style from './calendar.module.css';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** A slot of this length has room for three lines, its time and its plays. */
const ROOMY_HOURS = 2;

/** In CSS pixels: the names of the days stay above the first hour, of which a half is above its line (`calendar.module.css`). */
const ABOVE_HOUR = 44;

const percent = (share: number): string => `${share * 100}%`;

/** Names that a slot shows. */
const NAMES_SHOWN = 3;

/** The days as columns of 24 hours, for a desk. They scroll by themselves and open where something happens. */
export function DayGrid(props: CalendarDaysProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const hour = useRef(firstHour(props.days));
  useLayoutEffect(() => {
    const first = box.current?.querySelector<HTMLElement>(`[data-hour='${hour.current}']`);
    if (first) box.current?.scrollTo({ top: first.offsetTop - ABOVE_HOUR, behavior: 'instant' });
  }, []);
  return (
    // It scrolls by keyboard, too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={box} className={style.grid} tabIndex={0} role="group" aria-label={t('calendar')}>
      <HourAxis />
      {props.days.map((day) => (
        <DayColumn key={day.date} {...props} day={day} />
      ))}
    </div>
  );
}

function HourAxis() {
  const { i18n } = useTranslation();
  const format = dateFormat(dateLocale(i18n.language), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return (
    <ol className={style.hours} aria-hidden>
      {HOURS.map((hour) => (
        <li key={hour} data-hour={hour}>
          <span>{format.format(Date.UTC(2026, 0, 1, hour))}</span>
        </li>
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
          const isShort = piece.length * HOURS.length < ROOMY_HOURS;
          const place = { top: percent(piece.start), height: percent(piece.length) };
          return (
            <li key={piece.from}>
              <SlotLink
                releases={slot.releases.flatMap((id) => releases.get(id) ?? [])}
                title={words.time(piece)}
                className={words.isUrgent(slot) ? `${style.block} ${style.urgent}` : (style.block ?? '')}
                state={slot.state}
                place={place}
                isShort={isShort}
              >
                <span className={style.label}>
                  <Names names={words.lines(slot)} shown={isShort ? 1 : NAMES_SHOWN} />
                  <span className={style.blockTime}>{words.time(piece)}</span>
                  {slot.plays !== null && <span className={style.blockTime}>{words.plays(slot)}</span>}
                </span>
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

/** Each name on lines of its own, which end where its writing ends: in Arabic, a Latin name is cut at its end as well. */
function Names({ names, shown }: { names: readonly string[]; shown: number }) {
  const { number } = useFormat();
  const rest = names.length - shown;
  return (
    <strong className={style.names}>
      {names.slice(0, shown).map((name) => (
        <bdi key={name} title={name}>
          {name}
        </bdi>
      ))}
      {rest > 0 && <span dir="ltr">+{number(rest)}</span>}
    </strong>
  );
}
