import type { User } from '@ams/contract';
import { type ComponentProps, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '../layout/Avatar.tsx';
import { Dialog } from '../feedback/Dialog.tsx';
import { InfiniteList } from '../list/InfiniteList.tsx';
import { SearchBar } from '../list/SearchBar.tsx';
import style from '../layout/Menu.module.css';

interface UserPickerProps {
  /** The users to choose from, by a part of their name. */
  query: (q: string) => ComponentProps<typeof InfiniteList<User>>['query'];
  title?: string;
  onPick: (user: User) => void;
  onClose: () => void;
}

/** A sheet with the users in scope, searchable, for choosing one: the owner of a device, for instance. */
export function UserPicker({ query, title, onPick, onClose }: UserPickerProps) {
  const { t } = useTranslation();
  const [q, setQ] = useState('');
  const box = useRef<HTMLDivElement>(null);
  return (
    <Dialog title={title ?? t('chooseUser')} kind="sheet" onClose={onClose}>
      <SearchBar value={q} onSearch={setQ} placeholder={t('search')} />
      <div className={style.box} ref={box}>
        <InfiniteList
          query={query(q)}
          label={t('chooseUser')}
          rowHeight={56}
          box={box}
          empty={{ title: t('noUsers') }}
          render={(user) => (
            <button type="button" className={style.item} onClick={() => onPick(user)}>
              <Avatar name={user.username} />
              <span>
                {user.username}
                {user.superior && <small>{user.superior.username}</small>}
              </span>
            </button>
          )}
        />
      </div>
    </Dialog>
  );
}
