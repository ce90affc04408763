import type { Release } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { oneOf, useAddressFilter } from '../../ui/layout/address.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { CrossIcon, NextIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { Badge } from '../../ui/feedback/StateBadge.tsx';
import { adQuery } from '../../queries/ads.ts';
import {
  refreshReleases,
  type ReleaseListFilter,
  releasesQuery,
  waitingReleaseCountQuery,
} from '../../queries/releases.ts';
import { userQuery } from '../../queries/users.ts';
import { useDesk } from '../../ui/layout/wide.ts';
import { isUnsent, ReleaseBadge, StandingBadge } from '../ReleaseBadge.tsx';
import { ReleaseTable } from '../ReleaseTable.tsx';
import style from './ReleaseListPage.module.css';

const SHOWN = ['true', 'false', 'requested', 'rejected'] as const;

const FLAGS = ['true'] as const;

/** What the chips choose: releases, or requests of customers. */
const chosenBy = (shown: (typeof SHOWN)[number] | undefined): Pick<ReleaseListFilter, 'active' | 'approval'> =>
  shown === 'requested' || shown === 'rejected' ? { approval: shown } : { active: shown };

/** `/releases`: who released what, when, and how far it is; in the query `ad`, `owner`, `q`, `active`, `open`. */
export default function ReleaseListPage() {
  const { t } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { t: campaigns } = useTranslation('campaigns');
  const filter = useAddressFilter(['ad', 'owner', 'q', 'active', 'open']);
  const { ad, owner, q } = filter.values;
  const shown = oneOf(SHOWN, filter.values.active);
  const open = shown === 'rejected' ? oneOf(FLAGS, filter.values.open) : undefined;
  const wanted: ReleaseListFilter = { ad, owner, q, ...chosenBy(shown), open };
  const desk = useDesk();
  const { number } = useFormat();
  // No device has a request yet: it is not among the releases.
  const { data: requests = 0 } = useQuery(waitingReleaseCountQuery({ ad, owner, q }));
  const waiting = requests > 0 ? `${campaigns('verdictWaiting')} (${number(requests)})` : campaigns('verdictWaiting');
  const empty = {
    title: t('noReleases'),
    ...(requests > 0 && shown !== 'requested'
      ? { action: <Button onClick={() => filter.set({ active: 'requested' })}>{waiting}</Button> }
      : { hint: t('noReleasesHint'), action: <ButtonLink to="/ad">{common('menuAds')}</ButtonLink> }),
  };
  const list = { label: t('releases'), empty, filter };
  useLive('release', (ids) => void refreshReleases(ids));
  return (
    <Page
      title={t('releases')}
      back="/ad"
      desk={desk}
      bar={
        <div className={style.filterBar}>
          <SearchBar value={q ?? ''} onSearch={(text) => filter.set({ q: text })} placeholder={t('searchReleases')} />
          <Chips
            label={t('releases')}
            value={shown}
            onChange={(value) => filter.set({ active: value, open: undefined })}
            options={[
              { value: undefined, label: common('all') },
              { value: 'true', label: t('liveNow') },
              { value: 'false', label: t('ended') },
              { value: 'requested', label: waiting },
              { value: 'rejected', label: campaigns('stateRejected') },
            ]}
          />
        </div>
      }
    >
      {(ad ?? owner ?? open) && (
        <p className={style.filters}>
          {ad && <AdFilter ad={ad} onRemove={() => filter.set({ ad: undefined })} />}
          {owner && <OwnerFilter owner={owner} onRemove={() => filter.set({ owner: undefined })} />}
          {open && (
            <Button small icon={<CrossIcon />} onClick={() => filter.set({ open: undefined })}>
              {t('rejectedLately')}
            </Button>
          )}
        </p>
      )}
      {desk ? (
        <ReleaseTable wanted={wanted} {...list} />
      ) : (
        <InfiniteList
          query={releasesQuery(wanted)}
          rowHeight={128}
          minColumn={340}
          render={(release) => <ReleaseRow release={release} />}
          {...list}
        />
      )}
    </Page>
  );
}

/** The ad whose releases are shown, and the way to all. It may be gone. */
function AdFilter({ ad, onRemove }: { ad: string; onRemove: () => void }) {
  const { t } = useTranslation('releases');
  const { data } = useQuery(adQuery(ad));
  return (
    <Button small icon={<CrossIcon />} onClick={onRemove}>
      {data ? t('adIs', { name: data.name }) : t('removeFilter')}
    </Button>
  );
}

/** Filter of the releases, with a button to remove it. */
function OwnerFilter({ owner, onRemove }: { owner: string; onRemove: () => void }) {
  const { t } = useTranslation('releases');
  const { data } = useQuery(userQuery(owner));
  return (
    <Button small icon={<CrossIcon />} onClick={onRemove}>
      {data ? t('ofUser', { username: data.username }) : t('removeFilter')}
    </Button>
  );
}

function ReleaseRow({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  const { t: devices } = useTranslation('devices');
  const { dateTime, number } = useFormat();
  const { counts, operator } = release;
  return (
    <Link to={`/releases/${release.id}`} className={style.release} data-testid="release">
      <span>
        <strong dir="auto">{release.ad.name}</strong>
        <span className="caption">
          {dateTime(release.releasedAt)}
          {operator && <> · {operator.username}</>}
        </span>
        <span className="caption numbers">
          {isUnsent(release)
            ? devices('toAll', { count: release.approval.devices })
            : t('progressLabel', { done: number(counts.done), total: number(counts.total) })}
        </span>
        <span className={style.releaseBadges}>
          <ReleaseBadge release={release} />
          {release.standing && <StandingBadge />}
          {release.rollout && <Badge>{t('staged')}</Badge>}
          {release.priority !== 'normal' && <Badge tone="warning">{t(release.priority)}</Badge>}
        </span>
      </span>
      <NextIcon className="turns" />
    </Link>
  );
}
