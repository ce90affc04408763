import type { Device } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { readDevice } from '../../queries/devices.ts';
import { batchOfOne } from '../batch/batchOfOne.ts';
import { useUnchanged } from '../unchanged.ts';
import { HoursSheet } from './HoursSheet.tsx';

/** Sets the working hours of one device. */
export function DeviceHoursSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const change = batchOfOne(device);
  const isUnchanged = useUnchanged(
    device,
    () => readDevice(device.id),
    ({ workingHours }) => workingHours,
  );
  return (
    <HoursSheet
      title={t('workingHours')}
      about={device.id}
      hours={device.workingHours}
      suggested={device.defaultHours}
      none={t('hoursDefault')}
      onSave={async (workingHours) => (await isUnchanged()) && change({ action: 'hours', workingHours })}
      onClose={onClose}
    />
  );
}
