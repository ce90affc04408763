import type { ReactNode } from 'react';
import style from './FileName.module.css';

/** The name of a file on at most two lines. */
export const FileName = ({ name, small = false }: { name: string; small?: boolean }) => (
  <strong className={small ? `${style.name} ${style.small}` : style.name} dir="auto" title={name}>
    <bdi>{name}</bdi>
  </strong>
);

/** Figures under the name: size, dimensions, how much has been sent. */
export const FileFacts = ({ children }: { children: ReactNode }) => <span className={style.facts}>{children}</span>;
