import type { DeviceFilter } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { oneOf, useAddressFilter } from '../ui/layout/address.ts';
import { IconButton } from '../ui/layout/Button.tsx';
import { Chips } from '../ui/list/Chips.tsx';
import { CrossIcon, UsersIcon } from '../ui/layout/icons.ts';
import { SearchBar } from '../ui/list/SearchBar.tsx';
import { pickableUsersQuery, userQuery } from '../queries/users.ts';
import { UserPicker } from '../ui/form/UserPicker.tsx';
import style from './Filters.module.css';

const NAMES = ['q', 'online', 'download', 'expiry', 'owner'] as const;
const ONLINE = ['true', 'false'] as const;
const DOWNLOAD = ['waiting', 'done'] as const;
const EXPIRY = ['expiring', 'expired', 'valid'] as const;

/** The filter of the device list in the address. */
export function useDeviceFilter() {
  const address = useAddressFilter(NAMES);
  const { q, owner, ...rest } = address.values;
  const online = oneOf(ONLINE, rest.online);
  const filter: DeviceFilter = {
    q,
    owner,
    online: online && online === 'true',
    download: oneOf(DOWNLOAD, rest.download),
    expiry: oneOf(EXPIRY, rest.expiry),
  };
  return { ...address, filter, online };
}

type FilterHandle = ReturnType<typeof useDeviceFilter>;

/** Search, and under it chips: one of each group at a time, a second tap takes it off. */
export function Filters({ handle }: { handle: FilterHandle }) {
  const { t } = useTranslation('devices');
  const { leading } = useSession();
  const { values, filter, set } = handle;
  const [picking, setPicking] = useState(false);
  return (
    <div className={style.bar}>
      <SearchBar value={values.q ?? ''} onSearch={(q) => set({ q })} placeholder={t('search')}>
        {leading && <IconButton label={t('filterOwner')} icon={<UsersIcon />} onClick={() => setPicking(true)} />}
      </SearchBar>
      <div className={style.chips} role="group" aria-label={t('filters')}>
        {filter.owner && <OwnerChip id={filter.owner} onRemove={() => set({ owner: undefined })} />}
        <StateChips handle={handle} />
      </div>
      {picking && (
        <UserPicker
          query={pickableUsersQuery}
          title={t('filterOwner')}
          onClose={() => setPicking(false)}
          onPick={(user) => {
            set({ owner: user.id });
            setPicking(false);
          }}
        />
      )}
    </div>
  );
}

function StateChips({ handle: { filter, online, set } }: { handle: FilterHandle }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  return (
    <>
      <Chips
        label={t('filterOnline')}
        value={online}
        onChange={(next) => set({ online: next === online ? undefined : next })}
        options={[
          { value: 'true', label: common('stateOnline') },
          { value: 'false', label: common('stateOffline') },
        ]}
      />
      <Chips
        label={t('filterDownload')}
        value={filter.download}
        onChange={(next) => set({ download: next === filter.download ? undefined : next })}
        options={[
          { value: 'waiting', label: t('chipWaiting') },
          { value: 'done', label: t('chipDone') },
        ]}
      />
      <Chips
        label={t('filterExpiry')}
        value={filter.expiry}
        onChange={(next) => set({ expiry: next === filter.expiry ? undefined : next })}
        options={[
          { value: 'expiring', label: common('stateExpiring') },
          { value: 'expired', label: common('stateExpired') },
          { value: 'valid', label: t('chipValid') },
        ]}
      />
    </>
  );
}

/** Owner filter of the devices; a tap removes it. */
function OwnerChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('devices');
  const owner = useQuery(userQuery(id));
  return (
    <button type="button" className={style.ownerChip} aria-pressed onClick={onRemove} title={t('removeFilter')}>
      {t('ownerIs', { username: owner.data?.username ?? '…' })}
      <CrossIcon />
    </button>
  );
}
