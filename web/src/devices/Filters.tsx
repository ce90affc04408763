import { type DeviceFilter, isTag, splitTags } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { oneOf, useAddressFilter } from '../ui/layout/address.ts';
import { IconButton } from '../ui/layout/Button.tsx';
import { Chips } from '../ui/list/Chips.tsx';
import { CrossIcon, UsersIcon } from '../ui/layout/icons.ts';
import { SearchBar } from '../ui/list/SearchBar.tsx';
import { deviceTotalQuery, tagsQuery } from '../queries/devices.ts';
import { groupQuery } from '../queries/groups.ts';
import { pickableUsersQuery, userQuery } from '../queries/users.ts';
import { UserPicker } from '../ui/form/UserPicker.tsx';
import { devicesText } from './batch/words.ts';
import style from './Filters.module.css';

const NAMES = [
  'q',
  'online',
  'download',
  'expiry',
  'orientation',
  'paired',
  'dark',
  'area',
  'tag',
  'group',
  'owner',
] as const;
const FLAG = ['true', 'false'] as const;
const DOWNLOAD = ['waiting', 'failed', 'stalled', 'done'] as const;
const ORIENTATIONS = ['vertical', 'horizontal'] as const;
const EXPIRY = ['expiring', 'expired', 'valid'] as const;

/** The filter of the device list in the address. */
export function useDeviceFilter() {
  const address = useAddressFilter(NAMES);
  const { q, owner, area, group, ...rest } = address.values;
  const tags = splitTags(rest.tag ?? '').filter(isTag);
  const online = oneOf(FLAG, rest.online);
  const paired = oneOf(FLAG, rest.paired);
  const dark = oneOf(FLAG, rest.dark);
  const filter: DeviceFilter = {
    q,
    owner,
    area,
    group,
    ...(tags.length > 0 && { tags: { all: tags } }),
    online: online && online === 'true',
    paired: paired && paired === 'true',
    dark: dark && dark === 'true',
    orientation: oneOf(ORIENTATIONS, rest.orientation),
    download: oneOf(DOWNLOAD, rest.download),
    expiry: oneOf(EXPIRY, rest.expiry),
  };
  return { ...address, filter, tags, online, paired, dark };
}

type FilterHandle = ReturnType<typeof useDeviceFilter>;

