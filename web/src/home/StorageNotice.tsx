import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FailIcon } from '../ui/layout/icons.ts';
import { HomeNotice } from './HomeNotice.tsx';

/** Tells those who can do something about it that the server's disk is full. */
export function StorageNotice() {
  const { t } = useTranslation('home');
  return (
    <HomeNotice
      urgent
      icon={<FailIcon />}
      title={t('storageFullTitle')}
      links={<Link to="/file">{t('storageFullLink')}</Link>}
    >
      <p>{t('storageFullHint')}</p>
    </HomeNotice>
  );
}
