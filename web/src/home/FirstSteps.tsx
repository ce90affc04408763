import type { HomeSummary } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CheckIcon, NextIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { PlayerAddress } from './PlayerAddress.tsx';
import style from './FirstSteps.module.css';

/** First steps until the first ad is on a screen; hidden after the first release. */
export function FirstSteps({ summary: { devices, resources, ads } }: { summary: HomeSummary }) {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  if (ads.released > 0) return null;
  const steps = [
    { to: '/scancode', title: t('stepPair'), hint: t('stepPairHint'), done: devices.total > 0 },
    { to: '/file', title: t('stepUpload'), hint: t('stepUploadHint'), done: resources.videos + resources.images > 0 },
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
