import { type User, USER_SORTS } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { foundIn } from '../platform/query.ts';
import { userQuery, type UserListFilter, usersQuery } from '../queries/users.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { StateBadge } from '../ui/feedback/StateBadge.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { useFormat } from '../ui/format/format.ts';
import { RelativeTime } from '../ui/format/time.tsx';
import { usePanel, useSort } from '../ui/list/table/address.ts';
import { DataTable } from '../ui/list/table/DataTable.tsx';
import { SidePanel, TableAndPanel } from '../ui/list/table/SidePanel.tsx';
import type { Column } from '../ui/list/table/TableHead.tsx';
import { UserDetails } from './UserDetails.tsx';

type Key = (typeof USER_SORTS)[number];

interface UserTableProps extends Pick<ComponentProps<typeof DataTable<User, Key>>, 'label' | 'empty' | 'filter'> {
  wanted: UserListFilter;
}

/** The users on a desk, with the details of one beside them. */
export function UserTable({ wanted, ...list }: UserTableProps) {
  const panel = usePanel();
  const sort = useSort(USER_SORTS, { key: 'createdAt', descending: true });
  return (
    <TableAndPanel
      table={
        <DataTable
          {...list}
          query={usersQuery(wanted, sort.sort)}
          columns={useColumns()}
          sort={sort}
          open={panel.id}
          onOpen={panel.open}
          onClose={panel.close}
        />
      }
      panel={panel.id !== undefined && <UserPanel key={panel.id} id={panel.id} onClose={panel.close} />}
    />
  );
}

function useColumns(): Column<User, Key>[] {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const { date, number } = useFormat();
  return useMemo(() => {
    const count = (id: 'devices' | 'ad_num' | 'mp4' | 'img', head: string, min: number): Column<User, Key> => ({
      id,
      head,
      width: `minmax(${min}px, 0.6fr)`,
      from: 640,
      end: true,
      cell: (user) => number(user[id]),
    });
    return [
      {
        id: 'username',
        head: t('username'),
        width: 'minmax(108px, 1.5fr)',
        sort: 'username',
        cell: ({ username }) => username,
      },
      { id: 'role', head: t('role'), width: 'minmax(72px, 0.8fr)', from: 400, cell: ({ role }) => t(role) },
      {
        id: 'state',
        head: common('status'),
        width: 'minmax(92px, 1.2fr)',
        text: ({ disabled }) => common(disabled ? 'stateDisabled' : 'stateEnabled'),
        cell: ({ disabled }) => <StateBadge state={disabled ? 'forbidden' : 'enabled'} />,
      },
      {
        id: 'superior',
        head: t('managedBy'),
        width: 'minmax(101px, 1fr)',
        from: 900,
        cell: ({ superior }) => superior?.username,
      },
      count('devices', common('barDevices'), 80),
      count('ad_num', common('barAds'), 70),
      {
        id: 'files',
        head: common('barFiles'),
        width: 'minmax(60px, 0.6fr)',
        from: 760,
        end: true,
        cell: ({ mp4, img }) => number(mp4 + img),
      },
      {
        id: 'login',
        head: t('lastLoginAt'),
        width: 'minmax(112px, 1fr)',
        sort: 'lastLoginAt',
        from: 640,
        text: ({ lastLoginAt }) => lastLoginAt ?? '',
        cell: ({ lastLoginAt }) => lastLoginAt && <RelativeTime at={lastLoginAt} />,
      },
      {
        id: 'created',
        head: t('createdAt'),
        width: 'minmax(116px, 0.8fr)',
        sort: 'createdAt',
        cell: ({ createdAt }) => date(createdAt),
      },
    ];
  }, [t, common, date, number]);
}

function UserPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('users');
  const asked = useQuery(userQuery(id));
  const user = foundIn(asked);
  return (
    <SidePanel title={user?.username ?? t('details')} to={`/user/${id}`} onClose={onClose}>
      {user ? (
        <UserDetails user={user} onRemoved={onClose} />
      ) : asked.error ? (
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
    </SidePanel>
  );
}
