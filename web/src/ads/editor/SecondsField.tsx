import { IMAGE_SECONDS } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { DigitsInput } from '../../ui/form/DigitsInput.tsx';
import style from './SecondsField.module.css';

interface SecondsFieldProps {
  /** Of the picture. */
  name: string;
  value: number;
  onChange: (seconds: number) => void;
}

/** Display time of a picture. */
export function SecondsField({ name, value, onChange }: SecondsFieldProps) {
  const { t } = useTranslation('releases');
  const { min, max } = IMAGE_SECONDS;
  return (
    <label className={style.seconds}>
      <DigitsInput label={t('secondsOf', { name })} value={value} min={min} max={max} onChange={onChange} />
      {t('secondsUnit')}
    </label>
  );
}