/** Search, and under it chips: one of each group at a time, a second tap takes it off. */
export function Filters({ handle }: { handle: FilterHandle }) {
  const { t } = useTranslation('devices');
  const { leading } = useSession();
  const { values, filter, tags, set } = handle;
  const [picking, setPicking] = useState(false);
  return (
    <div className={style.bar}>
      <SearchBar value={values.q ?? ''} onSearch={(q) => set({ q })} placeholder={t('search')}>
        {leading && <IconButton label={t('filterOwner')} icon={<UsersIcon />} onClick={() => setPicking(true)} />}
      </SearchBar>
      <div className={style.chips} role="group" aria-label={t('filters')}>
        {filter.owner && <OwnerChip id={filter.owner} onRemove={() => set({ owner: undefined })} />}
        {filter.area && (
          <RemovableChip text={t('areaIs', { area: filter.area })} onRemove={() => set({ area: undefined })} />
        )}
        {filter.group && <GroupChip id={filter.group} onRemove={() => set({ group: undefined })} />}
        {tags.map((tag) => (
          <RemovableChip
            key={tag}
            text={t('tagIs', { tag })}
            onRemove={() => set({ tag: tags.filter((each) => each !== tag).join(',') })}
          />
        ))}
        <StateChips handle={handle} />
        <TagChips chosen={tags} onAdd={(tag) => set({ tag: [...tags, tag].join(',') })} />
      </div>
      <Results filter={filter} />
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

/** How many devices the filters match. */
function Results({ filter }: { filter: DeviceFilter }) {
  const { data } = useQuery(deviceTotalQuery(filter));
  return (
    <p className="caption" aria-live="polite" data-testid="results">
      {data === undefined ? '\u00a0' : devicesText(data)}
    </p>
  );
}

/** Chips of each group; groups with an active filter come first, so that it is in view. */
function StateChips({ handle: { filter, online, paired, dark, set } }: { handle: FilterHandle }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const groups = [
    {
      name: 'online',
      active: online,
      chips: (
        <Chips
          label={t('filterOnline')}
          value={online}
          onChange={(next) => set({ online: next === online ? undefined : next })}
          options={[
            { value: 'true', label: common('stateOnline') },
            { value: 'false', label: common('stateOffline') },
          ]}
        />
      ),
    },
    {
      name: 'download',
      active: filter.download,
      chips: (
        <Chips
          label={t('filterDownload')}
          value={filter.download}
          onChange={(next) => set({ download: next === filter.download ? undefined : next })}
          options={[
            { value: 'waiting', label: t('chipWaiting') },
            { value: 'failed', label: t('chipFailed') },
            { value: 'stalled', label: t('chipStalled') },
            { value: 'done', label: t('chipDone') },
          ]}
        />
      ),
    },
    {
      name: 'expiry',
      active: filter.expiry,
      chips: (
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
      ),
    },
    {
      name: 'orientation',
      active: filter.orientation,
      chips: (
        <Chips
          label={t('filterOrientation')}
          value={filter.orientation}
          onChange={(next) => set({ orientation: next === filter.orientation ? undefined : next })}
          options={[
            { value: 'vertical', label: common('vertical') },
            { value: 'horizontal', label: common('horizontal') },
          ]}
        />
      ),
    },
    {
      name: 'paired',
      active: paired,
      chips: (
        <Chips
          label={t('filterPaired')}
          value={paired}
          onChange={(next) => set({ paired: next === paired ? undefined : next })}
          options={[
            { value: 'true', label: t('chipPaired') },
            { value: 'false', label: t('chipUnpaired') },
          ]}
        />
      ),
    },
    {
      name: 'dark',
      active: dark,
      chips: (
        <Chips
          label={t('workingHours')}
          value={dark}
          onChange={(next) => set({ dark: next === dark ? undefined : next })}
          options={[
            { value: 'false', label: t('chipWorking') },
            { value: 'true', label: t('chipDark') },
          ]}
        />
      ),
    },
  ];
  const [active, others] = [groups.filter((group) => group.active), groups.filter((group) => !group.active)];
  return [...active, ...others].map(({ name, chips }) => <Fragment key={name}>{chips}</Fragment>);
}

/** Tags that are shown as chips; more are found by their devices' pages. */
const FREQUENT_TAGS = 12;

/** The most frequent tags in scope; a tap filters by one more. */
function TagChips({ chosen, onAdd }: { chosen: string[]; onAdd: (tag: string) => void }) {
  const { t } = useTranslation('devices');
  const tags = useQuery(tagsQuery('')).data ?? [];
  const others = tags.filter((tag) => !chosen.includes(tag)).slice(0, FREQUENT_TAGS);
  if (others.length === 0) return null;
  return (
    <Chips
      label={t('filterTag')}
      value={undefined}
      onChange={(tag) => tag !== undefined && onAdd(tag)}
      options={others.map((tag) => ({ value: tag, label: tag }))}
    />
  );
}

/** Owner filter of the devices; a tap removes it. */
function OwnerChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('devices');
  const owner = useQuery(userQuery(id));
  return <RemovableChip text={t('ownerIs', { username: owner.data?.username ?? '…' })} onRemove={onRemove} />;
}

/** Group filter of the devices; a tap removes it. */
function GroupChip({ id, onRemove }: { id: string; onRemove: () => void }) {
  const { t } = useTranslation('devices');
  const group = useQuery(groupQuery(id));
  return <RemovableChip text={t('groupIs', { name: group.data?.name ?? '…' })} onRemove={onRemove} />;
}

/** An active filter; a tap removes it. */
function RemovableChip({ text, onRemove }: { text: string; onRemove: () => void }) {
  const { t } = useTranslation('devices');
  return (
    <button type="button" className={style.ownerChip} aria-pressed onClick={onRemove} title={t('removeFilter')}>
      {text}
      <CrossIcon />
    </button>
  );
}
