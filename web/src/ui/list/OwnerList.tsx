import type { User } from '@ams/contract';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../platform/session.ts';
import { useAddressFilter } from '../layout/address.ts';
import { Avatar } from '../layout/Avatar.tsx';
import { useFormat } from '../format/format.ts';
import { InfiniteList } from './InfiniteList.tsx';
import { NextIcon } from '../layout/icons.ts';
import style from './OwnerList.module.css';
import { Page } from '../layout/Page.tsx';
import { SearchBar } from './SearchBar.tsx';
import { Badge } from '../feedback/StateBadge.tsx';

export const OWNER_ROW_HEIGHT = 76;

interface OwnerListProps {
  title: string;
  /** Buttons at the end of the header. */
  actions?: ReactNode;
  label: string;
  searchLabel: string;
  youLabel: string;
  emptyTitle: string;
  query: (q: string | undefined) => Parameters<typeof InfiniteList<User>>[0]['query'];
  to: (user: User) => string;
  /** Numbers of a user, each with an icon and as text. */
  counts: (user: User) => { signs: { icon: ReactNode; count: number }[]; words: string };
}

/** The users in scope with what they have, each leading to its own. */
export function OwnerList({ title, actions, label, searchLabel, emptyTitle, query, ...row }: OwnerListProps) {
  const filter = useAddressFilter(['q']);
  const { q } = filter.values;
  return (
    <Page
      title={title}
      actions={actions}
      bar={<SearchBar value={q ?? ''} onSearch={(text) => filter.set({ q: text })} placeholder={searchLabel} />}
    >
      <InfiniteList
        query={query(q)}
        label={label}
        rowHeight={OWNER_ROW_HEIGHT}
        minColumn={330}
        render={(user) => <OwnerRow user={user} {...row} />}
        empty={{ title: emptyTitle }}
        filter={filter}
      />
    </Page>
  );
}

function OwnerRow({ user, youLabel, to, counts }: { user: User } & Pick<OwnerListProps, 'youLabel' | 'to' | 'counts'>) {
  const { number } = useFormat();
  const { current } = useSession();
  const { signs, words } = counts(user);
  return (
    <Link to={to(user)} className={style.owner}>
      <Avatar name={user.username} />
      <span className={style.name}>
        <strong>{user.username}</strong>
        {user.id === current?.id && <Badge tone="primary">{youLabel}</Badge>}
      </span>
      <span className="visually-hidden">{words}</span>
      <span className={style.counts} aria-hidden>
        {signs.map(({ icon, count }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- they never move
          <Fragment key={place}>
            {icon} {number(count)}
          </Fragment>
        ))}
      </span>
      <NextIcon className="turns" />
    </Link>
  );
}
