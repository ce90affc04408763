import style from './SearchBar.module.css';

interface ChipsProps<T extends string> {
  label: string;
  value: T | undefined;
  options: readonly { value: T | undefined; label: string }[];
  onChange: (value: T | undefined) => void;
}

/** The chosen one may stand beside the screen: the row scrolls to it. */
const show = (chip: HTMLElement | null): void => chip?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** A row of exclusive filters under a search bar. */
export function Chips<T extends string>({ label, value, options, onChange }: ChipsProps<T>) {
  return (
    <div className={style.chips} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value ?? ''}
          type="button"
          className={style.chip}
          aria-pressed={option.value === value}
          ref={option.value === value ? show : undefined}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
