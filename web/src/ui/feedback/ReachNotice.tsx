import { useTranslation } from 'react-i18next';
import { useReach } from '../../platform/online.ts';
import style from './ReachNotice.module.css';

/** Says, while the server cannot be reached, that nothing can be changed. Stands where pages and dialogs begin. */
export function ReachNotice() {
  const { t } = useTranslation();
  const reach = useReach();
  const text = { online: null, offline: t('offline'), silent: t('serverUnreachable') }[reach];
  return (
    <p role="status" className={text === null ? undefined : style.notice}>
      {text}
    </p>
  );
}
