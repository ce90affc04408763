import type { Group } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { groupsQuery } from '../../queries/groups.ts';
import { useAddressFilter } from '../../ui/layout/address.ts';
import { ButtonLink } from '../../ui/layout/Button.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { GroupCard } from '../groups/GroupCard.tsx';

/** Groups of devices: filters with a name. */
export default function GroupListPage() {
  const { t } = useTranslation('devices');
  const filter = useAddressFilter(['q']);
  const { q } = filter.values;
  return (
    <Page
      title={t('groups')}
      back="/mac"
      bar={<SearchBar value={q ?? ''} onSearch={(next) => filter.set({ q: next })} placeholder={t('groupName')} />}
    >
      <InfiniteList<Group>
        query={groupsQuery({ q })}
        label={t('groups')}
        rowHeight={76}
        render={(group) => <GroupCard group={group} />}
        empty={{
          title: t('noGroups'),
          hint: t('noGroupsHint'),
          action: <ButtonLink to="/mac">{t('list')}</ButtonLink>,
        }}
        filter={filter}
      />
    </Page>
  );
}
