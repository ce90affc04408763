import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { Dialog } from '../feedback/Dialog.tsx';
import menu from '../layout/Menu.module.css';
import { InfiniteList } from './InfiniteList.tsx';
import { SearchBar } from './SearchBar.tsx';

interface PickSheetProps<T extends { id: string }> {
  title: string;
  placeholder: string;
  label: string;
  empty: { title: string; hint: string };
  /** The rows to choose from, by a part of their name. */
  query: (q: string) => ComponentProps<typeof InfiniteList<T>>['query'];
  /** The link or button of a row. */
  render: (row: T) => ReactNode;
  onClose: () => void;
}

/** A sheet with a searchable list for choosing one. */
export function PickSheet<T extends { id: string }>(props: PickSheetProps<T>) {
  const { title, placeholder, label, empty, query, render, onClose } = props;
  const [q, setQ] = useState('');
  const box = useRef<HTMLDivElement>(null);
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <SearchBar value={q} onSearch={setQ} placeholder={placeholder} />
      <div className={menu.box} ref={box}>
        <InfiniteList<T>
          query={query(q)}
          label={label}
          rowHeight={60}
          box={box}
          empty={empty}
          {...(q && { filter: { active: true, clear: () => setQ('') } })}
          render={render}
        />
      </div>
    </Dialog>
  );
}
