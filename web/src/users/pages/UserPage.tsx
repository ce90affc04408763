import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { useSession } from '../../platform/session.ts';
import { foundIn } from '../../platform/query.ts';
import { colleaguesQuery } from '../../queries/colleagues.ts';
import { userQuery } from '../../queries/users.ts';
import { isAwaited } from '../../ui/feedback/pending.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { Columns, Page } from '../../ui/layout/Page.tsx';
import { UserDetails } from '../UserDetails.tsx';

export default function UserPage() {
  const { t } = useTranslation('users');
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const { role } = useSession();
  const asked = useQuery(userQuery(id));
  const user = foundIn(asked);
  // Its card would push the actions away if it came later.
  const colleagues = useQuery(colleaguesQuery(id));
  return (
    <Page title={user?.username ?? t('details')} back={role === 'member' ? '/settings' : '/user'}>
      {user && !isAwaited(colleagues) ? (
        <UserDetails user={user} onRemoved={() => void navigate('/user', { replace: true })} />
      ) : asked.error ? (
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      ) : (
        <Columns
          main={
            <>
              <Skeleton height={150} />
              <Skeleton height={240} />
            </>
          }
          side={<Skeleton height={240} />}
        />
      )}
    </Page>
  );
}
