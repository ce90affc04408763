import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { selfQuery } from '../queries/colleagues.ts';
import { Choice } from '../ui/form/Choice.tsx';
import { CodeField } from '../ui/form/fields.tsx';
import { HoldButton } from '../ui/form/HoldButton.tsx';
import { TextField, type useForm } from '../ui/form/form.tsx';
import { Labelled } from '../ui/form/Labelled.tsx';
import { useFormat } from '../ui/format/format.ts';
import { TakeoverIcon } from '../ui/layout/icons.ts';
import { inMs, type Length, LENGTHS } from './time.ts';

/** The fields for starting a takeover: its end, and a code where the second factor is on. */
export interface Proof {
  length: Length;
  /** The value of a `datetime-local` field. */
  until: string;
  code: string;
}

export const NO_PROOF: Proof = { length: 60, until: '', code: '' };

interface ProofFieldsProps {
  form: ReturnType<typeof useForm<Proof, unknown>>;
}

export function ProofFields({ form }: ProofFieldsProps) {
  const { t } = useTranslation('releases');
  const { t: session } = useTranslation('session');
  const { length } = useFormat();
  // The server asks the person for it, who may be a colleague of the account.
  const self = useQuery(selfQuery);
  return (
    <>
      <Labelled label={t('takeoverLength')}>
        <Choice<Length>
          label={t('takeoverLength')}
          value={form.values.length}
          onChange={(next) => form.set('length', next)}
          options={[
            ...LENGTHS.map((minutes) => ({ value: minutes, label: length(inMs(minutes)) })),
            { value: 'until', label: t('takeoverUntil') },
          ]}
        />
      </Labelled>
      {form.values.length === 'until' && (
        <TextField form={form} name="until" type="datetime-local" label={t('takeoverEndsAt')} />
      )}
      {self.data?.secondFactor && (
        <CodeField form={form} name="code" label={session('code')} hint={session('codeHint')} />
      )}
    </>
  );
}

/** Starts the takeover of a form when it is held. */
export function HoldToTakeOver({ form }: ProofFieldsProps) {
  const { t } = useTranslation('releases');
  return (
    <HoldButton
      icon={<TakeoverIcon />}
      hint={t('takeoverHoldHint')}
      onHeld={async (button) => button.form && form.submit(button.form)}
    >
      {t('takeoverHold')}
    </HoldButton>
  );
}
