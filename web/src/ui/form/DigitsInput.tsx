import { plainDigits } from '@ams/contract';
import { useState } from 'react';

interface DigitsInputProps {
  id?: string | undefined;
  /** Its name; without it a label outside names it by `id`. */
  label?: string | undefined;
  value: number;
  min: number;
  max: number;
  readOnly?: boolean;
  onChange: (value: number) => void;
}

/** A whole number, in the digits of any language. An invalid value is reset to the last valid one when the focus leaves. */
export function DigitsInput({ id, label, value, min, max, readOnly, onChange }: DigitsInputProps) {
  const [text, setText] = useState<string>();
  const type = (typed: string, isComposing: boolean) => {
    const digits = plainDigits(typed).replace(/\D/g, '').slice(0, String(max).length);
    // An input method loses its place in a text that changes under it.
    setText(isComposing ? typed : digits);
    const number = Number(digits);
    if (digits !== '' && number >= min && number <= max) onChange(number);
  };
  return (
    <input
      id={id}
      type="text"
      inputMode="numeric"
      aria-label={label}
      value={text ?? String(value)}
      readOnly={readOnly}
      onFocus={(event) => event.currentTarget.select()}
      onChange={({ currentTarget, nativeEvent }) =>
        type(currentTarget.value, 'isComposing' in nativeEvent && nativeEvent.isComposing === true)
      }
      onBlur={() => setText(undefined)}
    />
  );
}
