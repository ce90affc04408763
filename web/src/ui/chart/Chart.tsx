import { localTime } from '@ams/contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { idle } from '../../platform/idle.ts';
import { browserZone } from '../../platform/intl.ts';
import style from './Chart.module.css';
import { useFormat } from '../format/format.ts';
import { useNow } from '../format/time.tsx';
import type { PlotKind } from './plot.ts';

interface ChartProps {
  /**
   * Instants (ISO 8601), or days (`2026-11-21`) or hours (`2026-11-21T13`) by the clock on the wall, with their
   * counts, oldest first.
   */
  points: readonly (readonly [at: string, count: number])[];
  kind: PlotKind;
  label: string;
  /** Of days and hours: the time zones of their clocks, the browser's when left out. */
  timeZones?: readonly string[];
  /** Counts that were planned for the points, drawn as a line, and the words for one of them. */
  plan?: { counts: readonly number[]; text: (count: number) => string };
}

/** A chart in view is drawn after this long although the page is busy. Milliseconds. */
const DRAW_LIMIT = 500;

/** A history over time. Touching or pointing at it reads the value there. */
export function Chart({ points, kind, label, timeZones, plan }: ChartProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState<number>();
  const counts = points.map(([, count]) => count);
  const empty = counts.every((count) => count === 0);
  const unfinished = useUnfinished(points, kind, timeZones);

  const planned = plan?.counts;

  useEffect(() => {
    const element = box.current;
    if (!element || points.length < 2) return;
    let stop: (() => void) | undefined;
    let stopped = false;
    // The drawing comes when the chart does: below the fold it would only keep the page from what is seen.
    const draw = async () => {
      const { plot } = await import('./plot.ts');
      // Each of several charts in a task of its own.
      await idle(DRAW_LIMIT);
      if (!stopped)
        stop = plot(element, dataOf(points, kind, planned), {
          kind,
          language: i18n.language,
          unfinished,
          onRead: setIndex,
        });
    };
    const inView = new IntersectionObserver(([seen]) => {
      if (!seen?.isIntersecting) return;
      inView.disconnect();
      void draw();
    });
    inView.observe(element);
    return () => {
      stopped = true;
      inView.disconnect();
      stop?.();
    };
  }, [points, kind, planned, unfinished, i18n.language]);

  const read = points[index ?? -1] ?? points.at(-1);
  const time = read && { line: format.dateTime, days: format.date, hours: format.hour }[kind](read[0]);
  const running = (index ?? points.length - 1) >= unfinished;
  const when = running ? `${time} · ${t('soFar')}` : time;
  const plannedCount = planned?.[index ?? points.length - 1];
  const plannedText = plannedCount === undefined ? undefined : plan?.text(plannedCount);
  return (
    <figure className={style.chart}>
      <figcaption className={style.read} aria-live="off">
        {read ? (
          <>
            <strong>{format.number(read[1])}</strong>{' '}
            <span className="caption">{plannedText ? `${plannedText} · ${when}` : when}</span>
          </>
        ) : (
          <span className="caption">{t('chartEmpty')}</span>
        )}
      </figcaption>
      <div
        ref={box}
        className={style.plot}
        role="img"
        aria-label={read ? `${label}: ${format.number(read[1])}, ${when}` : `${label}: ${t('chartEmpty')}`}
        data-empty={empty || undefined}
      />
    </figure>
  );
}

/** The first point whose day or hour is not over yet in some of the time zones; after the last when all are. */
function useUnfinished(points: ChartProps['points'], kind: PlotKind, timeZones: ChartProps['timeZones']): number {
  const now = useNow();
  if (kind === 'line') return points.length;
  const zones = timeZones?.length ? timeZones : [browserZone()];
  const clocks = zones.map((zone) => {
    const { date, minutes } = localTime(now, zone);
    return kind === 'days' ? date : `${date}T${String(Math.floor(minutes / 60)).padStart(2, '0')}`;
  });
  const earliest = clocks.reduce((least, clock) => (clock < least ? clock : least));
  const found = points.findIndex(([at]) => at >= earliest);
  return found < 0 ? points.length : found;
}

/** Local times are formatted as if they were UTC, so that no time zone shifts them. */
const WALL: Record<PlotKind, string> = { line: '', days: 'T12:00:00Z', hours: ':00:00Z' };

const dataOf = (points: ChartProps['points'], kind: PlotKind, plan?: readonly number[]): uPlot.AlignedData => [
  points.map(([at]) => Date.parse(`${at}${WALL[kind]}`) / 1000),
  points.map(([, count]) => count),
  ...(plan ? [[...plan]] : []),
];
