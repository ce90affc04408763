import { type HTMLInputAutoCompleteAttribute, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../layout/Button.tsx';
import { EyeIcon, EyeOffIcon } from '../layout/icons.ts';
import style from './Field.module.css';

interface FieldFrameProps {
  /** The id of the control inside. */
  id: string;
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  children: ReactNode;
}

/** Label above, message below; the message is announced when it appears. */
export function FieldFrame({ id, label, error, hint, children }: FieldFrameProps) {
  return (
    <div className={style.field}>
      <label htmlFor={id} className={style.label}>
        {label}
      </label>
      {children}
      <p id={`${id}-note`} className={error ? style.error : style.hint} role={error ? 'alert' : undefined}>
        {error ?? hint}
      </p>
    </div>
  );
}

export interface TextControlProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
  name?: string;
  error?: string | undefined;
  type?: 'text' | 'password' | 'tel' | 'search' | 'number' | 'date' | 'time' | 'datetime-local';
  inputMode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'search';
  autoComplete?: HTMLInputAutoCompleteAttribute;
  placeholder?: string;
  multiline?: boolean | undefined;
  /** Takes the focus when its dialog opens. */
  takesFocus?: boolean;
  disabled?: boolean;
  readOnly?: boolean;
  /** Offered while typing; any other text may be typed, too. */
  suggestions?: readonly string[] | undefined;
  maxLength?: number;
  /** The backspace key was pressed in the empty field. */
  onErase?: () => void;
  /** The enter key was pressed while there is text; without this, it submits the form. */
  onEnter?: () => void;
  /** Content at the end of the frame, such as the captcha's picture. */
  after?: ReactNode;
}

const DATES: ReadonlySet<TextControlProps['type']> = new Set(['date', 'datetime-local']);

/**
 * Keeps what is typed into the field of a date until the focus leaves. The field reports a date for each digit of a year:
 * one that is refused, or that comes back from the address late, would take the digits away. A date that somebody chose
 * elsewhere meanwhile is shown.
 */
function useTyped({ type, value, onChange }: Pick<TextControlProps, 'type' | 'value' | 'onChange'>) {
  const [typed, setTyped] = useState<readonly string[]>([]);
  const [given, setGiven] = useState(value);
  if (given !== value) {
    setGiven(value);
    if (typed.length > 0 && !typed.includes(value)) setTyped([]);
  }
  if (!DATES.has(type)) return { value, onChange };
  return {
    value: typed.at(-1) ?? value,
    onChange: (text: string) => {
      setTyped([...typed, text]);
      onChange(text);
    },
    onBlur: () => setTyped([]),
  };
}

/** A line of text (or several) in the app's frame. Needs a `FieldFrame` around it for its name. */
export function TextControl(props: TextControlProps) {
  const { t } = useTranslation();
  const [revealed, setRevealed] = useState(false);
  const { value, onChange, onBlur } = useTyped(props);
  const {
    id,
    value: _value,
    onChange: _onChange,
    error,
    multiline,
    type = 'text',
    after,
    takesFocus,
    suggestions,
    onErase,
    onEnter,
    ...rest
  } = props;
  const list = suggestions && `${id}-suggestions`;
  const shared = {
    ...rest,
    id,
    value,
    // In Arabic, too, a file name is written from its own beginning.
    'dir': value === '' ? undefined : 'auto',
    'aria-invalid': error ? true : undefined,
    'aria-describedby': `${id}-note`,
    'data-autofocus': takesFocus || undefined,
    onBlur,
    'onChange': (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (multiline) return <textarea {...shared} rows={3} className={`${style.frame} ${style.area}`} />;
  return (
    <div className={style.frame}>
      <input
        {...shared}
        type={type === 'password' && revealed ? 'text' : type}
        className={style.input}
        list={list}
        onKeyDown={(event) => {
          // In Chinese, Japanese and Korean, the keys choose what is written.
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Backspace' && value === '') onErase?.();
          if (event.key !== 'Enter' || value.trim() === '' || !onEnter) return;
          event.preventDefault();
          onEnter();
        }}
        autoCapitalize="none"
        spellCheck={false}
      />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((text) => (
            <option key={text} value={text}>
              {text}
            </option>
          ))}
        </datalist>
      )}
      {type === 'password' && (
        <IconButton
          label={t(revealed ? 'hidePassword' : 'showPassword')}
          icon={revealed ? <EyeOffIcon /> : <EyeIcon />}
          onClick={() => setRevealed(!revealed)}
        />
      )}
      {after}
    </div>
  );
}
