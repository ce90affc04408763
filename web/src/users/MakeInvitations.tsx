import { CreateInvitationsBody, INVITATIONS_AT_ONCE_MAX, INVITATION_DAYS, plainDigits } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { toast } from '../platform/toast.ts';
import { Choice } from '../ui/form/Choice.tsx';
import { Pair } from '../ui/layout/Pair.tsx';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { SubmitButton } from '../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../ui/form/form.tsx';
import { createInvitations } from '../queries/users.ts';

const TypedNumber = z.string().transform((text) => Number(plainDigits(text)));

/** The contract's body with numbers as they are typed. */
const Typed = z.object({
  count: TypedNumber.pipe(CreateInvitationsBody.shape.count.unwrap()),
  days: TypedNumber.pipe(CreateInvitationsBody.shape.days.unwrap()),
  role: CreateInvitationsBody.shape.role,
});

export function MakeInvitations({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('users');
  const form = useForm({
    schema: Typed,
    initial: { count: '1', days: String(INVITATION_DAYS.default), role: 'member' },
    keeping: { as: 'invitations' },
    send: (values) => createInvitations(Typed.parse(values)),
    onDone: ({ items }) => {
      toast.success(t('codesCreated', { count: items.length }));
      onClose();
    },
  });
  const { role = 'member' } = form.values;
  return (
    <Dialog kind="sheet" title={t('createCodes')} onClose={onClose}>
      <Form form={form} label={t('createCodes')}>
        <Choice
          label={t('role')}
          value={role}
          onChange={(next) => form.set('role', next)}
          options={[
            { value: 'member', label: t('member') },
            { value: 'leading', label: t('leading') },
          ]}
        />
        <Pair>
          <TextField
            form={form}
            name="count"
            label={t('count')}
            inputMode="numeric"
            hint={t('numberRange', { min: 1, max: INVITATIONS_AT_ONCE_MAX })}
          />
          <TextField
            form={form}
            name="days"
            label={t('days')}
            inputMode="numeric"
            hint={t('numberRange', { min: 1, max: INVITATION_DAYS.max })}
          />
        </Pair>
        <SubmitButton form={form}>{t('createCodes')}</SubmitButton>
      </Form>
    </Dialog>
  );
}
