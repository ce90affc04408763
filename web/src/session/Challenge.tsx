import type { LoginChallenge } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeForm, RecoveryCodes } from './SecondFactor.tsx';
import { calls } from '../queries/session.ts';

interface ChallengeProps {
  challenge: LoginChallenge;
  onDone: () => void;
  onStartOver: () => void;
}

/** The second step of a login: a code, or setting up where codes come from. */
export default function Challenge({ challenge, onDone, onStartOver }: ChallengeProps) {
  const { t } = useTranslation('session');
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <>
      {challenge.setup && <p>{t('setUpRequired')}</p>}
      <CodeForm
        challenge={challenge}
        action={t('login')}
        send={(body) => calls.loginCode({ body })}
        onDone={({ recoveryCodes }) => (recoveryCodes ? setCodes(recoveryCodes) : onDone())}
        onStartOver={onStartOver}
      />
    </>
  );
}
