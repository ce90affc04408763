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
import { useDesk } from '../../ui/layout/wide.ts';
import { UserCard } from '../UserCard.tsx';
import { UserTable } from '../UserTable.tsx';
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
  const desk = useDesk();
  const wanted = { q: filter.values.q, state };
  const list = { label: t('list'), empty: { title: t('empty'), hint: t('emptyHint') }, filter };
  return (
    <Page
      title={t('title')}
      desk={desk}
      bar={leading ? bar : undefined}
      actions={
        leading && (
          <>
            {desk && <MoreUsers />}
            <ActivityButton />
          </>
        )
      }
    >
      {leading && !desk && <MoreUsers />}
      {desk ? (
        <UserTable wanted={wanted} {...list} />
      ) : (
        <InfiniteList
          query={usersQuery(wanted)}
          rowHeight={84}
          minColumn={330}
          render={(user) => <UserCard user={user} />}
          {...list}
        />
      )}
    </Page>
  );
}

/** The ways to more users. */
function MoreUsers() {
  const { t } = useTranslation('users');
  return (
    <ButtonRow>
      <ButtonLink to="/user/add" look="primary" small icon={<PlusIcon />}>
        {t('add')}
      </ButtonLink>
      <ButtonLink to="/invitations" small icon={<TicketIcon />}>
        {t('invitations')}
      </ButtonLink>
    </ButtonRow>
  );
}

function ActivityButton() {
  const { t } = useTranslation('audit');
  const navigate = useNavigate();
  return <IconButton label={t('title')} icon={<HistoryIcon />} onClick={() => void navigate('/audit')} />;
}
