import type { ReactNode } from 'react';
import style from './Pair.module.css';

/** Two controls side by side, each half as wide as the place. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={style.pair}>{children}</div>;
