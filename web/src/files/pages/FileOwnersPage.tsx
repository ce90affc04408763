import type { User } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link, Navigate } from 'react-router';
import { useSession } from '../../platform/session.ts';
import { useAddressFilter } from '../../ui/address.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { useFormat } from '../../ui/format.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { FilmIcon, NextIcon, PictureIcon } from '../../ui/icons.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBar } from '../../ui/SearchBar.tsx';
import { Skeletons } from '../../ui/Skeleton.tsx';
import { Badge } from '../../ui/StateBadge.tsx';
import { ownersQuery } from '../files.api.ts';
import { materialsPath, placeOf } from '../place.ts';
import style from '../files.module.css';

const ROW_HEIGHT = 76;

/** Whose files? A member has only its own and goes straight there. */
export default function FileOwnersPage() {
  const { t } = useTranslation('files');
  const { leading, current } = useSession();
  if (current && !leading) return <Navigate to={materialsPath(current, placeOf({}))} replace />;
  if (!current) {
    return (
      <Page title={t('title')}>
        <Skeletons height={ROW_HEIGHT} />
      </Page>
    );
  }
  return <Owners />;
}

function Owners() {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const filter = useAddressFilter(['q']);
  const { q } = filter.values;
  const empty = q
    ? {
        title: common('noMatch'),
        hint: common('noMatchHint'),
        action: <Button onClick={filter.clear}>{common('clearFilters')}</Button>,
      }
    : { title: t('noOwners') };
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
        empty={empty}
      />
    </Page>
  );
}

function OwnerRow({ user }: { user: User }) {
  const { t } = useTranslation('files');
  const { number } = useFormat();
  const { current } = useSession();
  return (
    <Link to={materialsPath(user, placeOf({}))} className={style.owner}>
      <Avatar name={user.username} />
      <span className={style.ownerName}>
        <strong>{user.username}</strong>
        {user.id === current?.id && <Badge tone="primary">{t('you')}</Badge>}
      </span>
      <span className="visually-hidden">{t('ownerCounts', { mp4: number(user.mp4), img: number(user.img) })}</span>
      <span className={style.ownerCounts} aria-hidden>
        <FilmIcon /> {number(user.mp4)}
        <PictureIcon /> {number(user.img)}
      </span>
      <NextIcon className="turns" />
    </Link>
  );
}
