import { type Orientation, ORIENTATIONS, teamIdOf, type User } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router';
import { isApiError } from '../../platform/api.ts';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { oneOf, useAddressFilter } from '../../ui/layout/address.ts';
import { ButtonLink, IconLink } from '../../ui/layout/Button.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { CampaignIcon, FilmIcon, HistoryIcon, PictureIcon, PlaylistIcon, PlusIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { useDesk } from '../../ui/layout/wide.ts';
import { AdCard } from '../AdCard.tsx';
import { AdTable } from '../AdTable.tsx';
import { adReleasesChanged, adsQuery } from '../../queries/ads.ts';
import { userQuery } from '../../queries/users.ts';
import style from '../ads.module.css';

/** The numbers are painted at once from the address, then from the server, which wins. */
export default function AdListPage() {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const params = useParams();
  const { id = '', username = '' } = params;
  const { role, current } = useSession();
  const owner = useQuery(userQuery(id));
  const filter = useAddressFilter(['orientation', 'q']);
  const orientation = oneOf(ORIENTATIONS, filter.values.orientation) ?? 'vertical';
  const { q } = filter.values;
  // Which devices have an ad changes with releases; an ad itself only here.
  useLive('release', () => void adReleasesChanged());

  const name = owner.data?.username ?? username;
  const own = id === current?.id;
  const add = `/release/${id}/${teamIdOf(orientation)}/2`;
  const desk = useDesk();
  const wanted = { owner: id, orientation, q };
  const list = {
    label: t('list'),
    empty: { title: t('empty'), hint: t('emptyHint'), action: <ButtonLink to={add}>{t('newAd')}</ButtonLink> },
    filter: { active: q !== undefined, clear: () => filter.set({ q: undefined }) },
  };
  const title = own ? t('ownAds') : t('adsOf', { username: name });
  const back = role === 'member' ? {} : { back: '/ad' };
  if (isApiError(owner.error, 'NOT_FOUND')) {
    return (
      <Page title={title} {...back}>
        <ErrorState error={owner.error} onRetry={() => owner.refetch()} />
      </Page>
    );
  }
  const head = (
    <div className={style.head}>
      <Numbers user={owner.data} params={params} />
      <ButtonLink to={add} look="primary" icon={<PlusIcon />}>
        {t('newAd')}
      </ButtonLink>
    </div>
  );
  return (
    <Page
      title={title}
      {...back}
      desk={desk}
      actions={
        <>
          {desk && head}
          <IconLink to="/campaigns" label={common('menuCampaigns')} icon={<CampaignIcon />} />
          <IconLink to={`/releases?owner=${id}`} label={t('releases')} icon={<HistoryIcon />} />
        </>
      }
      bar={<Bar orientation={orientation} q={q ?? ''} onSearch={(text) => filter.set({ q: text })} />}
    >
      {!desk && head}
      {desk ? (
        <AdTable key={orientation} wanted={wanted} {...list} />
      ) : (
        <InfiniteList
          key={orientation}
          query={adsQuery(wanted)}
          rowHeight={204}
          minColumn={340}
          render={(ad) => <AdCard ad={ad} />}
          {...list}
        />
      )}
    </Page>
  );
}

interface BarProps {
  orientation: Orientation;
  q: string;
  onSearch: (text: string) => void;
}

function Bar({ orientation, q, onSearch }: BarProps) {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const { pathname } = useLocation();
  const to = (value: Orientation): string => {
    const query = new URLSearchParams({ orientation: value, ...(q && { q }) });
    return `${pathname}?${query.toString()}`;
  };
  return (
    <div className={style.bar}>
      <Tabs
        label={t('orientation')}
        tabs={ORIENTATIONS.map((value) => ({
          to: to(value),
          label: common(value),
          current: value === orientation,
        }))}
      />
      <SearchBar value={q} onSearch={onSearch} placeholder={t('searchAds')} />
    </div>
  );
}

interface NumbersProps {
  user: User | undefined;
  params: Readonly<Record<string, string | undefined>>;
}

function Numbers({ user, params }: NumbersProps) {
  const { t } = useTranslation('ads');
  const { number } = useFormat();
  const of = (name: 'mp4' | 'img' | 'ad_num'): string => number(user?.[name] ?? (Number(params[name]) || 0));
  const counts = { mp4: of('mp4'), img: of('img'), ads: of('ad_num') };
  return (
    <p className={style.numbers}>
      <span className="visually-hidden">{t('ownerCounts', counts)}</span>
      <span aria-hidden>
        <PlaylistIcon /> {counts.ads}
        <FilmIcon /> {counts.mp4}
        <PictureIcon /> {counts.img}
      </span>
    </p>
  );
}
