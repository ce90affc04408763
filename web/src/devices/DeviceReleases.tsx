import type { Device, LiveReleaseState, Release } from '@ams/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../platform/session.ts';
import { Button } from '../ui/layout/Button.tsx';
import { Choice } from '../ui/form/Choice.tsx';
import { PlaylistIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { RelativeTime } from '../ui/format/time.tsx';
import { SCREEN_NAME_TEXT } from './Truths.tsx';
import { CardRow, CardRows, NoRows } from './CardRows.tsx';
import { askToWithdraw } from './actions.ts';
import { mayWithdraw, type Occasion, occasionOf, releasesOnQuery } from '../queries/releases.ts';
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
      {releases?.length === 0 && <NoRows icon={<PlaylistIcon />} title={t('noReleases')} hint={t('noReleasesHint')} />}
      <CardRows>
        {releases?.map((release) => (
          <ReleaseRow key={release.id} release={release} device={device} />
        ))}
      </CardRows>
      {list.hasNextPage && (
        <Button block loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common('more')}
        </Button>
      )}
    </Card>
  );
}

/** Takeovers are ended on their page, default content is changed in the settings. */
const HAS_WITHDRAWAL: Record<Occasion, boolean> = { campaign: true, takeover: false, default: false };

function ReleaseRow({ release, device }: { release: Release; device: Device }) {
  const { t } = useTranslation('devices');
  const { t: releases } = useTranslation('releases');
  const { leading } = useSession();
  const withdrawn = release.withdrawnAt !== null;
  const here = release.here ?? 'waiting';
  const occasion = occasionOf(release);
  return (
    <CardRow
      title={
        <Link to={`/releases/${release.id}`}>
          <strong dir="auto">{release.ad.name}</strong>
        </Link>
      }
      caption={
        <>
          <RelativeTime at={release.releasedAt} />
          {release.operator && ` · ${t('releasedBy', { username: release.operator.username })}`}
          {` · ${t('toAll', { count: release.counts.total })}`}
        </>
      }
      badges={
        <>
          {withdrawn && <Badge>{release.withdrawnBy ? t('withdrawn') : releases('ended')}</Badge>}
          {here === 'missed' ? (
            <Badge>{releases('missed')}</Badge>
          ) : (
            !withdrawn && <DeliveryBadge state={here} device={device} />
          )}
          {release.screen && <Badge>{t(SCREEN_NAME_TEXT[release.screen])}</Badge>}
          {release.priority !== 'normal' && <Badge tone="warning">{releases(release.priority)}</Badge>}
        </>
      }
      action={
        !withdrawn &&
        (!occasion || HAS_WITHDRAWAL[occasion]) &&
        mayWithdraw(release, leading) && (
          <Button changes small onClick={() => void askToWithdraw(release)}>
            {t('withdraw')}
          </Button>
        )
      }
    />
  );
}

function DeliveryBadge({ state, device }: { state: LiveReleaseState; device: Device }) {
  const { t } = useTranslation('devices');
  if (state !== 'downloading') return <StateBadge state={state} />;
  const content = contentOf(device);
  const text = content.state === 'downloading' ? t('downloading', { percent: content.percent }) : t('stateDownloading');
  return <StateBadge state="waiting" text={text} />;
}
