import { type ReactNode, useState } from 'react';
import { IconButton, Spinner } from './Button.tsx';
import { useReadOnly } from '../../platform/session.ts';
import { Dialog } from '../feedback/Dialog.tsx';
import { usePending } from '../feedback/pending.ts';
import { MoreIcon } from './icons.ts';
import style from './Menu.module.css';

interface MenuText {
  text: string;
  icon?: ReactNode;
  danger?: boolean;
  hint?: string;
  /** Changes nothing: read-only people see it, too. */
  reads?: boolean;
}

/** `onPick` closes the sheet first; `run` calls the server, and the sheet stays until it has answered. */
export type MenuItem = MenuText & ({ onPick: () => void } | { run: () => Promise<unknown> });

/** The actions that the person who is signed in may do. */
function useOpen(items: readonly MenuItem[]): readonly MenuItem[] {
  const readOnly = useReadOnly();
  return readOnly ? items.filter(({ reads }) => reads) : items;
}

/** The button with three dots and the sheet of actions that it opens. `title` names what they act on. */
export function MenuButton({ title, items: all }: { title: string; items: readonly MenuItem[] }) {
  const [open, setOpen] = useState(false);
  const items = useOpen(all);
  if (items.length === 0) return null;
  return (
    <>
      <IconButton label={title} icon={<MoreIcon />} expanded={open} onClick={() => setOpen(true)} />
      {open && <MenuSheet title={title} items={items} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Actions as rows of a card, for the foot of a page of details. */
export function ActionList({ items: all }: { items: readonly MenuItem[] }) {
  const items = useOpen(all);
  if (items.length === 0) return null;
  return (
    <ul className={style.actions}>
      {items.map((item) => (
        <li key={item.text}>
          <MenuRow item={item} />
        </li>
      ))}
    </ul>
  );
}

/** `onClose` closes the sheet that the row is in. */
function MenuRow({ item, onClose }: { item: MenuItem; onClose?: () => void }) {
  const { pending, press } = usePending();
  const pick = () => {
    if ('run' in item) return item.run().finally(onClose);
    onClose?.();
    return item.onPick();
  };
  return (
    <button
      type="button"
      className={item.danger ? `${style.item} ${style.danger}` : style.item}
      aria-busy={pending || undefined}
      onClick={() => press(pick)}
    >
      {pending ? <Spinner /> : item.icon}
      <span>
        {item.text}
        {item.hint && <small>{item.hint}</small>}
      </span>
    </button>
  );
}

interface MenuSheetProps {
  title: string;
  items: readonly MenuItem[];
  onClose: () => void;
}

export function MenuSheet({ title, items, onClose }: MenuSheetProps) {
  return (
    <Dialog title={title} kind="sheet" onClose={onClose}>
      <ul className={style.menu}>
        {items.map((item) => (
          <li key={item.text}>
            <MenuRow item={item} onClose={onClose} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
