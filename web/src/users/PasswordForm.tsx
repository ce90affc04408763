import { ChangePasswordBody } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../platform/i18n.ts';
import { toast } from '../platform/toast.ts';
import { checkRepeated, PasswordField, SubmitButton } from '../ui/form/fields.tsx';
import { Form, useForm } from '../ui/form/form.tsx';
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
      ...checkRepeated(values),
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
      {own && <PasswordField form={form} name="current" kind="current" label={t('currentPassword')} />}
      <PasswordField form={form} name="password" kind="new" label={t('newPassword')} hint={t('passwordHint')} />
      <PasswordField form={form} name="confirm" kind="new" label={t('confirmPassword')} />
      <p className="caption">{t('otherSessionsEnd')}</p>
      <SubmitButton own form={form}>
        {t('changePassword')}
      </SubmitButton>
    </Form>
  );
}
