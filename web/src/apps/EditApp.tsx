import type { App, UpdateAppBody } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../platform/toast.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { SubmitButton } from '../ui/form/fields.tsx';
import { Form, useForm } from '../ui/form/form.tsx';
import { AppFields, AppForm } from './AppFields.tsx';
import { updateApp } from '../queries/apps.ts';

interface EditProps {
  app: App;
  onClose: () => void;
  onSaved: (app: App) => void;
}

/** The fields that were edited: other people may have changed the rest since, or withdrawn the version. */
const changesOf = ({ name, content, forced, istype }: AppForm, edited: AppForm): UpdateAppBody => ({
  ...(edited.name !== name && { name: edited.name }),
  ...(edited.content !== content && { content: edited.content }),
  ...(edited.forced !== forced && { forced: edited.forced }),
  ...(edited.istype !== istype && { istype: edited.istype }),
});

export function EditApp({ app, onClose, onSaved }: EditProps) {
  const { t } = useTranslation('apps');
  const { t: common } = useTranslation();
  // The version as it was when the dialog opened.
  const [initial] = useState((): AppForm => {
    const { name, content, forced, istype, published } = app;
    return { name, content, forced, istype, published };
  });
  const form = useForm({
    schema: AppForm,
    initial,
    keeping: { as: `app ${app.id}` },
    send: (values) => updateApp(app.id, changesOf(initial, values)),
    onDone: (saved) => {
      toast.success(common('saved'));
      onSaved(saved);
      onClose();
    },
  });
  return (
    <Dialog kind="sheet" title={t('editTitle', { version: app.version })} onClose={onClose}>
      <Form form={form} label={common('edit')}>
        <AppFields form={form} />
        <SubmitButton form={form}>{common('save')}</SubmitButton>
      </Form>
    </Dialog>
  );
}
