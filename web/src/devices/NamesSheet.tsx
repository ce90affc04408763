import { type BatchOrder, DeviceName, fitsNumbered, NAME_NUMBER } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Target } from '../queries/devices.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { SubmitButton } from '../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../ui/form/form.tsx';
import { useRested } from '../ui/list/rested.ts';
import { ChangePreview } from './batch/ChangePreview.tsx';

type NameOrder = Extract<BatchOrder, { action: 'rename' }>;

/** An empty name is a mistake here: one press would remove the names of all devices. */
const newName = (count: number) =>
  DeviceName.refine((name) => name !== '', 'name.required').refine(
    (name) => fitsNumbered(name, count),
    'name.numbered',
  );

interface NamesSheetProps {
  title: string;
  target: Target;
  /** How many devices get a name. */
  count: number;
  /** True when it went well: the sheet closes. */
  onSave: (order: NameOrder) => Promise<boolean>;
  onClose: () => void;
}

/** Renames many devices, after showing the new name of the first ones. */
export function NamesSheet({ title, target, count, onSave, onClose }: NamesSheetProps) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const schema = newName(count);
  const form = useForm({
    schema: z.object({ name: schema }),
    initial: { name: '' },
    keeping: { as: `names ${JSON.stringify(target)}` },
    send: async ({ name }) => {
      if (await onSave({ action: 'rename', name: schema.parse(name) })) onClose();
      return { code: 200, message: '', data: null };
    },
    onDone: () => undefined,
  });
  const shown = schema.safeParse(useRested(form.values.name)).data;
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      <Form form={form} label={title}>
        <TextField
          form={form}
          name="name"
          label={t('name')}
          hint={t('renameManyHint', { n: NAME_NUMBER })}
          autoComplete="off"
          takesFocus
        />
        {shown !== undefined && (
          <ChangePreview target={target} order={{ action: 'rename', name: shown }} textOf={String} />
        )}
        <SubmitButton form={form}>{common('save')}</SubmitButton>
      </Form>
    </Dialog>
  );
}
