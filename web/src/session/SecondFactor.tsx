import { type Envelope, type LoginChallenge, SecondFactorCode } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { save } from '../platform/api.ts';
import { Button } from '../ui/layout/Button.tsx';
import { CodeField, SubmitButton } from '../ui/form/fields.tsx';
import { Form, useForm } from '../ui/form/form.tsx';
import style from './SecondFactor.module.css';

interface CodeFormProps<D> {
  challenge: LoginChallenge;
  /** The words of the button. */
  action: string;
  send: (body: { challenge: string; code: string }) => Promise<Envelope<D>>;
  onDone: (data: D) => void;
  onStartOver: () => void;
}

/** Asks for a code of the authenticator app; shows how to set the app up before, where that is still to do. */
export function CodeForm<D>({ challenge, action, send, onDone, onStartOver }: CodeFormProps<D>) {
  const { t } = useTranslation('session');
  const { setup } = challenge;
  const form = useForm({
    schema: z.object({ code: SecondFactorCode }),
    initial: { code: '' },
    send: ({ code }) => send({ challenge: challenge.token, code }),
    fieldOf: { BAD_CODE: 'code', CHALLENGE_OVER: 'code' },
    onDone,
  });
  return (
    <Form form={form} label={t('twoFactor')}>
      {setup && (
        <div className={style.steps}>
          <p>{t('setUpScan')}</p>
          <img className={style.key} src={setup.qr} alt={t('keyPicture')} />
          <strong className={`device ${style.secret}`}>{setup.secret.replace(/(.{4})(?!$)/g, '$1 ')}</strong>
        </div>
      )}
      <CodeField form={form} name="code" label={t('code')} hint={t(setup ? 'codeHintSetUp' : 'codeHint')} takesFocus />
      <SubmitButton own form={form}>
        {action}
      </SubmitButton>
      <Button look="quiet" block onClick={onStartOver}>
        {t('startOver')}
      </Button>
    </Form>
  );
}

/** The recovery codes, this once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation('session');
  const keep = () => save(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'recovery codes.txt');
  return (
    <div className={style.recovery}>
      <h2>{t('recoveryCodes')}</h2>
      <p>{t('recoveryCodesHint')}</p>
      <ul className={style.codes}>
        {codes.map((code) => (
          <li key={code} className="device">
            {code}
          </li>
        ))}
      </ul>
      <Button block onClick={keep}>
        {t('saveCodes')}
      </Button>
      <Button look="primary" block onClick={onDone}>
        {t('codesSaved')}
      </Button>
    </div>
  );
}
