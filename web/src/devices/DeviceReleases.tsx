import type { Device, Release, ReleaseState } from '@ams/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../ui/layout/Button.tsx';
import { Choice } from '../ui/form/Choice.tsx';
import { PlaylistIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { RelativeTime } from '../ui/format/time.tsx';
import { SCREEN_NAME_TEXT } from './Truths.tsx';
import { askToWithdraw } from './actions.ts';
import { releasesOnQuery } from '../queries/releases.ts';
import style from './devices.module.css';
import { contentOf } from './truths.ts';

/** Releases of a device: active ones, or all. */
export function DeviceReleases({ device }: { device: Device }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const [shown, setShown] = useState<'active' | 'all'>('active');
  const list = useInfiniteQuery(releasesOnQuery(device.id, shown === 'active'));
  const releases = list.data?.pages.flatMap((page) => page.items);
  return (
    <Card title={t('releases')}>
      <Choice
        label={t('releases')}
        value={shown}
        onChange={setShown}
        options={[
          { value: 'active', label: t('releasesActive') },
          { value: 'all', label: t('releasesAll') },
        ]}
      />
      {list.isPending && <Skeleton height={72} />}
      {list.error && !releases && <ErrorState error={list.error} onRetry={() => list.refetch()} />}
      {releases?.length === 0 && <NoReleases />}
      <ul className={style.releases}>
        {releases?.map((release) => (
          <ReleaseRow key={release.id} release={release} device={device} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button block loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common('more')}
        </Button>
      )}
    </Card>
  );
}

function NoReleases() {
  const { t } = useTranslation('devices');
  return (
    <div className={style.none}>
      <PlaylistIcon />
      <p>
        <strong>{t('noReleases')}</strong>
        {t('noReleasesHint')}
      </p>
    </div>
  );
}

function ReleaseRow({ release, device }: { release: Release; device: Device }) {
  const { t } = useTranslation('devices');
  const withdrawn = release.withdrawnAt !== null;
  return (
    <li>
      <div className={style.release}>
        <Link to={`/releases/${release.id}`}>
          <strong dir="auto">{release.ad.name}</strong>
        </Link>
        <span className="caption">
          <RelativeTime at={release.releasedAt} />
          {release.operator && ` · ${t('releasedBy', { username: release.operator.username })}`}
          {` · ${t('toAll', { count: release.counts.total })}`}
        </span>
        <span className={style.badges}>
          {withdrawn ? (
            <Badge>{t('withdrawn')}</Badge>
          ) : (
            <DeliveryBadge state={release.here ?? 'waiting'} device={device} />
          )}
          {release.screen && <Badge>{t(SCREEN_NAME_TEXT[release.screen])}</Badge>}
          {release.priority === 'urgent' && <Badge tone="warning">{t('urgent')}</Badge>}
        </span>
      </div>
      {!withdrawn && (
        <Button small onClick={() => void askToWithdraw(release)}>
          {t('withdraw')}
        </Button>
      )}
    </li>
  );
}

function DeliveryBadge({ state, device }: { state: ReleaseState; device: Device }) {
  const { t } = useTranslation('devices');
  if (state !== 'downloading') return <StateBadge state={state} />;
  const content = contentOf(device);
  const text = content.state === 'downloading' ? t('downloading', { percent: content.percent }) : t('stateDownloading');
  return <StateBadge state="waiting" text={text} />;
}
