import type { ReactNode } from 'react';
import style from './CardRows.module.css';

/** The list in a card: what a device holds, what it takes part in. */
export const CardRows = ({ children }: { children: ReactNode }) => <ul className={style.rows}>{children}</ul>;

interface CardRowProps {
  /** A picture before the text. */
  poster?: ReactNode;
  title: ReactNode;
  caption: ReactNode;
  badges: ReactNode;
  action?: ReactNode;
}

export const CardRow = ({ poster, title, caption, badges, action }: CardRowProps) => (
  <li>
    {poster && <div className={style.poster}>{poster}</div>}
    <div className={style.text}>
      {title}
      <span className="caption">{caption}</span>
      <span className={style.badges}>{badges}</span>
    </div>
    {action}
  </li>
);

/** Stands in the place of the rows. */
export const NoRows = ({ icon, title, hint }: { icon: ReactNode; title: string; hint: string }) => (
  <div className={style.none}>
    {icon}
    <p>
      <strong>{title}</strong>
      {hint}
    </p>
  </div>
);
