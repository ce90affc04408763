import type { LoginBody, LoginChallenge, session as routes } from '@ams/contract';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { z } from 'zod';
import { contractMessages } from '../../platform/i18n.ts';
import { session } from '../../platform/session.ts';
import { CodeField, PasswordField, SubmitButton } from '../../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../../ui/form/form.tsx';
import { CaptchaField, useCaptcha } from '../captcha.tsx';
import { destination } from '../destination.ts';
import { calls, useSettings } from '../../queries/session.ts';
import { SessionFrame } from '../SessionFrame.tsx';
import style from '../session.module.css';

/** Few need it: it comes when it is asked for. */
const Challenge = lazy(() => import('../Challenge.tsx'));

export default function LoginPage() {
  const { t } = useTranslation('session');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [challenge, setChallenge] = useState<LoginChallenge>();
  const state: unknown = useLocation().state;
  const enter = () => void navigate(destination(params.get('next')), { replace: true, state });
  // A log-in in another tab is one for this tab, too.
  const follow = useEffectEvent(() => session.snapshot().signedIn && enter());
  useEffect(() => {
    // A user whose session expired leaves no data behind.
    session.check();
    if (session.snapshot().signedIn) return undefined;
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
  return (
    <SessionFrame title={t(challenge ? 'twoFactor' : 'loginTitle')}>
      {challenge ? (
        <Suspense>
          <Challenge challenge={challenge} onDone={enter} onStartOver={() => setChallenge(undefined)} />
        </Suspense>
      ) : (
        <>
          <LoginForm onDone={(answer) => ('challenge' in answer ? setChallenge(answer.challenge) : enter())} />
          <RegisterLinks />
        </>
      )}
    </SessionFrame>
  );
}

type Answer = z.output<typeof routes.login.response>;

/**
 * What was left empty, before a verification code is spent on it. The other rules are the server's to tell: the
 * first page that anybody sees does without the weight of schemas.
 */
function missing({ username, password }: LoginBody) {
  const { rules } = contractMessages();
  return {
    ...(username.trim() === '' && { username: rules['username.required'] }),
    ...(password === '' && { password: rules['password.required'] }),
  };
}

function LoginForm({ onDone }: { onDone: (answer: Answer) => void }) {
  const { t } = useTranslation('session');
  const captcha = useCaptcha();
  const [locked, setLocked] = useState(false);
  const form = useForm<LoginBody, Answer>({
    initial: { username: '', password: '', code: '', captcha: '' },
    check: (values) => ({ ...missing(values), ...captcha.check(values.captcha) }),
    send: async ({ username, password, code, captcha: text }) => {
      const body = { username, password, ...(code && { code }), ...captcha.part(text) };
      const answer = await calls.login({ body });
      setLocked(answer.error === 'TOO_MANY' || answer.error === 'BAD_CODE');
      return answer;
    },
    fieldOf: { BAD_CREDENTIALS: 'password', FORBIDDEN_USER: 'username', BAD_CAPTCHA: 'captcha', BAD_CODE: 'code' },
    onDone,
    onFail: captcha.renew,
  });
  return (
    <Form form={form} label={t('login')}>
      <TextField form={form} name="username" label={t('username')} autoComplete="username" maxLength={100} />
      <PasswordField form={form} name="password" kind="current" label={t('password')} />
      {locked && <CodeField form={form} name="code" label={t('code')} hint={t('codeHintLocked')} />}
      <CaptchaField form={form} captcha={captcha} />
      <SubmitButton own form={form}>
        {t('login')}
      </SubmitButton>
    </Form>
  );
}

function RegisterLinks() {
  const { t } = useTranslation('session');
  const settings = useSettings();
  return (
    <nav className={style.links}>
      <Link to="/register/code">{t('registerByCode')}</Link>
      {settings?.selfRegister && <Link to="/register/self">{t('selfRegister')}</Link>}
    </nav>
  );
}
