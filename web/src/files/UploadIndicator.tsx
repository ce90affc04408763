import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { CheckIcon, FailIcon, PauseIcon } from '../ui/icons.tsx';
import { placeOf, uploadPath } from './place.ts';
import { type UploadItem, isRunning, shareOf } from './upload/item.ts';
import { useUploads } from './upload/manager.ts';
import { percent } from './upload/words.ts';
import style from './upload/indicator.module.css';

type Summary =
  | { kind: 'running'; count: number; share: number; first: UploadItem }
  | { kind: 'failed' | 'paused' | 'done'; count: number; first: UploadItem };

/** The one thing worth saying of all uploads; undefined when there are none. */
function summarize(items: readonly UploadItem[]): Summary | undefined {
  const running = items.filter(isRunning);
  const [first] = running;
  if (first) {
    const size = running.reduce((sum, { file }) => sum + file.size, 0);
    const sent = running.reduce((sum, item) => sum + shareOf(item) * item.file.size, 0);
    return { kind: 'running', count: running.length, share: size === 0 ? 0 : sent / size, first };
  }
  for (const kind of ['failed', 'paused', 'done'] as const) {
    const those = items.filter(({ state }) => state.kind === kind);
    if (those[0]) return { kind, count: those.length, first: those[0] };
  }
  return undefined;
}

const addressOf = ({ target }: UploadItem): string =>
  uploadPath(target.owner, placeOf({ teamid: String(target.screen), type: String(target.type) }));

/** On every page but the upload page: how the uploads get on, and the way to them. */
export function UploadIndicator() {
  const { pathname } = useLocation();
  const summary = summarize(useUploads());
  if (!summary || pathname.startsWith('/upload/')) return null;
  return (
    <Link to={addressOf(summary.first)} className={style.indicator} data-kind={summary.kind}>
      <Sign summary={summary} />
      <Words summary={summary} />
    </Link>
  );
}

function Sign({ summary }: { summary: Summary }) {
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

function Words({ summary }: { summary: Summary }) {
  const { t, i18n } = useTranslation('files');
  const { count } = summary;
  switch (summary.kind) {
    case 'running':
      return t('running', { count, percent: percent(i18n.language, summary.share) });
    case 'failed':
      return t('someFailed', { count });
    case 'paused':
      return t('somePaused', { count });
    case 'done':
      return t('allDone', { count });
  }
}
