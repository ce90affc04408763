import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../platform/api.ts';
import { adChecksQuery, adQuery } from '../queries/ads.ts';
import { isAwaited } from '../ui/feedback/pending.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { PlayIcon } from '../ui/layout/icons.ts';
import { PreviewSheet } from '../ui/stage/PreviewSheet.tsx';
import { Stage } from '../ui/stage/Stage.tsx';
import { AdFindings } from './AdFindings.tsx';
import style from './campaigns.module.css';

interface CreativeStageProps {
  ad: { id: string; name: string };
  /** Longer edge in CSS pixels. */
  size: number;
  /** The request that is decided on, or its version: its ads are loaded anew with each. */
  version?: string;
}

/** An ad as it will look, with what content checks find in it; pressed, it plays at its largest. */
export function CreativeStage({ ad: { id, name }, size, version }: CreativeStageProps) {
  const { t } = useTranslation('campaigns');
  const [large, setLarge] = useState(false);
  const { data, error, refetch } = useQuery(adQuery(id, version));
  // If the findings arrived later, the buttons below them would move away from a finger.
  const checks = useQuery({ ...adChecksQuery(id, version), refetchInterval: false });
  if (isApiError(error, 'NOT_FOUND')) return <p className="caption">{t('adDeleted')}</p>;
  if (!data && error) return <ErrorState error={error} onRetry={() => refetch()} />;
  if (!data || isAwaited(checks)) {
    return (
      <div style={{ width: size / 2 }}>
        <Skeleton height={size} />
      </div>
    );
  }
  return (
    <>
      <button
        type="button"
        className={style.picture}
        aria-label={t('previewOf', { name })}
        onClick={() => setLarge(true)}
      >
        <Stage ad={data} size={size} playing={false} />
        <PlayIcon className={style.play} />
      </button>
      <AdFindings adId={id} version={version} />
      {large && <PreviewSheet ad={data} title={name} onClose={() => setLarge(false)} />}
    </>
  );
}
