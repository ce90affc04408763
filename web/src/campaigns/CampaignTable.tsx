import { type Campaign, CAMPAIGN_SORTS } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { foundIn } from '../platform/query.ts';
import { type CampaignListFilter, campaignQuery, campaignsQuery } from '../queries/campaigns.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { useFormat } from '../ui/format/format.ts';
import { usePanel, useSort } from '../ui/list/table/address.ts';
import { DataTable } from '../ui/list/table/DataTable.tsx';
import { SidePanel, TableAndPanel } from '../ui/list/table/SidePanel.tsx';
import type { Column } from '../ui/list/table/TableHead.tsx';
import { CampaignBadge, campaignWord } from './CampaignBadge.tsx';
import { CampaignDetails } from './CampaignDetails.tsx';
import { ProgressBar } from './progress/ProgressBar.tsx';
import { useCampaignWords } from './words.ts';

type Key = (typeof CAMPAIGN_SORTS)[number];

interface CampaignTableProps extends Pick<
  ComponentProps<typeof DataTable<Campaign, Key>>,
  'label' | 'empty' | 'filter'
> {
  wanted: CampaignListFilter;
}

/** The campaigns on a desk, with one of them beside. */
export function CampaignTable({ wanted, ...list }: CampaignTableProps) {
  const panel = usePanel();
  const sort = useSort(CAMPAIGN_SORTS, { key: 'createdAt', descending: true });
  return (
    <TableAndPanel
      table={
        <DataTable
          {...list}
          query={campaignsQuery(wanted, sort.sort)}
          columns={useColumns()}
          sort={sort}
          open={panel.id}
          onOpen={panel.open}
          onClose={panel.close}
        />
      }
      panel={panel.id !== undefined && <CampaignPanel key={panel.id} id={panel.id} onClose={panel.close} />}
    />
  );
}

function useColumns(): Column<Campaign, Key>[] {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { date, dateTime, number } = useFormat();
  const words = useCampaignWords();
  return useMemo(
    () => [
      {
        id: 'name',
        head: t('name'),
        width: 'minmax(124px, 2fr)',
        sort: 'name',
        text: ({ name }) => name,
        cell: ({ name }) => <bdi>{name}</bdi>,
      },
      {
        id: 'customer',
        head: t('customer'),
        width: 'minmax(80px, 1fr)',
        sort: 'customer',
        text: ({ customer }) => customer.username,
        cell: ({ customer }) => customer.username,
      },
      {
        id: 'state',
        head: common('status'),
        width: 'minmax(122px, 1fr)',
        text: (campaign) => t(campaignWord(campaign)),
        cell: (campaign) => <CampaignBadge campaign={campaign} />,
      },
      {
        id: 'progress',
        head: t('progress'),
        width: 'minmax(166px, 1.4fr)',
        from: 640,
        text: words.progress,
        cell: (campaign) => <ProgressBar campaign={campaign} inLine />,
      },
      {
        id: 'from',
        head: t('flightFrom'),
        width: 'minmax(116px, 0.9fr)',
        sort: 'from',
        cell: ({ schedule }) => date(schedule.from),
      },
      {
        id: 'to',
        head: t('flightTo'),
        width: 'minmax(116px, 0.9fr)',
        from: 720,
        cell: ({ schedule }) => date(schedule.to),
      },
      {
        id: 'goal',
        head: t('goal'),
        width: 'minmax(150px, 1.5fr)',
        from: 1060,
        text: ({ goal }) => words.goal(goal),
        cell: ({ goal }) => words.goal(goal),
      },
      {
        id: 'ordered',
        head: t('statementOrdered'),
        width: 'minmax(126px, 0.7fr)',
        end: true,
        from: 900,
        cell: ({ ordered }) => (ordered === null ? '–' : number(ordered)),
      },
      {
        id: 'price',
        head: t('price'),
        width: 'minmax(140px, 1.2fr)',
        from: 1260,
        text: ({ price }) => words.price(price),
        cell: ({ price }) => words.price(price),
      },
      {
        id: 'createdAt',
        head: common('createdAt'),
        width: 'minmax(156px, 1fr)',
        sort: 'createdAt',
        from: 1420,
        cell: ({ createdAt }) => dateTime(createdAt),
      },
    ],
    [t, common, date, dateTime, number, words],
  );
}

function CampaignPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const asked = useQuery(campaignQuery(id));
  const campaign = foundIn(asked);
  return (
    <SidePanel title={campaign?.name ?? t('campaign')} to={`/campaigns/${id}`} onClose={onClose}>
      {campaign ? (
        <CampaignDetails campaign={campaign} onDeleted={onClose} />
      ) : asked.error ? (
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      ) : (
        <Skeleton height={220} />
      )}
    </SidePanel>
  );
}
