import type { Device, DeviceHistory as History } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../platform/language.ts';
import { dateFormat, numberFormat } from '../platform/intl.ts';
import { Button } from '../ui/layout/Button.tsx';
import { useFormat } from '../ui/format/format.ts';
import { Card } from '../ui/layout/Page.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { type HistoryDay, daysOf, outagesOf, shownUptime } from './history.ts';
import { deviceHistoryQuery } from '../queries/devices.ts';
import style from './history.module.css';

const SHORT_LIST = 3;

/** When the device was online in the last seven days of its own calendar. */
export function DeviceHistory({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const percent = usePercent();
  // Asked again when the device comes or goes; in between only the present moment moves on.
  const { data, error, refetch } = useQuery(deviceHistoryQuery(device.id, device.online));
  return (
    <Card
      title={t('history')}
      action={data && data.uptime !== null && <strong className="numbers">{percent(data.uptime)}</strong>}
    >
      {data ? <Week history={data} /> : error ? <ErrorState error={error} onRetry={() => refetch()} /> : null}
      {!data && !error && <Skeleton height={236} />}
    </Card>
  );
}

function usePercent(): (uptime: number) => string {
  const { t, i18n } = useTranslation('devices');
  const format = numberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  return (uptime) => t('uptime', { percent: format.format(shownUptime(uptime)) });
}

function Week({ history }: { history: History }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  if (history.stretches.every(({ state }) => state === 'unknown')) {
    return <p className="caption">{t('historyEmpty')}</p>;
  }
  return (
    <>
      <ul className={style.days}>
        {daysOf(history).map((day) => (
          <Day key={day.date} day={day} />
        ))}
      </ul>
      <div className={style.hours} aria-hidden>
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <ul className={style.legend} aria-hidden>
        <li data-state="online">{common('stateOnline')}</li>
        <li data-state="offline">{common('stateOffline')}</li>
        <li data-state="unknown">{t('historyUnknown')}</li>
        {history.stretches.some(({ state }) => state === 'dark') && <li data-state="dark">{t('historyDark')}</li>}
      </ul>
      <Outages history={history} />
    </>
  );
}

/** Where the part of a bar begins, of its height: it ends as far from the bottom. */
const TOPS: Record<HistoryDay['parts'][number]['state'], number> = { online: 0, offline: 0.34, unknown: 0, dark: 0.44 };

/** One day as a bar of 24 hours; what it shows is also its name. */
function Day({ day }: { day: HistoryDay }) {
  const { t, i18n } = useTranslation('devices');
  const percent = usePercent();
  const dayName = (weekday: 'short' | 'long') =>
    dateFormat(dateLocale(i18n.language), { weekday, day: 'numeric', timeZone: 'UTC' }).format(new Date(day.date));
  const words = day.uptime === null ? t('historyUnknown') : percent(day.uptime);
  return (
    <li>
      <span className={style.day}>{dayName('short')}</span>
      <svg
        className={style.bar}
        viewBox="0 0 1 1"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${dayName('long')}: ${words}`}
      >
        {day.parts.map(({ state, start, length }) => (
          <rect key={start} data-state={state} x={start} y={TOPS[state]} width={length} height={1 - 2 * TOPS[state]} />
        ))}
      </svg>
    </li>
  );
}

function Outages({ history }: { history: History }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const [all, setAll] = useState(false);
  const outages = outagesOf(history);
  if (outages.length === 0) return <p className="caption">{t('noOutages')}</p>;
  return (
    <>
      <h3 className={style.title}>{t('outages', { count: outages.length })}</h3>
      <ol className={style.outages}>
        {(all ? outages : outages.slice(0, SHORT_LIST)).map((outage) => (
          <Outage key={outage.from} outage={outage} timeZone={history.timeZone} />
        ))}
      </ol>
      {!all && outages.length > SHORT_LIST && (
        <Button block small onClick={() => setAll(true)}>
          {common('more')}
        </Button>
      )}
    </>
  );
}

interface OutageProps {
  outage: ReturnType<typeof outagesOf>[number];
  timeZone: string;
}

/** By the wall clock of the device, as the bars are. */
function Outage({ outage: { from, to, ms }, timeZone }: OutageProps) {
  const { t, i18n } = useTranslation('devices');
  const { length } = useFormat();
  const format = dateFormat(dateLocale(i18n.language), {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
  });
  const start = new Date(from);
  const when =
    to === undefined ? t('outageSince', { time: format.format(start) }) : format.formatRange(start, new Date(to));
  return (
    <li>
      <span>{when}</span>
      <span className="caption numbers">{length(ms)}</span>
    </li>
  );
}
