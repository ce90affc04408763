import type { ReactNode } from 'react';
import { CrossIcon } from '../layout/icons.ts';
import style from './RemovableChip.module.css';

interface RemovableChipProps {
  children: ReactNode;
  onRemove: () => void;
  /** What a tap does, as the name of the button. */
  label?: string;
  /** What a tap does, as a hint: the text of the chip remains the name of the button, which is pressed. */
  hint?: string;
}

/** A value that was chosen; a tap removes it. */
export function RemovableChip({ children, onRemove, label, hint }: RemovableChipProps) {
  return (
    <button
      type="button"
      className={style.chip}
      aria-label={label}
      aria-pressed={hint === undefined ? undefined : true}
      title={hint}
      onClick={onRemove}
    >
      {children}
      <CrossIcon />
    </button>
  );
}
