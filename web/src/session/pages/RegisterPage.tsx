import { INVITATION_CODE_LENGTH, type LoginChallenge, SelfRegisterBody, type session } from '@ams/contract';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import type { z } from 'zod';
import { useCalled } from '../../platform/call.ts';
import { contractMessages } from '../../platform/i18n.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { checkRepeated, PasswordField, SubmitButton } from '../../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../../ui/form/form.tsx';
import { CheckIcon, FailIcon } from '../../ui/layout/icons.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { CaptchaField, useCaptcha } from '../captcha.tsx';
import { calls, useSettings } from '../../queries/session.ts';
import { SessionFrame } from '../SessionFrame.tsx';
import style from '../session.module.css';

/** Few need it: it comes when it is asked for. */
const Challenge = lazy(() => import('../Challenge.tsx'));

/** `/register/self` registers without a code, `/register/code` asks for one, any other is a code. */
export default function RegisterPage() {
  const { t } = useTranslation('session');
  const { code = '' } = useParams();
  // Another one whenever somebody comes here, also with the same code.
  const { key } = useLocation();
  return (
    <SessionFrame title={t('registerTitle')}>
      {code === 'self' ? <SelfRegistration /> : code === 'code' ? <CodeEntry /> : <WithCode key={key} code={code} />}
      <nav className={style.links}>
        <Link to="/login">{t('haveAccount')}</Link>
      </nav>
    </SessionFrame>
  );
}

function SelfRegistration() {
  const { t } = useTranslation('session');
  const settings = useSettings();
  if (settings?.selfRegister !== false) return <RegisterForm />;
  return (
    <>
      <p className={style.note}>{t('selfRegisterClosed')}</p>
      <CodeEntry />
    </>
  );
}

/** The code is checked on arrival: who invited, or a place to enter another one. */
function WithCode({ code }: { code: string }) {
  const { t } = useTranslation('session');
  const check = useCalled(code, () => calls.checkRegisterCode({ body: { code } }));
  if (check.state === 'loading') {
    return (
      <div role="status" aria-label={t('checkingCode')}>
        <Skeleton height={320} />
      </div>
    );
  }
  if (check.state === 'failed') {
    return (
      <>
        <p className={`${style.note} ${style.bad}`} role="alert">
          <FailIcon />
          {check.failure.message}
        </p>
        <CodeEntry initial={code} />
      </>
    );
  }
  return (
    <>
      <p className={style.note}>
        <CheckIcon />
        {t(check.data.colleague ? 'joinAs' : 'invitedBy', { username: check.data.superior.username })}
      </p>
      <RegisterForm code={code} />
    </>
  );
}

function CodeEntry({ initial = '' }: { initial?: string }) {
  const { t } = useTranslation('session');
  const id = useId();
  const navigate = useNavigate();
  const settings = useSettings();
  const [code, setCode] = useState(initial);
  const [error, setError] = useState<string>();
  const go = () => {
    const entered = code.trim();
    if (!entered) return setError(contractMessages().rules['invitation.required']);
    void navigate(`/register/${encodeURIComponent(entered)}`);
  };
  return (
    <form
      className={style.inner}
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <FieldFrame id={id} label={t('invitationCode')} error={error}>
        <TextControl id={id} value={code} onChange={setCode} error={error} maxLength={INVITATION_CODE_LENGTH * 2} />
      </FieldFrame>
      <Button look="primary" block submit>
        {t('checkCode')}
      </Button>
      {settings?.selfRegister && (
        <p className={style.links}>
          <Link to="/register/self">{t('noCode')}</Link>
        </p>
      )}
    </form>
  );
}

/** Makes the account and signs in, with a second factor where somebody above demands one. */
function RegisterForm({ code }: { code?: string }) {
  const navigate = useNavigate();
  const [challenge, setChallenge] = useState<LoginChallenge>();
  const enter = () => void navigate('/', { replace: true });
  if (!challenge) {
    const onDone = (answer: Answer) => ('challenge' in answer ? setChallenge(answer.challenge) : enter());
    return <AccountForm {...(code !== undefined && { code })} onDone={onDone} />;
  }
  return (
    <Suspense>
      <Challenge challenge={challenge} onDone={enter} onStartOver={() => void navigate('/login', { replace: true })} />
    </Suspense>
  );
}

type Answer = z.output<typeof session.selfRegister.response>;

/** With a code the account is below its maker, without one below the first account. */
function AccountForm({ code, onDone }: { code?: string; onDone: (answer: Answer) => void }) {
  const { t } = useTranslation('session');
  const captcha = useCaptcha();
  const form = useForm({
    schema: SelfRegisterBody,
    initial: { username: '', password: '', confirm: '', captcha: '' },
    check: (values) => ({
      ...captcha.check(values.captcha),
      ...checkRepeated(values),
    }),
    send: ({ captcha: text, ...values }) => {
      const body = { ...values, ...captcha.part(text) };
      return code === undefined ? calls.selfRegister({ body }) : calls.register({ body: { ...body, code } });
    },
    fieldOf: { USERNAME_TAKEN: 'username', PASSWORD_DIFFERENT: 'confirm', BAD_CAPTCHA: 'captcha' },
    onDone,
    onFail: captcha.renew,
  });
  return (
    <Form form={form} label={t('registerTitle')}>
      <TextField
        form={form}
        name="username"
        label={t('username')}
        hint={t('usernameHint')}
        autoComplete="username"
        maxLength={40}
      />
      <PasswordField form={form} name="password" kind="new" label={t('password')} hint={t('passwordHint')} />
      <PasswordField form={form} name="confirm" kind="new" label={t('confirmPassword')} />
      <CaptchaField form={form} captcha={captcha} />
      <SubmitButton own form={form}>
        {t('register')}
      </SubmitButton>
    </Form>
  );
}
