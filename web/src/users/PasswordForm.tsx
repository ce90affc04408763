import { ChangePasswordBody } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../platform/i18n.ts';
import { toast } from '../platform/toast.ts';
import { Button } from '../ui/layout/Button.tsx';
import { Form, TextField, useForm } from '../ui/form/form.tsx';
import { changePassword } from '../queries/users.ts';

interface PasswordFormProps {
  userId: string;
  /** One's own password needs the current one. */
  own: boolean;
  onDone: () => void;
}

export function PasswordForm({ userId, own, onDone }: PasswordFormProps) {
  const { t } = useTranslation('users');
  const form = useForm({
    schema: ChangePasswordBody,
    initial: { current: '', password: '', confirm: '' },
    check: (values) => ({
      ...(own && !values.current && { current: contractMessages().rules['password.required'] }),
      ...(values.password !== values.confirm && { confirm: contractMessages().errors.PASSWORD_DIFFERENT }),
    }),
    send: ({ current, ...values }) => changePassword(userId, own ? { ...values, current } : values),
    fieldOf: { WRONG_PASSWORD: 'current', PASSWORD_DIFFERENT: 'confirm' },
    onDone: () => {
      toast.success(t('passwordChanged'));
      onDone();
    },
  });
  return (
    <Form form={form} label={t('changePassword')}>
      {own && (
        <TextField
          form={form}
          name="current"
          type="password"
          label={t('currentPassword')}
          autoComplete="current-password"
        />
      )}
      <TextField
        form={form}
        name="password"
        type="password"
        label={t('newPassword')}
        hint={t('passwordHint')}
        autoComplete="new-password"
      />
      <TextField form={form} name="confirm" type="password" label={t('confirmPassword')} autoComplete="new-password" />
      <p className="caption">{t('otherSessionsEnd')}</p>
      <Button look="primary" block submit loading={form.sending}>
        {t('changePassword')}
      </Button>
    </Form>
  );
}
