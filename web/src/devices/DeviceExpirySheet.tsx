import type { Device } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { batchOfOne } from './batch/batchOfOne.ts';
import { ExpirySheet } from './ExpirySheet.tsx';

/** Extends one device or sets its last day. */
export function DeviceExpirySheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const change = batchOfOne(device);
  return (
    <ExpirySheet
      title={t('setExpiry')}
      target={{ ids: [device.id] }}
      date={device.expiresAt}
      onSave={change}
      onClose={onClose}
    />
  );
}
