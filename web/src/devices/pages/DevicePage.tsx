import { deviceLabel } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Page } from '../../ui/layout/Page.tsx';
import { useWide } from '../../ui/layout/wide.ts';
import { DeviceActions } from '../DeviceActions.tsx';
import { DeviceDetails, useShownDevice } from '../DeviceDetails.tsx';

export default function DevicePage() {
  const { t } = useTranslation('devices');
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const shown = useShownDevice(id, () => void navigate('/mac', { replace: true }));
  const wide = useWide();
  const { device } = shown;
  return (
    <Page
      title={device ? deviceLabel(device) : t('device')}
      back="/mac"
      actions={
        device && !wide && <DeviceActions key={id} device={device} as="menu" onDelete={() => shown.remove(device)} />
      }
    >
      <DeviceDetails key={id} shown={shown} wide={wide} />
    </Page>
  );
}
