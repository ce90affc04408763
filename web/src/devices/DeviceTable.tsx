import { type Device, DEVICE_SORTS, deviceLabel } from '@ams/contract';
import { Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { later } from '../platform/chunks.ts';
import { useSession } from '../platform/session.ts';
import { devicesQuery } from '../queries/devices.ts';
import { useFormat } from '../ui/format/format.ts';
import { ShortAge } from '../ui/format/time.tsx';
import { Mac } from '../ui/layout/DeviceLabel.tsx';
import { type SortHandle, usePanel, useSort } from '../ui/list/table/address.ts';
import { type Chosen, DataTable } from '../ui/list/table/DataTable.tsx';
import { TableAndPanel } from '../ui/list/table/SidePanel.tsx';
import type { Column } from '../ui/list/table/TableHead.tsx';
import type { useDeviceFilter } from './Filters.tsx';
import { DownloadBadge, ExpiryBadge, OnScreenBadge, OnlineBadge } from './Truths.tsx';
import style from './DeviceTable.module.css';

const DevicePanel = later(
  () => import('./DevicePanel.tsx'),
  (module) => module.DevicePanel,
);

type Key = (typeof DEVICE_SORTS)[number];

export const useDeviceSort = (): SortHandle<Key> => useSort(DEVICE_SORTS, { key: 'createdAt', descending: true });

interface DeviceTableProps {
  handle: ReturnType<typeof useDeviceFilter>;
  sort: SortHandle<Key>;
  chosen: Chosen<Device>;
}

/** The devices on a desk, with the details of one beside them. */
export function DeviceTable({ handle, sort, chosen }: DeviceTableProps) {
  const { t } = useTranslation('devices');
  const panel = usePanel();
  return (
    <TableAndPanel
      table={
        <DataTable
          query={devicesQuery(handle.filter, sort.sort)}
          label={t('list')}
          columns={useColumns()}
          sort={sort}
          chosen={chosen}
          open={panel.id}
          onOpen={panel.open}
          onClose={panel.close}
          empty={{ title: t('empty'), hint: t('emptyHint') }}
          filter={handle}
        />
      }
      panel={
        panel.id !== undefined && (
          <Suspense>
            <DevicePanel key={panel.id} id={panel.id} onClose={panel.close} />
          </Suspense>
        )
      }
    />
  );
}

function useColumns(): Column<Device, Key>[] {
  const { t } = useTranslation('devices');
  const { leading } = useSession();
  const { date, numericDate } = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        head: t('name'),
        width: 'minmax(124px, 2fr)',
        sort: 'name',
        cell: (device) => <bdi>{deviceLabel(device)}</bdi>,
      },
      { id: 'mac', head: t('mac'), width: '116px', sort: 'mac', from: 660, cell: ({ mac }) => <Mac mac={mac} /> },
      ...(leading ? [ownerColumn(t('owner'))] : []),
      {
        id: 'area',
        head: t('area'),
        width: 'minmax(60px, 1fr)',
        sort: 'area',
        from: 1060,
        cell: ({ area }) => <bdi>{area}</bdi>,
      },
      {
        id: 'connection',
        head: t('connected'),
        width: 'minmax(108px, 1fr)',
        sort: 'lastSeenAt',
        cell: (device) => <Connection device={device} />,
      },
      {
        id: 'content',
        head: t('content'),
        width: '100px',
        from: 640,
        cell: (device) => <DownloadBadge device={device} />,
      },
      {
        id: 'screen',
        head: t('onScreen'),
        width: 'minmax(102px, 1.5fr)',
        from: 820,
        cell: (device) => <OnScreenBadge device={device} />,
      },
      {
        id: 'expiry',
        head: t('expiry'),
        width: '120px',
        sort: 'expiresAt',
        cell: (device) => <ExpiryBadge device={device} isShort />,
      },
      {
        id: 'added',
        head: t('createdAt'),
        width: 'minmax(98px, 0.6fr)',
        sort: 'createdAt',
        from: 960,
        cell: ({ createdAt }) => <span title={date(createdAt)}>{numericDate(createdAt)}</span>,
      },
    ],
    [t, leading, date, numericDate],
  );
}

const ownerColumn = (head: string): Column<Device, Key> => ({
  id: 'owner',
  head,
  width: 'minmax(80px, 1fr)',
  from: 500,
  sort: 'owner',
  cell: ({ owner }) => <bdi>{owner.username}</bdi>,
});

/** For how long it has been offline, or that it is online. */
const Connection = ({ device }: { device: Device }) =>
  device.online || device.lastSeenAt === null ? (
    <OnlineBadge device={device} />
  ) : (
    <div className={style.since}>
      <OnlineBadge device={device} /> <ShortAge since={device.lastSeenAt} />
    </div>
  );
