import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { contractMessages } from '../platform/i18n.ts';
import { TextField } from '../ui/form.tsx';
import { captchaQuery, settingsQuery } from './session.api.ts';
import style from './session.module.css';

/** What the forms of this folder know of the verification code; none when the installation asks for none. */
export function useCaptcha() {
  const client = useQueryClient();
  const settings = useQuery(settingsQuery);
  const asked = settings.data?.captcha !== false;
  const picture = useQuery({ ...captchaQuery, enabled: settings.data?.captcha === true });
  return {
    asked,
    image: picture.data?.image,
    /** What goes along with the form. */
    part: (text: string | undefined) => (asked ? { captchaId: picture.data?.captchaId, captcha: text } : {}),
    check: (text: string | undefined): Record<string, string> =>
      asked && !text?.trim() ? { captcha: contractMessages().rules['captcha.required'] } : {},
    renew: () => void client.resetQueries({ queryKey: captchaQuery.queryKey }),
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
        <button type="button" className={style.captcha} aria-label={t('captchaAnother')} onClick={another}>
          {captcha.image && <img src={captcha.image} alt={t('captchaPicture')} />}
        </button>
      }
    />
  );
}
