import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { SecondFactorCard } from '../SecondFactorCard.tsx';
import { userQuery } from '../../queries/users.ts';

export default function SecondFactorPage() {
  const { t } = useTranslation('home');
  const { current } = useSession();
  const user = useQuery({ ...userQuery(current?.id ?? ''), enabled: current !== undefined });
  return (
    <Page title={t('secondFactor')} back="/settings" narrow>
      {user.data ? (
        <SecondFactorCard user={user.data} />
      ) : user.error ? (
        <ErrorState error={user.error} onRetry={() => user.refetch()} />
      ) : (
        <Skeleton height={160} />
      )}
    </Page>
  );
}
