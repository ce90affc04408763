import { useId } from 'react';
import { useReadOnly } from '../../platform/session.ts';
import { usePending } from '../feedback/pending.ts';
import style from './Field.module.css';

interface ChoiceProps<T extends string | number> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  /** One below the other: for names that have no room side by side on a phone. */
  stacked?: boolean;
}

/** One of two to four, side by side: a radio group with the looks of a segmented control. */
export function Choice<T extends string | number>({ label, value, options, onChange, stacked }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className={`${style.choice} ${stacked ? style.stacked : ''}`}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  checked: boolean;
  /** When it returns a promise, the switch takes no further press until that settles. */
  onChange: (checked: boolean) => unknown;
  disabled?: boolean;
  /** Changes something at once: read-only people see it and cannot press it. */
  changes?: boolean;
}

export function Switch({ label, checked, onChange, disabled, changes }: SwitchProps) {
  const readOnly = useReadOnly();
  const { pending, press } = usePending();
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-busy={pending || undefined}
      className={style.switch}
      disabled={disabled || (changes && readOnly)}
      onClick={() => press(() => onChange(!checked))}
    >
      <i />
    </button>
  );
}
