import { type ReactNode, useState } from 'react';
import { IconButton } from './Button.tsx';
import { Dialog } from '../feedback/Dialog.tsx';
import { MoreIcon } from './icons.ts';
import style from './Menu.module.css';

export interface MenuItem {
  text: string;
  icon?: ReactNode;
  danger?: boolean;
  hint?: string;
  onPick: () => void;
}

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
          <MenuRow item={item} onPick={item.onPick} />
        </li>
      ))}
    </ul>
  );
}

function MenuRow({ item, onPick }: { item: MenuItem; onPick: () => void }) {
  return (
    <button type="button" className={item.danger ? `${style.item} ${style.danger}` : style.item} onClick={onPick}>
      {item.icon}
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
            <MenuRow
              item={item}
              onPick={() => {
                onClose();
                item.onPick();
              }}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
