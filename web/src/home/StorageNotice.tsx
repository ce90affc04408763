import type { HomeSummary } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FailIcon } from '../ui/layout/icons.ts';
import { HomeNotice } from './HomeNotice.tsx';

/** Tells those who can do something about it that the server's disk is full. */
export function StorageNotice({ summary }: { summary: HomeSummary }) {
  const { t } = useTranslation('home');
  if (!summary.storageFull) return null;
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
