import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type uPlot from 'uplot';
import { useFormat } from '../ui/format.ts';
import style from './home.module.css';

interface ChartProps {
  /** Times (ISO 8601) or days (`YYYY-MM-DD`) with their counts, oldest first. */
  points: readonly (readonly [at: string, count: number])[];
  kind: 'line' | 'bars';
  label: string;
}

/** A history over time. Touching or pointing at it reads the value there. */
export function Chart({ points, kind, label }: ChartProps) {
  const { t, i18n } = useTranslation('home');
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
      if (!stopped) stop = plot(element, dataOf(points), { kind, language: i18n.language, onRead: setIndex });
    };
    void draw();
    return () => {
      stopped = true;
      stop?.();
    };
  }, [points, kind, i18n.language]);

  const read = points[index ?? -1] ?? points.at(-1);
  const when = read && (kind === 'bars' ? format.date(read[0]) : format.dateTime(read[0]));
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

const dataOf = (points: ChartProps['points']): uPlot.AlignedData => [
  // A day stands at its noon, so that no time zone moves it to a neighbour.
  points.map(([at]) => (at.length === 10 ? new Date(`${at}T12:00:00`) : new Date(at)).getTime() / 1000),
  points.map(([, count]) => count),
];
