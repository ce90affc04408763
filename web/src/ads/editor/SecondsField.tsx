import { IMAGE_SECONDS } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import style from './SecondsField.module.css';

interface SecondsFieldProps {
  /** Of the picture. */
  name: string;
  value: number;
  onChange: (seconds: number) => void;
}

const allowed = (seconds: number): boolean =>
  Number.isInteger(seconds) && seconds >= IMAGE_SECONDS.min && seconds <= IMAGE_SECONDS.max;

/** Display time of a picture. An invalid value is reset to the last valid one when the field loses focus. */
export function SecondsField({ name, value, onChange }: SecondsFieldProps) {
  const { t } = useTranslation('releases');
  const [text, setText] = useState<string>();
  const type = (typed: string) => {
    const digits = typed.replace(/\D/g, '').slice(0, 4);
    setText(digits);
    if (allowed(Number(digits))) onChange(Number(digits));
  };
  return (
    <label className={style.seconds}>
      <input
        type="text"
        inputMode="numeric"
        aria-label={t('secondsOf', { name })}
        value={text ?? String(value)}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={() => setText(undefined)}
      />
      {t('secondsUnit')}
    </label>
  );
}
