import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../ui/Button.tsx';
import { EmptyState } from '../ui/States.tsx';

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
