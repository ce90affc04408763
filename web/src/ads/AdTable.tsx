import { type Ad, AD_SORTS } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { foundIn } from '../platform/query.ts';
import { adFormPath } from '../platform/adPath.ts';
import { useLive } from '../platform/live.ts';
import { type AdListFilter, adQuery, adReleasesChanged, adsQuery } from '../queries/ads.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { useFormat } from '../ui/format/format.ts';
import { Card, Facts } from '../ui/layout/Page.tsx';
import { usePanel, useSort } from '../ui/list/table/address.ts';
import { DataTable } from '../ui/list/table/DataTable.tsx';
import { SidePanel, TableAndPanel } from '../ui/list/table/SidePanel.tsx';
import type { Column } from '../ui/list/table/TableHead.tsx';
import { SPLIT_TEXT, SplitDrawing } from '../ui/stage/SplitDrawing.tsx';
import { AdCard } from './AdCard.tsx';
import style from './ads.module.css';

/** Longer edge of a drawn layout in a row, in CSS pixels. */
const ROW_DRAWING = 16;

type Key = (typeof AD_SORTS)[number];

interface AdTableProps extends Pick<ComponentProps<typeof DataTable<Ad, Key>>, 'label' | 'empty' | 'filter'> {
  wanted: AdListFilter;
}

/** The ads of a user on a desk, with one of them beside. */
export function AdTable({ wanted, ...list }: AdTableProps) {
  const panel = usePanel();
  const sort = useSort(AD_SORTS, { key: 'createdAt', descending: true });
  return (
    <TableAndPanel
      table={
        <DataTable
          {...list}
          query={adsQuery(wanted, sort.sort)}
          columns={useColumns()}
          sort={sort}
          open={panel.id}
          onOpen={panel.open}
          onClose={panel.close}
        />
      }
      panel={panel.id !== undefined && <AdPanel key={panel.id} id={panel.id} onClose={panel.close} />}
    />
  );
}

function useColumns(): Column<Ad, Key>[] {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const { date, dateTime, number } = useFormat();
  return useMemo(() => {
    const layout = ({ split, playMode }: Ad): string => `${common(SPLIT_TEXT[split])} · ${t(playMode)}`;
    return [
      {
        id: 'name',
        head: t('name'),
        width: 'minmax(140px, 2fr)',
        sort: 'name',
        text: ({ name }) => name,
        cell: ({ name }) => <bdi>{name}</bdi>,
      },
      {
        id: 'layout',
        head: common('layout'),
        width: 'minmax(156px, 1fr)',
        from: 780,
        text: layout,
        cell: (ad) => (
          <span className={style.layout}>
            <span aria-hidden>
              <SplitDrawing orientation={ad.orientation} split={ad.split} size={ROW_DRAWING} plain />
            </span>
            <span className="clip">{layout(ad)}</span>
          </span>
        ),
      },
      {
        id: 'files',
        head: common('barFiles'),
        width: 'minmax(60px, 0.5fr)',
        end: true,
        cell: ({ videos, images }) => number(videos + images),
      },
      {
        id: 'devices',
        head: common('barDevices'),
        width: 'minmax(80px, 0.5fr)',
        end: true,
        cell: ({ devices }) => number(devices),
      },
      {
        id: 'state',
        head: common('status'),
        width: 'minmax(120px, 1fr)',
        from: 948,
        cell: (ad) => (ad.changedSinceRelease ? t('changedSinceRelease') : t(releaseText(ad), { count: ad.devices })),
      },
      {
        id: 'releasedAt',
        head: common('releasedAt'),
        width: 'minmax(156px, 1fr)',
        sort: 'releasedAt',
        cell: ({ releasedAt }) => releasedAt && dateTime(releasedAt),
      },
      {
        id: 'createdAt',
        head: common('createdAt'),
        width: 'minmax(116px, 0.7fr)',
        sort: 'createdAt',
        from: 640,
        cell: ({ createdAt }) => date(createdAt),
      },
    ];
  }, [t, common, date, dateTime, number]);
}

function releaseText({ devices, releasedAt }: Ad): 'onDevices' | 'notReleasedNow' | 'notReleased' {
  if (devices > 0) return 'onDevices';
  return releasedAt === null ? 'notReleased' : 'notReleasedNow';
}

/** An ad has no page but its editor. */
function AdPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('ads');
  const { t: common } = useTranslation();
  const { dateTime } = useFormat();
  const query = useQuery(adQuery(id));
  useLive('release', () => void Promise.all([adReleasesChanged(), query.refetch()]));
  const ad = foundIn(query);
  return (
    <SidePanel title={ad?.name ?? t('preview')} to={ad ? adFormPath(ad) : '/ad'} onClose={onClose}>
      {ad ? (
        <>
          <AdCard ad={ad} />
          <Card>
            <Facts
              rows={[
                [common('owner'), ad.owner.username],
                [common('releasedAt'), ad.releasedAt && dateTime(ad.releasedAt)],
                [common('createdAt'), dateTime(ad.createdAt)],
              ]}
            />
          </Card>
        </>
      ) : query.error ? (
        <ErrorState error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <Skeleton height={204} />
      )}
    </SidePanel>
  );
}
