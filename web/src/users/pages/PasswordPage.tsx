import { useTranslation } from 'react-i18next';
import { useLeave } from '../../platform/shown.ts';
import { useSession } from '../../platform/session.ts';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { PasswordForm } from '../PasswordForm.tsx';

export default function PasswordPage() {
  const { t } = useTranslation('users');
  const { person } = useSession();
  const leave = useLeave();
  return (
    <Page title={t('changePassword')} back="/settings" narrow>
      {person ? (
        <Card>
          <PasswordForm userId={person.id} own onDone={() => void leave('/')} />
        </Card>
      ) : (
        <Skeleton height={400} />
      )}
    </Page>
  );
}
