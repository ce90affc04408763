import type { Release, ScreenName } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { toast } from '../../platform/toast.ts';
import { oneOf, useAddressFilter } from '../../ui/address.ts';
import { Button } from '../../ui/Button.tsx';
import { confirm } from '../../ui/confirm.ts';
import { useFormat } from '../../ui/format.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { NextIcon, WithdrawIcon } from '../../ui/icons.tsx';
import { Card, Facts, Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Badge } from '../../ui/StateBadge.tsx';
import { ErrorState } from '../../ui/States.tsx';
import { useWide } from '../../ui/wide.ts';
import { MachineRow } from '../MachineRow.tsx';
import { refreshMachines } from '../machines.ts';
import { calls, machinesQuery, releaseMoved, releaseQuery, releasesChanged } from '../releases.api.ts';
import style from '../releases.module.css';
import { ReleaseSums, STATES } from '../ReleaseSums.tsx';
import { useScheduleWords } from '../schedule.ts';

/** `/releases/:id`: how far each machine is with a release, as it happens. */
export default function ReleasePage() {
  const { t } = useTranslation('releases');
  const { id = '' } = useParams();
  const release = useQuery(releaseQuery(id));
  useLive('release', (ids) => {
    if (ids.includes(id)) void releaseMoved(id);
  });
  return (
    <Page
      title={release.data?.ad.name ?? t('release')}
      back="/ad"
      actions={release.data && <Withdrawal release={release.data} />}
    >
      {release.data ? (
        <Details release={release.data} />
      ) : release.error ? (
        <ErrorState error={release.error} onRetry={() => void release.refetch()} />
      ) : (
        <>
          <Skeleton height={170} />
          <Skeleton height={220} />
        </>
      )}
    </Page>
  );
}

/** The way to take it back, or that it was. */
function Withdrawal({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  if (release.withdrawnAt) return <Badge icon={<WithdrawIcon />}>{t('withdrawn')}</Badge>;
  return (
    <Button small icon={<WithdrawIcon />} onClick={() => void withdraw(release)}>
      {t('withdraw')}
    </Button>
  );
}

function Details({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  const filter = useAddressFilter(['state']);
  const state = oneOf(STATES, filter.values.state);
  useLive('device', (ids) => void refreshMachines(release.id, state, ids));
  return (
    <div className={style.page}>
      <div className={style.side}>
        <Card>
          <ReleaseSums counts={release.counts} shown={state} onShow={(next) => filter.set({ state: next })} />
        </Card>
        <ReleaseFacts release={release} />
      </div>
      <InfiniteList
        key={state}
        query={machinesQuery(release.id, state)}
        label={t('devices')}
        rowHeight={76}
        render={(machine) => <MachineRow machine={machine} />}
        empty={{ title: t('noMachines'), hint: t('noMachinesHint') }}
      />
    </div>
  );
}

const SCREEN_TEXT = { main: 'mainScreen', secondary: 'secondaryScreen' } as const satisfies Record<ScreenName, string>;

/** Closed on a phone, where the machines matter more. */
function ReleaseFacts({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  const { dateTime } = useFormat();
  const words = useScheduleWords();
  const wide = useWide();
  return (
    <details className={style.facts} open={wide}>
      <summary>
        <span className="caption">
          {dateTime(release.releasedAt)}
          {release.operator && <> · {release.operator.username}</>}
        </span>
        <NextIcon />
      </summary>
      <div>
        <Facts
          rows={[
            [t('withdrawnAt'), release.withdrawnAt && dateTime(release.withdrawnAt)],
            [t('screen'), release.screen ? t(SCREEN_TEXT[release.screen]) : t('bothScreens')],
            [t('whatPlaysNow'), t(release.replace ? 'replace' : 'addToRotation')],
            [t('priority'), t(release.priority)],
            [t('schedule'), words(release.schedule)],
          ]}
        />
      </div>
    </details>
  );
}

function withdraw(release: Release): Promise<boolean> {
  const t = i18next.getFixedT(null, 'releases');
  return confirm({
    title: t('withdrawTitle', { name: release.ad.name }),
    body: t('withdrawBody', { count: release.counts.total }),
    action: t('withdraw'),
    danger: true,
    run: async () => {
      const answer = await calls.withdraw({ params: { id: release.id } });
      if (answer.error !== undefined) return false;
      toast.success(t('withdrawDone'));
      await releasesChanged();
      return true;
    },
  });
}
