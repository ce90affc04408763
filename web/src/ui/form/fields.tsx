import type { ComponentProps, ReactNode } from 'react';
import { contractMessages } from '../../platform/i18n.ts';
import { useReadOnly } from '../../platform/session.ts';
import { Button } from '../layout/Button.tsx';
import { TextField } from './form.tsx';

type FieldProps<V> = Omit<ComponentProps<typeof TextField<V>>, 'type' | 'autoComplete' | 'maxLength'>;

/** Longest password that is read; the schema decides how long one may be. */
const PASSWORD_INPUT_MAX = 200;
/** A code of an app, or a recovery code with its dashes and blanks. */
const CODE_INPUT_MAX = 40;

/** The `current` password, or a `new` one that a password manager may suggest. */
export const PasswordField = <V,>({ kind, ...field }: FieldProps<V> & { kind: 'current' | 'new' }) => (
  <TextField<V> {...field} type="password" autoComplete={`${kind}-password`} maxLength={PASSWORD_INPUT_MAX} />
);

/** What is wrong with a password that was typed twice. */
export const checkRepeated = ({ password, confirm }: { password: string; confirm: string }): { confirm?: string } =>
  password === confirm ? {} : { confirm: contractMessages().errors.PASSWORD_DIFFERENT };

/** A code that is used once. */
export const CodeField = <V,>(field: FieldProps<V>) => (
  <TextField<V> {...field} autoComplete="one-time-code" maxLength={CODE_INPUT_MAX} />
);

interface SubmitButtonProps {
  form: { sending: boolean };
  look?: 'primary' | 'danger';
  /** About the own log-in, which read-only people change as well. */
  own?: boolean;
  children: ReactNode;
}

/** Sends a form, and shows that it is being sent. */
export function SubmitButton({ form, look = 'primary', own = false, children }: SubmitButtonProps) {
  const readOnly = useReadOnly();
  return (
    <Button look={look} block submit loading={form.sending} disabled={readOnly && !own}>
      {children}
    </Button>
  );
}
