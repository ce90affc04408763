import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SCHEMES, type Scheme, chooseScheme, storedScheme } from '../../platform/theme.ts';
import { Choice } from './Choice.tsx';

const SCHEME_TEXT = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

/** Light, dark, or as the system has it; kept in this browser. */
export function ThemeChoice() {
  const { t } = useTranslation();
  const [scheme, setScheme] = useState<Scheme>(storedScheme);
  const choose = (next: Scheme) => {
    setScheme(next);
    chooseScheme(next);
  };
  return (
    <Choice
      label={t('theme')}
      value={scheme}
      onChange={choose}
      options={SCHEMES.map((value) => ({ value, label: t(SCHEME_TEXT[value]) }))}
    />
  );
}
