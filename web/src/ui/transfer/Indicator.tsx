import { type ComponentType, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../format/format.ts';
import { CheckIcon, FailIcon, PauseIcon } from '../layout/icons.ts';
import style from './indicator.module.css';

/** The one thing worth saying of several uploads. */
export type UploadSummary =
  { kind: 'running'; count: number; share: number } | { kind: 'failed' | 'paused' | 'done'; count: number };

let provided: ReadonlyMap<string, ComponentType> = new Map();
const listeners = new Set<() => void>();

/** Called by the pages where uploads begin: until one of them was opened, there is nothing to indicate. */
export function provideIndicator(feature: string, indicator: ComponentType): void {
  provided = new Map(provided).set(feature, indicator);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Where indicators stand: above the menu of a phone, in the side bar of a desk. */
export function IndicatorPlace() {
  const indicators = useSyncExternalStore(subscribe, () => provided);
  return (
    <div className={style.place}>
      {[...indicators].map(([feature, One]) => (
        <One key={feature} />
      ))}
    </div>
  );
}

/** On every other page: how the uploads get on, and the way to them. */
export const Indicator = ({ summary, to }: { summary: UploadSummary; to: string }) => (
  <Link to={to} className={style.indicator} data-kind={summary.kind}>
    <Sign summary={summary} />
    <Words summary={summary} />
  </Link>
);

function Sign({ summary }: { summary: UploadSummary }) {
  switch (summary.kind) {
    case 'running':
      return (
        <svg className={style.ring} viewBox="0 0 36 36" aria-hidden>
          <circle cx="18" cy="18" r="15" pathLength="100" />
          <circle cx="18" cy="18" r="15" pathLength="100" strokeDasharray={`${summary.share * 100} 100`} />
        </svg>
      );
    case 'failed':
      return <FailIcon />;
    case 'paused':
      return <PauseIcon />;
    case 'done':
      return <CheckIcon />;
  }
}

function Words({ summary }: { summary: UploadSummary }) {
  const { t } = useTranslation();
  const { percent } = useFormat();
  const { count } = summary;
  switch (summary.kind) {
    case 'running':
      return t('uploadsRunning', { count, percent: percent(summary.share) });
    case 'failed':
      return t('uploadsFailed', { count });
    case 'paused':
      return t('uploadsPaused', { count });
    case 'done':
      return t('uploadsDone', { count });
  }
}
