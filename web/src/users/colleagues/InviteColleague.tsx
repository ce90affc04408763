import { type ColleagueInvitation, InviteColleagueBody } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { inviteColleague } from '../../queries/colleagues.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { SubmitButton } from '../../ui/form/fields.tsx';
import { Form, TextField, useForm } from '../../ui/form/form.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { useCopy } from '../../ui/layout/copy.ts';
import { CopyIcon, ShareIcon } from '../../ui/layout/icons.ts';
import { linkOf } from './link.ts';

/** Browsers without a share sheet (desks, mostly) copy the link instead. */
const canShare = typeof navigator.share === 'function';

/** Asks for the name and the access of a colleague, and shows the link of the invitation. */
export function InviteColleague({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('colleagues');
  const [made, setMade] = useState<ColleagueInvitation>();
  return (
    <Dialog kind="sheet" title={t('invite')} onClose={onClose}>
      {made ? <Link invitation={made} /> : <InviteForm onMade={setMade} />}
    </Dialog>
  );
}

function InviteForm({ onMade }: { onMade: (made: ColleagueInvitation) => void }) {
  const { t } = useTranslation('colleagues');
  const { t: users } = useTranslation('users');
  const form = useForm({
    schema: InviteColleagueBody,
    initial: { name: '', access: 'operator' },
    keeping: { as: 'colleague' },
    send: (values) => inviteColleague(InviteColleagueBody.parse(values)),
    onDone: onMade,
  });
  const { access } = form.values;
  return (
    <Form form={form} label={t('invite')}>
      <TextField form={form} name="name" label={t('name')} maxLength={60} />
      <Choice
        label={users('role')}
        value={access}
        onChange={(next) => form.set('access', next)}
        options={[
          { value: 'operator', label: t('operator') },
          { value: 'readOnly', label: t('readOnly') },
        ]}
      />
      <p className="caption">{t(access === 'operator' ? 'operatorHint' : 'readOnlyHint')}</p>
      <SubmitButton form={form}>{t('invite')}</SubmitButton>
    </Form>
  );
}

function Link({ invitation: { code, expiresAt } }: { invitation: ColleagueInvitation }) {
  const { t } = useTranslation('colleagues');
  const { t: users } = useTranslation('users');
  const { t: common } = useTranslation();
  const { date } = useFormat();
  const copy = useCopy();
  const link = linkOf(code);
  const send = async () => {
    if (canShare) await navigator.share({ text: t('shareText'), url: link }).catch(() => undefined);
    else await copy(link);
  };
  return (
    <>
      <p>{t('invitedUntil', { date: date(expiresAt) })}</p>
      <p className="device">{link}</p>
      <Button look="primary" block icon={canShare ? <ShareIcon /> : <CopyIcon />} onClick={send}>
        {canShare ? common('share') : users('copyLink')}
      </Button>
    </>
  );
}
