import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DEVICE_CONCERNS, type DeviceConcern } from '../../platform/concerns.ts';
import { ClockIcon, DownIcon, FailIcon, WifiOffIcon } from '../layout/icons.ts';
import type { Concern } from './Concerns.tsx';

/** Numbers of devices, each with the way to their list; `group`: only those of a group. */
export function useDeviceConcerns(counts: Record<DeviceConcern, number> | undefined, group?: string): Concern[] {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const concern = (name: DeviceConcern, icon: ReactNode, text: string): Concern => {
    const filter = Object.entries({ ...(group && { group }), ...DEVICE_CONCERNS[name] });
    const to = `/mac?${filter.map(([key, value]) => `${key}=${value}`).join('&')}`;
    return { to, icon, text, count: counts?.[name] ?? 0 };
  };
  return [
    concern('offline', <WifiOffIcon />, common('stateOffline')),
    concern('failed', <FailIcon />, common('stateFailed')),
    concern('expiring', <ClockIcon />, common('stateExpiring')),
    concern('stalled', <DownIcon />, t('attentionStalled')),
  ];
}
