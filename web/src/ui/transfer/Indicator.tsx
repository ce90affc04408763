import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../format/format.ts';
import { CheckIcon, FailIcon, PauseIcon } from '../layout/icons.ts';
import style from './indicator.module.css';

/** The one thing worth saying of several uploads. */
export type UploadSummary =
  | { kind: 'running'; count: number; share: number }
  | { kind: 'failed' | 'paused' | 'done'; count: number };

/** How long a success is shown. */
const DONE_MS = 4000;

interface IndicatorProps {
  summary: UploadSummary;
  to: string;
}

/** On every other page: how the uploads get on, and the way to them. Good news does not stay in the way. */
export const Indicator = (props: IndicatorProps) =>
  props.summary.kind === 'done' ? <Passing key={props.summary.count} {...props} /> : <Message {...props} />;

/** A message that leaves by itself. */
function Passing(props: IndicatorProps) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), DONE_MS);
    return () => clearTimeout(timer);
  }, []);
  return over ? null : <Message {...props} />;
}

const Message = ({ summary, to }: IndicatorProps) => (
  <Link to={to} className={style.indicator} data-kind={summary.kind} data-indicator data-testid="upload-indicator">
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
