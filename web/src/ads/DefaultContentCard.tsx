import { type Ad, type NamedContent, type Orientation, ORIENTATIONS } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { changeDefaultContent, defaultContentQuery, pickableAdsQuery } from '../queries/ads.ts';
import { restoreReleases } from '../queries/releases.ts';
import { offerUndo, succeeded } from '../ui/feedback/outcome.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { Button } from '../ui/layout/Button.tsx';
import { PlaylistIcon, ReloadIcon, TrashIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { AdButton, AdSheet } from '../ui/list/AdSheet.tsx';
import style from './ads.module.css';

/** The ads, one for each orientation, that devices at and below a leading user show while nothing else plays. */
export function DefaultContentCard({ userId }: { userId: string }) {
  const { t } = useTranslation('ads');
  const content = useQuery(defaultContentQuery(userId));
  return (
    <Card title={t('defaultContent')}>
      <p className="caption">{t('defaultHint')}</p>
      {content.data ? (
        ORIENTATIONS.map((orientation) => (
          <Named key={orientation} userId={userId} orientation={orientation} named={content.data[orientation]} />
        ))
      ) : content.error ? (
        <ErrorState error={content.error} onRetry={() => content.refetch()} />
      ) : (
        <Skeleton height={120} />
      )}
    </Card>
  );
}

interface NamedProps {
  userId: string;
  orientation: Orientation;
  named: NamedContent | null;
}

function Named({ userId, orientation, named }: NamedProps) {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const [choosing, setChoosing] = useState(false);
  const name = async (ad: Pick<Ad, 'id'> & Partial<Pick<Ad, 'updatedAt'>>): Promise<boolean> => {
    const body = { orientation, adId: ad.id, updatedAt: ad.updatedAt };
    return succeeded(await changeDefaultContent(userId, body), common('saved'));
  };
  const remove = async ({ releaseId }: NamedContent): Promise<void> => {
    const { error } = await changeDefaultContent(userId, { orientation, adId: null });
    if (error === undefined) offerUndo(t('defaultRemoved'), () => restoreReleases([releaseId]));
  };
  return (
    <div role="group" aria-label={common(orientation)} className={style.default} data-testid="default-content">
      <p>
        {common(orientation)}:{' '}
        {named ? (
          <Link to={`/releases/${named.releaseId}`}>
            <bdi>{named.ad.name}</bdi>
          </Link>
        ) : (
          t('defaultNone')
        )}
      </p>
      {named?.isOutdated && (
        <>
          <p className="caption">{t('defaultOutdated')}</p>
          <Button changes small icon={<ReloadIcon />} onClick={() => name(named.ad)}>
            {t('defaultRenew')}
          </Button>
        </>
      )}
      <div className={style.defaultActions}>
        <Button changes small icon={<PlaylistIcon />} onClick={() => setChoosing(true)}>
          {t('chooseAd')}
        </Button>
        {named && (
          <Button changes small icon={<TrashIcon />} onClick={() => remove(named)}>
            {t('defaultRemove')}
          </Button>
        )}
      </div>
      {choosing && (
        <AdSheet
          query={(q) => pickableAdsQuery(q, { orientation })}
          onClose={() => setChoosing(false)}
          render={(ad) => <AdButton ad={ad} onPick={async () => (await name(ad)) && setChoosing(false)} />}
        />
      )}
    </div>
  );
}
