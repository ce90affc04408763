import type { HomeSummary } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { later } from '../platform/chunks.ts';
import { useLive } from '../platform/live.ts';
import { Chart } from '../ui/chart/Chart.tsx';
import { useFormat } from '../ui/format/format.ts';
import { NextIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { Attention } from './Attention.tsx';
import { ExpiryNotice } from './ExpiryNotice.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { TakeoverNotice } from './TakeoverNotice.tsx';
import { WaitingDevices } from './WaitingDevices.tsx';
import { homeQuery } from '../queries/home.ts';
import { CardGrid, NumberCards } from './NumberCards.tsx';
import style from './Statistics.module.css';

const StorageNotice = later(
  () => import('./StorageNotice.tsx'),
  (module) => module.StorageNotice,
);

/** The numbers of the home page; they follow what changes on the server. `waits`: something of the page has not arrived yet. */
export function Statistics({ waits }: { waits: boolean }) {
  const summary = useQuery(homeQuery);
  const refetch = () => void summary.refetch();
  useLive('device', refetch);
  useLive('file', refetch);
  useLive('release', refetch);
  useLive('campaign', refetch);
  if (summary.data && !waits) return <Summary summary={summary.data} />;
  if (summary.error) return <ErrorState error={summary.error} onRetry={() => summary.refetch()} />;
  return (
    <>
      <CardGrid>
        {[1, 2, 3, 4].map((key) => (
          <Skeleton key={key} height={132} />
        ))}
      </CardGrid>
      <Skeleton height={252} />
      <Skeleton height={252} />
    </>
  );
}

function Summary({ summary }: { summary: HomeSummary }) {
  const { t } = useTranslation('home');
  const { number } = useFormat();
  const { online, plays } = summary.history;
  const sum = plays.reduce((total, [, count]) => total + count, 0);
  return (
    <>
      <TakeoverNotice />
      {summary.storageFull && (
        <Suspense>
          <StorageNotice />
        </Suspense>
      )}
      <Attention summary={summary} />
      <ExpiryNotice summary={summary} />
      <WaitingDevices />
      <FirstSteps summary={summary} />
      <NumberCards summary={summary} />
      <div className={style.charts}>
        <Card
          title={t('onlineChart')}
          action={<span className="caption">{t('onlineNow', { n: number(summary.devices.online) })}</span>}
        >
          <Chart points={online} kind="line" label={t('onlineChart')} />
        </Card>
        <Card title={t('playsChart')} action={<ReportLink sum={t('playsSum', { n: number(sum) })} />}>
          <Chart points={plays} kind="days" label={t('playsChart')} />
        </Card>
      </div>
    </>
  );
}

function ReportLink({ sum }: { sum: string }) {
  const { t } = useTranslation();
  return (
    <span className={style.report}>
      <span className="caption">{sum}</span>
      <Link to="/reports">
        {t('playReport')}
        <NextIcon className="turns" />
      </Link>
    </span>
  );
}
