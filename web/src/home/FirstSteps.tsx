import type { HomeSummary } from '@ams/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { anyUploadPath } from '../platform/paths.ts';
import { useReadOnly, useSession } from '../platform/session.ts';
import { storage } from '../platform/storage.ts';
import { IconButton } from '../ui/layout/Button.tsx';
import { BellIcon, CheckIcon, CrossIcon, DiskIcon, NextIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { PlayerAddress } from './PlayerAddress.tsx';
import style from './FirstSteps.module.css';

/** As in the README. */
const BACKUP_COMMAND = 'npm run backup -- everything.tar --key backup.key';

/** How far this browser has shown the first steps: those who never saw them need no word of success. */
const PROGRESS = 'first_steps';

/** The steps until the first ad is released; then a word of success with what comes next, until it is dismissed. */
export function FirstSteps({ summary }: { summary: HomeSummary }) {
  const released = summary.ads.released > 0;
  const readOnly = useReadOnly();
  const [dismissed, setDismissed] = useState(false);
  useEffect(() => {
    if (!released) storage.setSetting(PROGRESS, 'begun');
  }, [released]);
  if (readOnly) return null;
  if (!released) return <Steps summary={summary} />;
  if (dismissed || storage.setting(PROGRESS) !== 'begun') return null;
  const dismiss = () => {
    storage.setSetting(PROGRESS, 'over');
    setDismissed(true);
  };
  return <Success onDismiss={dismiss} />;
}

function Success({ onDismiss }: { onDismiss: () => void }) {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const { t: alerts } = useTranslation('alerts');
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
              <span className="caption">{alerts('hint')}</span>
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

function Steps({ summary: { devices, resources } }: { summary: HomeSummary }) {
  const { current } = useSession();
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const steps = [
    { to: '/scancode', title: t('stepPair'), hint: t('stepPairHint'), done: devices.total > 0 },
    {
      to: current ? anyUploadPath(current) : '/file',
      title: t('stepUpload'),
      hint: t('stepUploadHint'),
      done: resources.videos + resources.images > 0,
    },
    { to: '/ad', title: t('stepRelease'), hint: t('stepReleaseHint'), done: false },
  ];
  return (
    <Card title={t('firstSteps')}>
      {devices.total === 0 && <PlayerAddress />}
      <ol className={style.steps}>
        {steps.map(({ to, title, hint, done }, index) => (
          <li key={to} data-done={done || undefined}>
            <Link to={to}>
              <span className={style.stepSign} aria-hidden>
                {done ? <CheckIcon /> : index + 1}
              </span>
              <span className={style.stepText}>
                <strong>{title}</strong>
                {done ? (
                  <span className="visually-hidden">{common('stateDone')}</span>
                ) : (
                  <span className="caption">{hint}</span>
                )}
              </span>
              <NextIcon className="turns" />
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
