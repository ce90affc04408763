import type { Ad, Release } from '@ams/contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Dialog } from '../ui/Dialog.tsx';
import { useFormat } from '../ui/format.ts';
import { InfiniteList } from '../ui/InfiniteList.tsx';
import { NextIcon } from '../ui/icons.tsx';
import { StateBadge } from '../ui/StateBadge.tsx';
import { liveReleasesQuery } from './ads.api.ts';
import style from './ads.module.css';

/** The live releases of an ad, each leading to its progress. */
export function ReleasesSheet({ ad, onClose }: { ad: Ad; onClose: () => void }) {
  const { t } = useTranslation('ads');
  const box = useRef<HTMLDivElement>(null);
  return (
    <Dialog kind="sheet" title={t('releasesOf', { name: ad.name })} onClose={onClose}>
      <div className={style.sheet} ref={box}>
        <InfiniteList
          query={liveReleasesQuery(ad.id)}
          label={t('releases')}
          rowHeight={64}
          box={box}
          empty={{ title: t('noReleases') }}
          render={(release) => <ReleaseRow release={release} />}
        />
      </div>
    </Dialog>
  );
}

function ReleaseRow({ release }: { release: Release }) {
  const { t } = useTranslation('ads');
  const { dateTime, number } = useFormat();
  const { total, done, failed } = release.counts;
  return (
    <Link to={`/releases/${release.id}`} className={style.releaseRow}>
      <span>
        <strong>{dateTime(release.releasedAt)}</strong>
        <span className="caption">{t('doneOf', { done: number(done), total: number(total) })}</span>
      </span>
      <StateBadge state={failed > 0 ? 'failed' : done === total ? 'done' : 'waiting'} />
      <NextIcon className="turns" />
    </Link>
  );
}
