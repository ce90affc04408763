import { formatMac, PairBody, parseMac } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { toast } from '../../platform/toast.ts';
import { useSession } from '../../platform/session.ts';
import { ButtonLink } from '../../ui/layout/Button.tsx';
import { SubmitButton } from '../../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../../ui/form/form.tsx';
import { ScanIcon } from '../../ui/layout/icons.ts';
import { Card } from '../../ui/layout/Page.tsx';
import { useOwnerChoice } from '../OwnerField.tsx';
import { pairKnowingly } from './pairing.ts';
import style from './scan.module.css';

const Typed = PairBody.omit({ ownerId: true }).required();

interface PairFormProps {
  /** As scanned; empty where it is to be typed. */
  mac: string;
  code: string;
}

/** Pairs the device that shows this code. */
export function PairForm({ mac, code }: PairFormProps) {
  const { t } = useTranslation('devices');
  const { leading } = useSession();
  const navigate = useNavigate();
  const { owner, field, picker } = useOwnerChoice();
  const form = useForm({
    schema: Typed,
    initial: { mac: formatMac(parseMac(mac) ?? mac), code, name: '' },
    send: (values) => pairKnowingly({ ...values, name: values.name || undefined, ownerId: owner?.id }),
    fieldOf: { BAD_PAIRING_CODE: 'code', DEVICE_OWNED: 'mac' },
    onDone: (device) => {
      if (device === null) return;
      toast.success(t('paired'));
      void navigate(`/mac/${device.id}`, { replace: true });
    },
  });
  return (
    <>
      <Card>
        <DeviceDrawing code={form.values.code} />
        <p className={style.intro}>{t(leading ? 'pairIntroLeading' : 'pairIntro')}</p>
        <Form form={form} label={t('scanTitle')}>
          <div className={style.pair}>
            <TextField form={form} name="mac" label={t('mac')} autoComplete="off" maxLength={17} />
            <TextField
              form={form}
              name="code"
              label={t('code')}
              hint={t('codeHint')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
            />
          </div>
          <TextField form={form} name="name" label={t('name')} hint={t('nameHint')} autoComplete="off" maxLength={60} />
          {field(t('ownerHint'))}
          <SubmitButton form={form}>{t('pair')}</SubmitButton>
        </Form>
      </Card>
      <ButtonLink to="/scancode" icon={<ScanIcon />} block>
        {t('scanAgain')}
      </ButtonLink>
      {picker}
    </>
  );
}

const DIGITS = 6;

/** The device's screen with the code as it should be seen there. */
function DeviceDrawing({ code }: { code: string }) {
  const digits = code.replace(/\s/g, '').split('');
  return (
    <div className={style.device} aria-hidden>
      <div className={style.face}>
        {Array.from({ length: Math.max(DIGITS, digits.length) }, (_, index) => (
          <span key={index} className={digits[index] === undefined ? style.blank : undefined}>
            {digits[index] ?? '·'}
          </span>
        ))}
      </div>
      <i />
    </div>
  );
}
