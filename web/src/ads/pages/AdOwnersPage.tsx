import type { User } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router';
import { adListPath } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { useAddressFilter } from '../../ui/address.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { useFormat } from '../../ui/format.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { FilmIcon, NextIcon, PictureIcon, PlaylistIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBar } from '../../ui/SearchBar.tsx';
import { Skeletons } from '../../ui/Skeleton.tsx';
import { Badge } from '../../ui/StateBadge.tsx';
import { ErrorState } from '../../ui/States.tsx';
import { ownerQuery, ownersQuery } from '../ads.api.ts';
import style from '../ads.module.css';

const ROW_HEIGHT = 76;

/** Whose ads? A member has only its own and goes straight there. Until the role is known, the list asks for it. */
export default function AdOwnersPage() {
  const { role, current } = useSession();
  return role === 'member' && current ? <Own id={current.id} /> : <Owners />;
}

function Own({ id }: { id: string }) {
  const { t } = useTranslation('ads');
  const user = useQuery(ownerQuery(id));
  if (user.data) return <Navigate to={adListPath(user.data)} replace />;
  return (
    <Page title={t('title')}>
      {user.error ? (
        <ErrorState error={user.error} onRetry={() => void user.refetch()} />
      ) : (
        <Skeletons height={ROW_HEIGHT} />
      )}
    </Page>
  );
}

function Owners() {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const filter = useAddressFilter(['q']);
  const { q } = filter.values;
  const noMatch = {
    title: common('noMatch'),
    hint: common('noMatchHint'),
    action: <Button onClick={filter.clear}>{common('clearFilters')}</Button>,
  };
  return (
    <Page
      title={t('title')}
      bar={<SearchBar value={q ?? ''} onSearch={(text) => filter.set({ q: text })} placeholder={t('searchOwners')} />}
    >
      <InfiniteList
        query={ownersQuery(q)}
        label={t('owners')}
        rowHeight={ROW_HEIGHT}
        render={(user) => <OwnerRow user={user} />}
        empty={q ? noMatch : { title: common('noUsers') }}
      />
    </Page>
  );
}

function OwnerRow({ user }: { user: User }) {
  const { t } = useTranslation('ads');
  const { number } = useFormat();
  const { current } = useSession();
  const counts = { mp4: number(user.mp4), img: number(user.img), ads: number(user.ad_num) };
  return (
    <Link to={adListPath(user)} className={style.owner}>
      <Avatar name={user.username} />
      <span className={style.ownerName}>
        <strong>{user.username}</strong>
        {user.id === current?.id && <Badge tone="primary">{t('you')}</Badge>}
      </span>
      <span className="visually-hidden">{t('ownerCounts', counts)}</span>
      <span className={style.ownerCounts} aria-hidden>
        <FilmIcon /> {counts.mp4}
        <PictureIcon /> {counts.img}
        <PlaylistIcon /> {counts.ads}
      </span>
      <NextIcon className="turns" />
    </Link>
  );
}
