import type { ReactNode } from 'react';
import style from './ButtonRow.module.css';

/** Buttons side by side, together as wide as a phone. */
export const ButtonRow = ({ children }: { children: ReactNode }) => <div className={style.row}>{children}</div>;
