import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { refreshRelease, releaseQuery } from '../../queries/releases.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { ReleaseDetails, Withdrawal } from '../ReleaseDetails.tsx';

/** `/releases/:id`: how far each device is with a release, as it happens. */
export default function ReleasePage() {
  const { t } = useTranslation('releases');
  const { id = '' } = useParams();
  const release = useQuery(releaseQuery(id));
  useLive('release', (ids) => {
    if (ids.includes(id)) void refreshRelease(id);
  });
  return (
    <Page
      title={release.data?.ad.name ?? t('release')}
      back="/releases"
      actions={release.data && <Withdrawal release={release.data} />}
    >
      {release.data ? (
        <ReleaseDetails release={release.data} />
      ) : release.error ? (
        <ErrorState error={release.error} onRetry={() => release.refetch()} />
      ) : (
        <>
          <Skeleton height={170} />
          <Skeleton height={220} />
        </>
      )}
    </Page>
  );
}
