import { TAG_SETS } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { useAddressFilter } from '../ui/layout/address.ts';
import { IconButton } from '../ui/layout/Button.tsx';
import { Chips } from '../ui/list/Chips.tsx';
import { TagIcon, UsersIcon } from '../ui/layout/icons.ts';
import { SearchBar } from '../ui/list/SearchBar.tsx';
import { tagsQuery } from '../queries/devices.ts';
import { pickableUsersQuery } from '../queries/users.ts';
import { UserPicker } from '../ui/form/UserPicker.tsx';
import { CONDITIONS, filterOfAddress, tagsInAddress, tagsWith } from './filters/address.ts';
import { ConditionChips } from './filters/ConditionChips.tsx';
import { TagFilterSheet } from './filters/TagFilterSheet.tsx';
import { Results } from './Results.tsx';
import style from './Filters.module.css';

/** The filter of the device list in the address. */
export function useDeviceFilter() {
  const address = useAddressFilter(CONDITIONS);
  return { ...address, filter: filterOfAddress(address.values) };
}

type FilterHandle = ReturnType<typeof useDeviceFilter>;

/** Search, and under it chips: one of each group at a time, a second tap takes it off. */
export function Filters({ handle }: { handle: FilterHandle }) {
  const { t } = useTranslation('devices');
  const { t: groups } = useTranslation('groups');
  const { leading } = useSession();
  const { values, filter, set } = handle;
  const { tags = {} } = filter;
  const [sheet, setSheet] = useState<'owner' | 'tags'>();
  const close = () => setSheet(undefined);
  return (
    <div className={style.bar}>
      <SearchBar value={values.q ?? ''} onSearch={(q) => set({ q })} placeholder={t('search')}>
        {leading && <IconButton label={t('filterOwner')} icon={<UsersIcon />} onClick={() => setSheet('owner')} />}
      </SearchBar>
      <div className={style.chips} role="group" aria-label={t('filters')}>
        <IconButton label={groups('filterTags')} icon={<TagIcon />} onClick={() => setSheet('tags')} />
        <ConditionChips filter={filter} onChange={set} />
        <StateChips handle={handle} />
        <TagChips
          chosen={TAG_SETS.flatMap((name) => tags[name] ?? [])}
          onAdd={(tag) => set(tagsInAddress(tagsWith(tags, 'all', [tag])))}
        />
      </div>
      <Results filter={filter} />
      {sheet === 'tags' && (
        <TagFilterSheet filter={filter} onApply={(next) => set(tagsInAddress(next))} onClose={close} />
      )}
      {sheet === 'owner' && (
        <UserPicker
          query={pickableUsersQuery}
          title={t('filterOwner')}
          onClose={close}
          onPick={(user) => {
            set({ owner: user.id });
            close();
          }}
        />
      )}
    </div>
  );
}

const flag = (value: boolean | undefined) => (value === undefined ? undefined : value ? 'true' : 'false');

/** Chips of each group; groups with an active filter come first, so that it is in view. */
function StateChips({ handle: { filter, set } }: { handle: FilterHandle }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const [online, paired, dark] = [flag(filter.online), flag(filter.paired), flag(filter.dark)];
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
