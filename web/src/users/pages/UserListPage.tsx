import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../../platform/session.ts';
import { oneOf, useAddressFilter } from '../../ui/layout/address.ts';
import { ButtonLink, IconButton } from '../../ui/layout/Button.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { ButtonRow } from '../../ui/layout/ButtonRow.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { HistoryIcon, PlusIcon, TicketIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { SearchBar } from '../../ui/list/SearchBar.tsx';
import { UserCard } from '../UserCard.tsx';
import { usersQuery } from '../../queries/users.ts';
import style from '../users.module.css';

const STATES = ['enabled', 'disabled'] as const;

export default function UserListPage() {
  const { t } = useTranslation('users');
  const { leading } = useSession();
  const filter = useAddressFilter(['q', 'state']);
  const state = oneOf(STATES, filter.values.state);
  const bar = (
    <div className={style.bar}>
      <SearchBar value={filter.values.q ?? ''} onSearch={(q) => filter.set({ q })} placeholder={t('searchUsers')} />
      <Chips
        label={t('title')}
        value={state}
        onChange={(next) => filter.set({ state: next })}
        options={[
          { value: undefined, label: t('all') },
          { value: 'enabled', label: t('enabled') },
          { value: 'disabled', label: t('disabled') },
        ]}
      />
    </div>
  );
  return (
    <Page title={t('title')} bar={leading ? bar : undefined} actions={leading && <ActivityButton />}>
      {leading && (
        <ButtonRow>
          <ButtonLink to="/user/add" look="primary" small icon={<PlusIcon />}>
            {t('add')}
          </ButtonLink>
          <ButtonLink to="/invitations" small icon={<TicketIcon />}>
            {t('invitations')}
          </ButtonLink>
        </ButtonRow>
      )}
      <InfiniteList
        query={usersQuery({ q: filter.values.q, state })}
        label={t('list')}
        rowHeight={84}
        minColumn={330}
        render={(user) => <UserCard user={user} />}
        empty={{ title: t('empty'), hint: t('emptyHint') }}
        filter={filter}
      />
    </Page>
  );
}

function ActivityButton() {
  const { t } = useTranslation('audit');
  const navigate = useNavigate();
  return <IconButton label={t('title')} icon={<HistoryIcon />} onClick={() => void navigate('/audit')} />;
}
