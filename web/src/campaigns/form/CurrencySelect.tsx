import { startTransition, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFrame } from '../../ui/form/Field.tsx';
import field from '../../ui/form/Field.module.css';
import style from './CampaignForm.module.css';

interface CurrencySelectProps {
  /** ISO 4217. */
  value: string;
  onChange: (currency: string) => void;
}

/** Every currency by its name in the language shown. */
export function CurrencySelect({ value, onChange }: CurrencySelectProps) {
  const { t, i18n } = useTranslation('campaigns');
  const id = useId();
  // Two hundred options come after the form, in which only the chosen one is seen.
  const [all, setAll] = useState(false);
  useEffect(() => startTransition(() => setAll(true)), []);
  const options = useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'currency' });
    const codes = all ? Intl.supportedValuesOf('currency') : [value];
    return codes.map((code) => ({ code, name: names.of(code) ?? code }));
  }, [i18n.language, all, value]);
  return (
    <FieldFrame id={id} label={t('currency')}>
      <select
        id={id}
        className={`${field.frame} ${style.select}`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map(({ code, name }) => (
          <option key={code} value={code}>
            {code === name ? code : `${code} – ${name}`}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
