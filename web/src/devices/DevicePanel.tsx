import { deviceLabel } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { SidePanel } from '../ui/list/table/SidePanel.tsx';
import { DeviceActions } from './DeviceActions.tsx';
import { DeviceDetails, useShownDevice } from './DeviceDetails.tsx';

/** A device beside the list. */
export function DevicePanel({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const shown = useShownDevice(id, onClose);
  const { device } = shown;
  return (
    <SidePanel
      title={device ? deviceLabel(device) : t('device')}
      to={`/mac/${id}`}
      onClose={onClose}
      actions={device && <DeviceActions device={device} as="menu" onDelete={() => shown.remove(device)} />}
    >
      <DeviceDetails shown={shown} wide={false} />
    </SidePanel>
  );
}
