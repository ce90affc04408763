import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCalled } from '../platform/call.ts';
import { contractMessages } from '../platform/i18n.ts';
import { TextField } from '../ui/form/form.tsx';
import { calls, useSettings } from '../queries/session.ts';
import style from './session.module.css';

/** State of the verification code in these forms; undefined if the installation requires none. */
export function useCaptcha() {
  const settings = useSettings();
  const asked = settings?.captcha !== false;
  // One try each, so every form and every failure needs a new one.
  const [round, setRound] = useState(0);
  const picture = useCalled(settings?.captcha === true ? String(round) : undefined, () => calls.captcha());
  const shown = picture.state === 'done' ? picture.data : undefined;
  return {
    asked,
    /** The next picture is on its way. */
    loading: picture.state === 'loading',
    image: shown?.image,
    /** Fields sent with the form. */
    part: (text: string | undefined) => (asked ? { captchaId: shown?.captchaId, captcha: text } : {}),
    check: (text: string | undefined): Record<string, string> =>
      asked && !text?.trim() ? { captcha: contractMessages().rules['captcha.required'] } : {},
    renew: () => setRound((last) => last + 1),
  };
}

interface CaptchaFieldProps {
  form: {
    values: { captcha?: string | undefined };
    errors: Partial<Record<string, string>>;
    set: (name: 'captcha', value: string) => void;
  };
  captcha: ReturnType<typeof useCaptcha>;
}

export function CaptchaField({ form, captcha }: CaptchaFieldProps) {
  const { t } = useTranslation('session');
  if (!captcha.asked) return null;
  const another = () => {
    form.set('captcha', '');
    captcha.renew();
  };
  return (
    <TextField
      form={{ ...form, values: { captcha: form.values.captcha ?? '' } }}
      name="captcha"
      label={t('captcha')}
      autoComplete="off"
      maxLength={20}
      after={
        <button
          type="button"
          className={style.captcha}
          aria-label={t('captchaAnother')}
          aria-busy={captcha.loading || undefined}
          onClick={() => captcha.loading || another()}
        >
          {captcha.image && <img src={captcha.image} alt={t('captchaPicture')} />}
        </button>
      }
    />
  );
}
