import type { Device } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { readDevice } from '../../queries/devices.ts';
import { batchOfOne } from '../batch/batchOfOne.ts';
import { useSeen } from '../seen.ts';
import { HoursSheet } from './HoursSheet.tsx';

/** Sets the working hours of one device. */
export function DeviceHoursSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const { seen, lookAgain } = useSeen(
    device,
    () => readDevice(device.id),
    ({ workingHours }) => workingHours,
  );
  const change = batchOfOne(device, lookAgain);
  return (
    <HoursSheet
      title={t('workingHours')}
      about={device.id}
      hours={device.workingHours}
      suggested={device.defaultHours}
      none={t('hoursDefault')}
      onSave={(workingHours) => change({ action: 'hours', workingHours, seen })}
      onClose={onClose}
    />
  );
}
