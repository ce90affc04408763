import { DEVICE_NAME_MAX, formatMac, OptionalPlace, PairBody, parseMac } from '@ams/contract';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLeave } from '../../platform/shown.ts';
import { toast } from '../../platform/toast.ts';
import { useSession } from '../../platform/session.ts';
import { ButtonLink } from '../../ui/layout/Button.tsx';
import { FieldFrame, TextControl } from '../../ui/form/Field.tsx';
import { SubmitButton } from '../../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../../ui/form/form.tsx';
import { ScanIcon } from '../../ui/layout/icons.ts';
import { Card } from '../../ui/layout/Page.tsx';
import { ChosenOwner, useOwnerChoice } from '../OwnerField.tsx';
import { givenPlace, PlaceFields } from '../PlaceFields.tsx';
import { givenTags, TagsField, TypedTags } from '../TagsField.tsx';
import { pairKnowingly } from './pairing.ts';
import style from './scan.module.css';

const Typed = PairBody.omit({ mac: true, ownerId: true, area: true, address: true, tags: true })
  .required()
  .extend({ ...OptionalPlace.shape, tags: TypedTags, owner: ChosenOwner });

interface PairFormProps {
  /** As scanned; empty where only the code is known. */
  mac: string;
  code: string;
}

/** Pairs the device that shows this code. The code alone is enough. */
export function PairForm({ mac, code }: PairFormProps) {
  const { t } = useTranslation('devices');
  const { leading, current } = useSession();
  const leave = useLeave();
  const scanned = parseMac(mac);
  const form = useForm({
    schema: Typed,
    initial: { code, name: '', area: '', address: '', tags: '', owner: undefined },
    keeping: { as: `pairing ${mac} ${code}` },
    send: ({ owner, ...values }) =>
      pairKnowingly({
        ...values,
        ...givenPlace(values),
        tags: givenTags(values.tags),
        mac: scanned,
        ownerId: owner?.id,
      }),
    fieldOf: { BAD_PAIRING_CODE: 'code', DEVICE_OWNED: 'code', DEVICE_PAIRED: 'code' },
    onDone: (device) => {
      if (device === null) return;
      const { id, username } = device.owner;
      toast.success(id === current?.id ? t('paired') : t('pairedForOwner', { username }));
      void leave(`/mac/${device.id}`, { replace: true });
    },
  });
  const { field, picker } = useOwnerChoice(form);
  return (
    <>
      <Card>
        <DeviceDrawing code={form.values.code} />
        <p className={style.intro}>{t(leading ? 'pairIntroLeading' : 'pairIntro')}</p>
        <Form form={form} label={t('scanTitle')}>
          <div className={scanned && style.pair}>
            {scanned && <ScannedMac mac={scanned} />}
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
          <TextField
            form={form}
            name="name"
            label={t('name')}
            hint={t('pairNameHint')}
            autoComplete="off"
            maxLength={DEVICE_NAME_MAX}
          />
          <PlaceFields form={form} optional />
          <TagsField form={form} name="tags" label={t('tags')} hint={t('tagsOptional')} />
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

/** The MAC that was scanned, to be compared with the device. */
function ScannedMac({ mac }: { mac: string }) {
  const { t } = useTranslation('devices');
  const id = useId();
  return (
    <FieldFrame id={id} label={t('mac')}>
      <TextControl id={id} value={formatMac(mac)} onChange={() => undefined} readOnly />
    </FieldFrame>
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
