import { type Device, DevicePlace } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { updateDevice } from '../queries/devices.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { offerUndo } from '../ui/feedback/outcome.ts';
import { SubmitButton } from '../ui/form/fields.tsx';
import { Form, useForm } from '../ui/form/form.tsx';
import { Button } from '../ui/layout/Button.tsx';
import { changeDevice, giveBack } from './actions.ts';
import { PlaceFields } from './PlaceFields.tsx';

/** Sets the area and the address of a device, or removes them. */
export function PlaceSheet({ device, onClose }: { device: Device; onClose: () => void }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const form = useForm({
    schema: DevicePlace,
    initial: { area: device.area ?? '', address: device.address ?? '' },
    keeping: { as: `place ${device.id}` },
    // Somebody else may have set the other field meanwhile.
    send: (_values, changed) => updateDevice(device.id, changed),
    onDone: (after, changed) => {
      offerUndo(common('saved'), () => giveBack(device, after, Object.keys(changed)));
      onClose();
    },
  });
  const remove = async () => {
    if (await changeDevice(device, { area: null, address: null }, common('saved'))) onClose();
  };
  return (
    <Dialog kind="sheet" title={t('setPlace')} onClose={onClose}>
      <Form form={form} label={t('setPlace')}>
        <PlaceFields form={form} />
        <SubmitButton form={form}>{common('save')}</SubmitButton>
        {(device.area ?? device.address) !== null && (
          <Button block onClick={remove}>
            {t('removePlace')}
          </Button>
        )}
      </Form>
    </Dialog>
  );
}
