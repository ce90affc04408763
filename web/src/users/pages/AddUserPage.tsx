import { CreateUserBody } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { useLeave } from '../../platform/shown.ts';
import { toast } from '../../platform/toast.ts';
import { LeadingOnly } from '../../ui/feedback/States.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { PasswordField, SubmitButton } from '../../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../../ui/form/form.tsx';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { createUser } from '../../queries/users.ts';

export default function AddUserPage() {
  const { t } = useTranslation('users');
  const leave = useLeave();
  const form = useForm({
    schema: CreateUserBody,
    initial: { username: '', password: '', role: 'member' },
    send: (values) => createUser({ ...values, phone: values.phone || undefined }),
    fieldOf: { USERNAME_TAKEN: 'username' },
    keeping: { as: 'user', without: ['password'] },
    onDone: (user) => {
      toast.success(t('userAdded'));
      void leave(`/user/${user.id}`, { replace: true });
    },
  });
  // The answer of a proxy has no role: by `leading` it would take the form away.
  const { role: own } = useSession();
  if (own === 'member') {
    return (
      <Page title={t('add')} back="/user" narrow>
        <LeadingOnly />
      </Page>
    );
  }
  const { role } = form.values;
  return (
    <Page title={t('add')} back="/user" narrow>
      <Card>
        <Form form={form} label={t('add')}>
          <Choice
            label={t('role')}
            value={role}
            onChange={(next) => form.set('role', next)}
            options={[
              { value: 'member', label: t('member') },
              { value: 'leading', label: t('leading') },
            ]}
          />
          <p className="caption">{t(role === 'leading' ? 'leadingHint' : 'memberHint')}</p>
          <TextField form={form} name="username" label={t('username')} hint={t('usernameHint')} autoComplete="off" />
          <PasswordField form={form} name="password" kind="new" label={t('password')} hint={t('passwordHint')} />
          <TextField form={form} name="phone" type="tel" label={t('phone')} hint={t('phoneHint')} autoComplete="off" />
          <SubmitButton form={form}>{t('add')}</SubmitButton>
        </Form>
      </Card>
    </Page>
  );
}
