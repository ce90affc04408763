import type { HomeSummary } from '@ams/contract';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { later } from '../platform/chunks.ts';
import { anyUploadPath } from '../platform/paths.ts';
import { useReadOnly, useSession } from '../platform/session.ts';
import { storage } from '../platform/storage.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { CheckIcon, NextIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { PlayerAddress } from './PlayerAddress.tsx';
import style from './FirstSteps.module.css';

/** Shown once, so that other visits need not load it. */
const FirstReleased = later(
  () => import('./FirstReleased.tsx'),
  (module) => module.FirstReleased,
);
const FIRST_RELEASED_HEIGHT = 240;

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
  return (
    <Suspense fallback={<Skeleton height={FIRST_RELEASED_HEIGHT} />}>
      <FirstReleased onDismiss={dismiss} />
    </Suspense>
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
