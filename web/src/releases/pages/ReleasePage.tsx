import type { Release, ScreenName } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { toast } from '../../platform/toast.ts';
import { oneOf, useAddressFilter } from '../../ui/address.ts';
import { Button } from '../../ui/Button.tsx';
import { confirm } from '../../ui/confirm.ts';
import { useFormat } from '../../ui/format.ts';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import { WithdrawIcon } from '../../ui/icons.tsx';
import { Card, Facts, Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { ErrorState } from '../../ui/States.tsx';
import { MachineRow } from '../MachineRow.tsx';
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
    <Page title={release.data?.ad.name ?? t('release')} back="/ad">
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

function Details({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  const filter = useAddressFilter(['state']);
  const state = oneOf(STATES, filter.values.state);
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

function ReleaseFacts({ release }: { release: Release }) {
  const { t } = useTranslation('releases');
  const { dateTime } = useFormat();
  const words = useScheduleWords();
  return (
    <Card>
      <Facts
        rows={[
          [t('releasedAt'), dateTime(release.releasedAt)],
          [t('withdrawnAt'), release.withdrawnAt && dateTime(release.withdrawnAt)],
          [t('operator'), release.operator?.username],
          [t('screen'), release.screen ? t(SCREEN_TEXT[release.screen]) : t('bothScreens')],
          [t('whatPlaysNow'), t(release.replace ? 'replace' : 'addToRotation')],
          [t('priority'), t(release.priority)],
          [t('schedule'), words(release.schedule)],
        ]}
      />
      {!release.withdrawnAt && (
        <Button block icon={<WithdrawIcon />} onClick={() => void withdraw()}>
          {t('withdraw')}
        </Button>
      )}
    </Card>
  );

  function withdraw() {
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
}
