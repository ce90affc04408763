import type { User } from '@ams/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import {
  Autocomplete,
  Collection,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxLoadMoreItem,
  ListLayout,
  SearchField,
  Virtualizer,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { ErrorState, EmptyState } from '../feedback/States.tsx';
import { Skeletons } from '../feedback/Skeleton.tsx';
import { Avatar } from '../layout/Avatar.tsx';
import { SearchIcon } from '../layout/icons.ts';
import type { InfiniteList } from '../list/InfiniteList.tsx';
import { useRested } from '../list/rested.ts';
import { KitLocale } from './KitLocale.tsx';
import field from './Field.module.css';
import search from '../list/SearchBar.module.css';
import menu from '../layout/Menu.module.css';
import style from './UserList.module.css';

const ROW_HEIGHT = 56;

interface UserListProps {
  /** The users to choose from, by a part of their name. */
  query: (q: string) => ComponentProps<typeof InfiniteList<User>>['query'];
  onPick: (user: User) => void;
}

/** A search field over the users in scope: while it has the focus, the arrow keys choose and Enter picks. */
export default function UserList({ query, onPick }: UserListProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const list = useInfiniteQuery(query(useRested(text)));
  const found = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <KitLocale>
      <Autocomplete inputValue={text} onInputChange={setText}>
        <SearchField aria-label={t('search')} className={search.field ?? ''}>
          <SearchIcon className={search.icon} />
          <div className={field.frame}>
            <Input className={field.input ?? ''} placeholder={t('search')} maxLength={100} autoCapitalize="none" />
          </div>
        </SearchField>
        {list.isPending ? (
          <Skeletons height={ROW_HEIGHT} />
        ) : !list.data ? (
          <ErrorState error={list.error} onRetry={() => list.refetch()} />
        ) : (
          <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: ROW_HEIGHT, loaderHeight: ROW_HEIGHT }}>
            <ListBox
              aria-label={t('chooseUser')}
              className={style.list ?? ''}
              selectionMode="none"
              onAction={(id) => {
                const user = found.find((each) => each.id === id);
                if (user) onPick(user);
              }}
              renderEmptyState={() => <EmptyState title={t('noUsers')} />}
            >
              <Collection items={found}>{(user) => <UserOption user={user} />}</Collection>
              <ListBoxLoadMoreItem
                className={style.more ?? ''}
                isLoading={list.isFetchingNextPage}
                onLoadMore={() => {
                  if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
                }}
              >
                {t('loading')}
              </ListBoxLoadMoreItem>
            </ListBox>
          </Virtualizer>
        )}
      </Autocomplete>
    </KitLocale>
  );
}

const UserOption = ({ user }: { user: User }) => (
  <ListBoxItem id={user.id} textValue={user.username} className={`${menu.item} ${style.option}`}>
    <Avatar name={user.username} />
    <span>
      {user.username}
      {user.superior && <small>{user.superior.username}</small>}
    </span>
  </ListBoxItem>
);
