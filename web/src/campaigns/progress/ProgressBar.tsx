import type { Campaign } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { toneOf } from '../verdict.ts';
import { useCampaignWords } from '../words.ts';
import style from './progress.module.css';

interface ProgressBarProps {
  campaign: Campaign;
  /** The numbers stand beside the bar: rows of tables have no room below. */
  inLine?: boolean;
}

/** Delivered against ordered plays, with a mark where the plan is now; nothing before the flight begins. */
export function ProgressBar({ campaign, inLine = false }: ProgressBarProps) {
  const { ordered, progress } = campaign;
  const { t } = useTranslation('campaigns');
  const text = useCampaignWords().progress(campaign);
  if (progress === null || ordered === null || ordered === 0) return null;
  return (
    <span
      className={`${style.progress} ${inLine ? style.inLine : ''}`}
      data-testid="progress"
      data-tone={toneOf(campaign)}
    >
      <span
        className={style.bar}
        role="progressbar"
        aria-label={t('progress')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(Math.floor((progress.delivered / ordered) * 100), 100)}
        aria-valuetext={text}
      >
        <i style={{ inlineSize: share(progress.delivered, ordered) }} />
        <b style={{ insetInlineStart: share(progress.due, ordered) }} />
      </span>
      <bdi className={style.numbers}>{text}</bdi>
    </span>
  );
}

const share = (plays: number, ordered: number): string => `${Math.min((plays / ordered) * 100, 100)}%`;
