import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import style from './Chart.module.css';
import { useFormat } from '../format/format.ts';
import type { PlotKind } from './plot.ts';

interface ChartProps {
  /**
   * Instants (ISO 8601), or days (`2026-11-21`) or hours (`2026-11-21T13`) by the clock on the wall, with their
   * counts, oldest first.
   */
  points: readonly (readonly [at: string, count: number])[];
  kind: PlotKind;
  label: string;
}

/** A history over time. Touching or pointing at it reads the value there. */
export function Chart({ points, kind, label }: ChartProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const box = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState<number>();
  const counts = points.map(([, count]) => count);
  const empty = counts.every((count) => count === 0);

  useEffect(() => {
    const element = box.current;
    if (!element || points.length < 2) return;
    let stop: (() => void) | undefined;
    let stopped = false;
    const draw = async () => {
      const { plot } = await import('./plot.ts');
      if (!stopped) stop = plot(element, dataOf(points, kind), { kind, language: i18n.language, onRead: setIndex });
    };
    void draw();
    return () => {
      stopped = true;
      stop?.();
    };
  }, [points, kind, i18n.language]);

  const read = points[index ?? -1] ?? points.at(-1);
  const when = read && { line: format.dateTime, days: format.date, hours: format.hour }[kind](read[0]);
  return (
    <figure className={style.chart}>
      <figcaption className={style.read} aria-live="off">
        {read ? (
          <>
            <strong>{format.number(read[1])}</strong> <span className="caption">{when}</span>
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

/** Local times are formatted as if they were UTC, so that no time zone shifts them. */
const WALL: Record<PlotKind, string> = { line: '', days: 'T12:00:00Z', hours: ':00:00Z' };

const dataOf = (points: ChartProps['points'], kind: PlotKind): uPlot.AlignedData => [
  points.map(([at]) => Date.parse(`${at}${WALL[kind]}`) / 1000),
  points.map(([, count]) => count),
];
