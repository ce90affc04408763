import type { HomeSummary } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FailIcon } from '../ui/layout/icons.ts';
import style from './home.module.css';

/** Tells those who can do something about it that the server's disk is full. */
export function StorageNotice({ summary }: { summary: HomeSummary }) {
  const { t } = useTranslation('home');
  if (!summary.storageFull) return null;
  return (
    <section className={style.notice} aria-labelledby="storage-full" role="alert">
      <FailIcon />
      <div>
        <h2 id="storage-full">{t('storageFullTitle')}</h2>
        <p>{t('storageFullHint')}</p>
        <p className={style.noticeLinks}>
          <Link to="/file">{t('storageFullLink')}</Link>
        </p>
      </div>
    </section>
  );
}
