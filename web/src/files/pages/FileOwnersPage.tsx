import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { useSession } from '../../platform/session.ts';
import { useFormat } from '../../ui/format/format.ts';
import { FilmIcon, PictureIcon } from '../../ui/layout/icons.ts';
import { OWNER_ROW_HEIGHT, OwnerList } from '../../ui/list/OwnerList.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { Skeletons } from '../../ui/feedback/Skeleton.tsx';
import { ownersQuery } from '../../queries/users.ts';
import { placePath, placeOf } from '../place.ts';

/** Selection of a user's files. A member is sent directly to its own. */
export default function FileOwnersPage() {
  const { t } = useTranslation('files');
  // The answer of a proxy has no role: by `leading` it would lead away from here.
  const { role, current } = useSession();
  if (current && role === 'member') return <Navigate to={placePath(current, placeOf({}))} replace />;
  if (!current) {
    return (
      <Page title={t('title')}>
        <Skeletons height={OWNER_ROW_HEIGHT} />
      </Page>
    );
  }
  return <Owners />;
}

function Owners() {
  const { t } = useTranslation('files');
  const { number } = useFormat();
  return (
    <OwnerList
      title={t('title')}
      label={t('owners')}
      searchLabel={t('searchOwners')}
      youLabel={t('you')}
      emptyTitle={t('noOwners')}
      query={ownersQuery}
      to={(user) => placePath(user, placeOf({}))}
      counts={({ mp4, img }) => ({
        signs: [
          { icon: <FilmIcon />, count: mp4 },
          { icon: <PictureIcon />, count: img },
        ],
        words: t('ownerCounts', { mp4: number(mp4), img: number(img) }),
      })}
    />
  );
}
