import type { Screen } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Choice } from '../../ui/form/Choice.tsx';

interface ScreenChoiceProps {
  value: Screen;
  onChange: (screen: Screen) => void;
}

/** Which of the two screens of a device an ad is released to. */
export function ScreenChoice({ value, onChange }: ScreenChoiceProps) {
  const { t } = useTranslation('releases');
  return (
    <Choice<Screen>
      label={t('whichScreen')}
      value={value}
      onChange={onChange}
      options={[
        { value: 'main', label: t('mainScreen') },
        { value: 'secondary', label: t('secondaryScreen') },
      ]}
    />
  );
}
