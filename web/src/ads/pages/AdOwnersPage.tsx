import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { adListPath } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { IconLink } from '../../ui/layout/Button.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { CampaignIcon, FilmIcon, HistoryIcon, PictureIcon, PlaylistIcon } from '../../ui/layout/icons.ts';
import { OWNER_ROW_HEIGHT, OwnerList } from '../../ui/list/OwnerList.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { Skeletons } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { ownersQuery, userQuery } from '../../queries/users.ts';

/** Selection of a user's ads. A member is sent directly to its own. Until the role is known, the list requests it. */
export default function AdOwnersPage() {
  const { role, current } = useSession();
  return role === 'member' && current ? <Own id={current.id} /> : <Owners />;
}

function Own({ id }: { id: string }) {
  const { t } = useTranslation('ads');
  const user = useQuery(userQuery(id));
  if (user.data) return <Navigate to={adListPath(user.data)} replace />;
  return (
    <Page title={t('title')}>
      {user.error ? (
        <ErrorState error={user.error} onRetry={() => user.refetch()} />
      ) : (
        <Skeletons height={OWNER_ROW_HEIGHT} />
      )}
    </Page>
  );
}

function Owners() {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  return (
    <OwnerList
      title={t('title')}
      actions={
        <>
          <IconLink to="/campaigns" label={common('menuCampaigns')} icon={<CampaignIcon />} />
          <IconLink to="/releases" label={t('releases')} icon={<HistoryIcon />} />
        </>
      }
      label={t('owners')}
      searchLabel={t('searchOwners')}
      youLabel={t('you')}
      emptyTitle={common('noUsers')}
      query={ownersQuery}
      to={adListPath}
      counts={({ mp4, img, ad_num }) => ({
        signs: [
          { icon: <FilmIcon />, count: mp4 },
          { icon: <PictureIcon />, count: img },
          { icon: <PlaylistIcon />, count: ad_num },
        ],
        words: t('ownerCounts', { mp4: number(mp4), img: number(img), ads: number(ad_num) }),
      })}
    />
  );
}
