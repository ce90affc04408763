import type { App } from '@ams/contract';
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

export function EditApp({ app, onClose, onSaved }: EditProps) {
  const { t } = useTranslation('apps');
  const { t: common } = useTranslation();
  const { name, content, forced, istype, published } = app;
  const form = useForm({
    schema: AppForm,
    initial: { name, content, forced, istype, published },
    send: (body) => updateApp(app.id, body),
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
