import type { ReactNode } from 'react';
import { FailIcon } from '../layout/icons.ts';
import { FileName } from '../list/FileName.tsx';
import style from './transfer.module.css';

interface TransferRowProps {
  picture: ReactNode;
  name: string;
  /** Bar and words. */
  children: ReactNode;
  buttons: ReactNode;
  /** Stands inside a card already. */
  inside?: boolean;
  /** Stands below, as wide as the row. */
  below?: ReactNode;
}

/** One file on its way: what it looks like, how far it is, what can be done. */
export const TransferRow = ({ picture, name, children, buttons, inside = false, below }: TransferRowProps) => (
  <div className={inside ? `${style.row} ${style.inside}` : style.row}>
    {picture}
    <div className={style.words}>
      <FileName name={name} />
      {children}
    </div>
    <div className={style.buttons}>{buttons}</div>
    {below && <div className={style.below}>{below}</div>}
  </div>
);

interface ToldProps {
  tone?: 'good' | 'away';
  children: ReactNode;
}

/** A line of words under the name. */
export const Told = ({ tone, children }: ToldProps) => (
  <p className={tone ? `${style.told} ${style[tone]}` : style.told}>{children}</p>
);

/** Something to know that is no failure. */
export const Note = ({ text }: { text: string }) => (
  <p className={`${style.told} ${style.note} ${style.away}`}>
    <FailIcon />
    <span>{text}</span>
  </p>
);

/** Why it did not work. */
export const Trouble = ({ title, text }: { title?: string; text: string }) => (
  <p className={`${style.told} ${style.note} ${style.trouble}`} role="alert">
    <FailIcon />
    <span>
      {title !== undefined && <b>{title}: </b>}
      {text}
    </span>
  </p>
);
