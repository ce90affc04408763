import { BOOKED_WITHIN_MS, type Flight } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { weekdayNames } from '../../ui/format/schedule.ts';
import { useNow } from '../../ui/format/time.tsx';
import { browserZone, numberFormat } from '../../platform/intl.ts';
import { freePercent } from '../percent.ts';
import style from './HeatMap.module.css';
import { levelOf, weekOf } from './week.ts';

interface HeatMapProps {
  flight: Flight;
  /** The share of each hour of the week that is free, Monday and midnight first. */
  free: readonly (readonly number[])[];
}

/** What is free in each hour of the week: a table of numbers, tinted. Hours in which nothing runs are left out. */
export function HeatMap({ flight, free }: HeatMapProps) {
  const { t, i18n } = useTranslation('campaigns');
  const days = weekdayNames(i18n.language, 'column');
  const fullDays = weekdayNames(i18n.language, 'long');
  const number = numberFormat(i18n.language);
  const week = weekOf(flight, free, useNow() + BOOKED_WITHIN_MS, browserZone());
  const hours = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => week.some((day) => day[hour] !== null));
  return (
    <div className={style.frame}>
      <table className={style.week}>
        <caption>{t('heatMap')}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('hour')}</span>
            </th>
            {days.map((day, weekday) => (
              <th key={fullDays[weekday]} scope="col" abbr={fullDays[weekday]}>
                <span aria-hidden>{day}</span>
                <span className="visually-hidden">{fullDays[weekday]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((hour) => (
            <tr key={hour}>
              <th scope="row">{`${String(hour).padStart(2, '0')}:00`}</th>
              {week.map((day, weekday) => (
                <Cell key={fullDays[weekday]} free={day[hour] ?? null} format={(value) => number.format(value)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="caption">{t('heatLegend')}</p>
    </div>
  );
}

function Cell({ free, format }: { free: number | null; format: (value: number) => string }) {
  return <td data-level={levelOf(free)}>{free === null ? '–' : format(freePercent(free))}</td>;
}
