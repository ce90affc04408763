import type { ReactNode } from 'react';
import { CheckIcon } from '../../layout/icons.ts';
import style from './SelectMark.module.css';

interface SelectMarkProps {
  /** Undefined while nothing is being selected. */
  selected: boolean | undefined;
  corner?: 'start' | 'end';
}

/** In the corner of a card: whether it is selected. */
export const SelectMark = ({ selected, corner = 'end' }: SelectMarkProps) =>
  selected !== undefined && (
    <i className={style.mark} data-corner={corner} data-selected={selected || undefined} aria-hidden>
      {selected && <CheckIcon />}
    </i>
  );

/** Around a list that can be selected from: it keeps room for the bar. */
export const Selectable = ({ selecting, children }: { selecting: boolean; children: ReactNode }) => (
  <div className={selecting ? style.selecting : undefined}>{children}</div>
);
