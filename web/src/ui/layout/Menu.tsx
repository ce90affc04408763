import { type ReactNode, useState } from 'react';
import { IconButton, Spinner } from './Button.tsx';
import { Dialog } from '../feedback/Dialog.tsx';
import { usePending } from '../feedback/pending.ts';
import { MoreIcon } from './icons.ts';
import style from './Menu.module.css';

interface MenuText {
  text: string;
  icon?: ReactNode;
  danger?: boolean;
  hint?: string;
}

/** `onPick` closes the sheet first; `run` calls the server, and the sheet stays until it has answered. */
export type MenuItem = MenuText & ({ onPick: () => void } | { run: () => Promise<unknown> });

/** The button with three dots and the sheet of actions that it opens. `title` names what they act on. */
export function MenuButton({ title, items }: { title: string; items: readonly MenuItem[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton label={title} icon={<MoreIcon />} expanded={open} onClick={() => setOpen(true)} />
      {open && <MenuSheet title={title} items={items} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Actions as rows of a card, for the foot of a page of details. */
export function ActionList({ items }: { items: readonly MenuItem[] }) {
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
