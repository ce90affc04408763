import type { Release, ReleaseState } from '@ams/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../ui/format/format.ts';
import { CalendarIcon, CheckIcon, ClockIcon, CrossIcon, DownIcon, FailIcon } from '../ui/layout/icons.ts';
import style from './ReleaseSums.module.css';

export const STATES = [
  'done',
  'downloading',
  'waiting',
  'failed',
  'planned',
  'missed',
] as const satisfies readonly ReleaseState[];

/** Shown also while no device is in them: a release that is over gets no further. */
const EXPECTED = ['done', 'downloading', 'waiting', 'failed'] as const satisfies readonly ReleaseState[];

const ICONS: Record<ReleaseState, ReactNode> = {
  done: <CheckIcon />,
  downloading: <DownIcon />,
  waiting: <ClockIcon />,
  failed: <FailIcon />,
  planned: <CalendarIcon />,
  missed: <CrossIcon />,
};

function useStateWords(): Record<ReleaseState, string> {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  return {
    done: common('stateDone'),
    downloading: t('downloading'),
    waiting: common('stateWaiting'),
    failed: common('stateFailed'),
    planned: common('statePlanned'),
    missed: t('missed'),
  };
}

interface ReleaseSumsProps {
  release: Release;
  shown: ReleaseState | undefined;
  onShow: (state: ReleaseState | undefined) => void;
}

/** How far all devices are together; each sum filters the list below. */
export function ReleaseSums({ release: { counts, withdrawnAt }, shown, onShow }: ReleaseSumsProps) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const words = useStateWords();
  const expected: readonly ReleaseState[] = withdrawnAt === null ? EXPECTED : ['done'];
  const all = counts.total > 0 && counts.done === counts.total;
  return (
    <>
      <p className={style.headline} data-testid="progress" data-all-done={all}>
        {all ? t('allDone') : t('progressLabel', { done: number(counts.done), total: number(counts.total) })}
      </p>
      <div
        className={style.bar}
        role="progressbar"
        aria-label={t('progress')}
        aria-valuemin={0}
        aria-valuemax={counts.total}
        aria-valuenow={counts.done}
      >
        {STATES.filter((state) => counts[state] > 0).map((state) => (
          <i key={state} data-state={state} style={{ flexGrow: counts[state] }} />
        ))}
      </div>
      <ul className={style.sums}>
        {STATES.filter((state) => counts[state] > 0 || state === shown || expected.includes(state)).map((state) => (
          <li key={state}>
            <button
              type="button"
              data-state={state}
              aria-pressed={shown === state}
              onClick={() => onShow(shown === state ? undefined : state)}
            >
              <span className={style.sum}>
                {ICONS[state]}
                <strong data-testid={`count-${state}`}>{number(counts[state])}</strong>
              </span>
              {words[state]}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
