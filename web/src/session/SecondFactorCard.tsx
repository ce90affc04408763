import { type LoginChallenge, SecondFactorProof, type User } from '@ams/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../platform/toast.ts';
import { Button } from '../ui/layout/Button.tsx';
import { Switch } from '../ui/form/Choice.tsx';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { CodeField, PasswordField, SubmitButton } from '../ui/form/fields.tsx';
import { Form, useForm } from '../ui/form/form.tsx';
import { succeeded } from '../ui/feedback/outcome.ts';
import { Card } from '../ui/layout/Page.tsx';
import { CodeForm, RecoveryCodes } from './SecondFactor.tsx';
import { SecondFactorState } from '../ui/feedback/SecondFactorState.tsx';
import { useSession } from '../platform/session.ts';
import { selfQuery } from '../queries/colleagues.ts';
import { beginSecondFactor, confirmSecondFactor, endSecondFactor, updateUser } from '../queries/users.ts';
import style from './SecondFactor.module.css';

type Step =
  | { at: 'rest' }
  | { at: 'prove' }
  | { at: 'setup'; challenge: LoginChallenge }
  | { at: 'codes'; codes: string[] }
  | { at: 'end' };

/** One's own second factor: on, off, and for leading users whether everybody below needs one. */
export function SecondFactorCard({ user }: { user: User }) {
  const { t } = useTranslation('session');
  const { t: common } = useTranslation();
  const { person } = useSession();
  const isColleague = person !== undefined && person.access !== 'holder';
  const self = useQuery({ ...selfQuery, enabled: isColleague });
  const on = isColleague ? self.data?.secondFactor === true : user.secondFactor;
  const [step, setStep] = useState<Step>({ at: 'rest' });
  const rest = () => setStep({ at: 'rest' });
  const demand = useMutation({
    mutationFn: async (secondFactorBelow: boolean) =>
      succeeded(await updateUser(user.id, { secondFactorBelow }), common('saved')),
  });
  return (
    <Card title={t('twoFactor')} action={(!isColleague || self.data) && <SecondFactorState on={on} />}>
      <p className="caption">{t('twoFactorHint')}</p>
      <Button block disabled={isColleague && !self.data} onClick={() => setStep({ at: on ? 'end' : 'prove' })}>
        {t(on ? 'turnOff' : 'turnOn')}
      </Button>
      {user.role === 'leading' && !isColleague && (
        <div className={style.demand}>
          <p>
            {t('requireForManaged')}
            <span className="caption">{t('requireForManagedHint')}</span>
          </p>
          <Switch
            label={t('requireForManaged')}
            checked={user.secondFactorBelow}
            disabled={demand.isPending}
            onChange={(demanded) => demand.mutate(demanded)}
          />
        </div>
      )}
      {step.at !== 'rest' && (
        // The codes are shown this once: only their own button puts them away.
        <Dialog
          kind={step.at === 'codes' ? 'confirm' : 'sheet'}
          title={t('twoFactor')}
          onClose={() => step.at !== 'codes' && rest()}
        >
          {step.at === 'prove' && <BeginForm onDone={(challenge) => setStep({ at: 'setup', challenge })} />}
          {step.at === 'setup' && (
            <CodeForm
              challenge={step.challenge}
              action={t('turnOn')}
              send={(body) => confirmSecondFactor(user.id, body)}
              onDone={({ recoveryCodes }) => setStep({ at: 'codes', codes: recoveryCodes })}
              onStartOver={() => setStep({ at: 'prove' })}
            />
          )}
          {step.at === 'codes' && <RecoveryCodes codes={step.codes} onDone={rest} />}
          {step.at === 'end' && <EndForm user={user} onDone={rest} />}
        </Dialog>
      )}
    </Card>
  );
}

/** The password, before a new key is shown. */
function BeginForm({ onDone }: { onDone: (challenge: LoginChallenge) => void }) {
  const { t } = useTranslation('session');
  const form = useForm({
    schema: SecondFactorProof.pick({ password: true }),
    initial: { password: '' },
    send: (body) => beginSecondFactor(body),
    fieldOf: { WRONG_PASSWORD: 'password', TOO_MANY: 'password' },
    onDone,
  });
  return (
    <Form form={form} label={t('turnOn')}>
      <PasswordField
        form={form}
        name="password"
        kind="current"
        label={t('password')}
        hint={t('proofHint')}
        takesFocus
      />
      <SubmitButton own form={form}>
        {t('continue')}
      </SubmitButton>
    </Form>
  );
}

function EndForm({ user, onDone }: { user: User; onDone: () => void }) {
  const { t } = useTranslation('session');
  const form = useForm({
    schema: SecondFactorProof.required(),
    initial: { password: '', code: '' },
    send: (body) => endSecondFactor(user.id, body),
    fieldOf: { WRONG_PASSWORD: 'password', SECOND_FACTOR_DEMANDED: 'password', TOO_MANY: 'password', BAD_CODE: 'code' },
    onDone: () => {
      toast.success(t('turnedOff'));
      onDone();
    },
  });
  return (
    <Form form={form} label={t('turnOff')}>
      <PasswordField
        form={form}
        name="password"
        kind="current"
        label={t('password')}
        hint={t('turnOffHint')}
        takesFocus
      />
      <CodeField form={form} name="code" label={t('code')} hint={t('codeHint')} />
      <SubmitButton own form={form} look="danger">
        {t('turnOff')}
      </SubmitButton>
    </Form>
  );
}
