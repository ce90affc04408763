import { useTranslation } from 'react-i18next';
import { Badge } from './StateBadge.tsx';

/** Whether an account has a second factor. */
export function SecondFactorState({ on }: { on: boolean }) {
  const { t } = useTranslation('home');
  return <Badge tone={on ? 'good' : 'plain'}>{t(on ? 'secondFactorOn' : 'secondFactorOff')}</Badge>;
}
