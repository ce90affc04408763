import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../ui/layout/Button.tsx';
import { EmptyState } from '../ui/feedback/States.tsx';

export function NotFoundPage() {
  const { t } = useTranslation('errors');
  return (
    <EmptyState
      page
      title={t('notFoundTitle')}
      hint={t('notFoundHint')}
      action={
        <ButtonLink to="/" look="primary">
          {t('toHome')}
        </ButtonLink>
      }
    />
  );
}
