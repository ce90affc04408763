import { CreateDeviceBody, OptionalPlace } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useLeave } from '../platform/shown.ts';
import { toast } from '../platform/toast.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { SubmitButton } from '../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../ui/form/form.tsx';
import { ChosenOwner, useOwnerChoice } from './OwnerField.tsx';
import { givenPlace, PlaceFields } from './PlaceFields.tsx';
import { givenTags, TagsField, TypedTags } from './TagsField.tsx';
import { createDevice } from '../queries/devices.ts';

const Typed = CreateDeviceBody.omit({ ownerId: true, area: true, address: true, tags: true })
  .required()
  .extend({ ...OptionalPlace.shape, tags: TypedTags, owner: ChosenOwner });

/** Adds a device by its MAC, to be paired later. */
export function AddDevice({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('devices');
  const leave = useLeave();
  const form = useForm({
    schema: Typed,
    initial: { mac: '', name: '', area: '', address: '', tags: '', owner: undefined },
    keeping: { as: 'device' },
    send: ({ owner, ...values }) =>
      createDevice({ ...values, ...givenPlace(values), tags: givenTags(values.tags), ownerId: owner?.id }),
    fieldOf: { MAC_TAKEN: 'mac' },
    onDone: (device) => {
      toast.success(t('deviceAdded'));
      void leave(`/mac/${device.id}`);
    },
  });
  const { field, picker } = useOwnerChoice(form);
  return (
    <>
      <Dialog kind="sheet" title={t('add')} onClose={onClose}>
        <Form form={form} label={t('add')}>
          <TextField form={form} name="mac" label={t('mac')} hint={t('macHint')} autoComplete="off" />
          <TextField form={form} name="name" label={t('name')} hint={t('nameHint')} autoComplete="off" />
          <PlaceFields form={form} optional />
          <TagsField form={form} name="tags" label={t('tags')} hint={t('tagsOptional')} />
          {field()}
          <SubmitButton form={form}>{t('add')}</SubmitButton>
        </Form>
      </Dialog>
      {picker}
    </>
  );
}
