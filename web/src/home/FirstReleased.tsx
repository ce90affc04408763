import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../platform/session.ts';
import { IconButton } from '../ui/layout/Button.tsx';
import { BellIcon, CrossIcon, DiskIcon, NextIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import style from './FirstSteps.module.css';

/** As in the README. */
const BACKUP_COMMAND = 'npm run backup -- everything.tar --key backup.key';

/** A word of success when the first ad was released, and what comes next. */
export function FirstReleased({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const { superior } = useSession();
  return (
    <Card
      title={t('firstReleased')}
      action={<IconButton label={common('close')} icon={<CrossIcon />} onClick={onDismiss} />}
    >
      <p className="caption">{t('firstReleasedHint')}</p>
      <ul className={style.steps}>
        <li>
          <Link to="/alerts">
            <span className={style.stepSign} aria-hidden>
              <BellIcon />
            </span>
            <span className={style.stepText}>
              <strong>{t('nextAlerts')}</strong>
              <span className="caption">{t('alertsHint')}</span>
            </span>
            <NextIcon className="turns" />
          </Link>
        </li>
        {/* Only the account that the server made on its first start can be expected to reach the server. */}
        {superior === undefined && (
          <li className={style.next}>
            <span className={style.stepSign} aria-hidden>
              <DiskIcon />
            </span>
            <span className={style.stepText}>
              <strong>{t('nextBackup')}</strong>
              <span className="caption">{t('nextBackupHint')}</span>
              <code dir="ltr">{BACKUP_COMMAND}</code>
            </span>
          </li>
        )}
      </ul>
    </Card>
  );
}
