import { type Release, RELEASE_SORTS } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLive } from '../platform/live.ts';
import { refreshRelease, type ReleaseListFilter, releaseQuery, releasesQuery } from '../queries/releases.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { useFormat } from '../ui/format/format.ts';
import { usePanel, useSort } from '../ui/list/table/address.ts';
import { DataTable } from '../ui/list/table/DataTable.tsx';
import { SidePanel, TableAndPanel } from '../ui/list/table/SidePanel.tsx';
import type { Column } from '../ui/list/table/TableHead.tsx';
import { isUnsent, ReleaseBadge, useReleaseWord } from './ReleaseBadge.tsx';
import { ReleaseDetails, Withdrawal } from './ReleaseDetails.tsx';

type Key = (typeof RELEASE_SORTS)[number];

interface ReleaseTableProps extends Pick<ComponentProps<typeof DataTable<Release, Key>>, 'label' | 'empty' | 'filter'> {
  wanted: ReleaseListFilter;
}

/** The releases on a desk, with the details of one beside them. */
export function ReleaseTable({ wanted, ...list }: ReleaseTableProps) {
  const panel = usePanel();
  const sort = useSort(RELEASE_SORTS, { key: 'releasedAt', descending: true });
  return (
    <TableAndPanel
      table={
        <DataTable
          {...list}
          query={releasesQuery(wanted, sort.sort)}
          columns={useColumns(wanted.approval !== undefined)}
          sort={sort}
          open={panel.id}
          onOpen={panel.open}
          onClose={panel.close}
        />
      }
      panel={panel.id !== undefined && <ReleasePanel key={panel.id} id={panel.id} onClose={panel.close} />}
    />
  );
}

/** `requests`: of customers, for their releases. */
function useColumns(requests: boolean): Column<Release, Key>[] {
  const { t } = useTranslation('releases');
  const { t: campaigns } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { dateTime, number } = useFormat();
  const word = useReleaseWord();
  return useMemo(
    () => [
      {
        id: 'name',
        head: t('adName'),
        width: 'minmax(128px, 2fr)',
        sort: 'name',
        text: ({ ad }) => ad.name,
        cell: ({ ad }) => <bdi>{ad.name}</bdi>,
      },
      {
        id: 'state',
        head: common('status'),
        width: 'minmax(100px, 1.6fr)',
        text: word,
        cell: (release) => <ReleaseBadge release={release} />,
      },
      {
        id: 'done',
        head: t('devices'),
        width: 'minmax(90px, 0.8fr)',
        end: true,
        cell: (release) =>
          isUnsent(release)
            ? number(release.approval.devices)
            : `\u2066${number(release.counts.done)} / ${number(release.counts.total)}\u2069`,
      },
      {
        id: 'priority',
        head: t('priority'),
        width: 'minmax(96px, 0.7fr)',
        from: 780,
        cell: ({ priority }) => t(priority),
      },
      {
        id: 'operator',
        head: requests ? campaigns('customer') : common('releasedBy'),
        width: 'minmax(90px, 1fr)',
        sort: 'operator',
        from: 680,
        cell: ({ operator }) => operator?.username,
      },
      {
        id: 'releasedAt',
        head: requests ? campaigns('requestedBy') : common('releasedAt'),
        width: 'minmax(156px, 1fr)',
        sort: 'releasedAt',
        cell: ({ releasedAt }) => dateTime(releasedAt),
      },
    ],
    [t, campaigns, common, requests, dateTime, number, word],
  );
}

function ReleasePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('releases');
  const body = useRef<HTMLDivElement>(null);
  const release = useQuery(releaseQuery(id));
  useLive('release', (ids) => {
    if (ids.includes(id)) void refreshRelease(id);
  });
  return (
    <SidePanel
      title={release.data?.ad.name ?? t('release')}
      to={`/releases/${id}`}
      onClose={onClose}
      actions={release.data && <Withdrawal release={release.data} />}
      body={body}
    >
      {release.data ? (
        <ReleaseDetails release={release.data} box={body} />
      ) : release.error ? (
        <ErrorState error={release.error} onRetry={() => release.refetch()} />
      ) : (
        <Skeleton height={220} />
      )}
    </SidePanel>
  );
}
