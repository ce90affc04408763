import type { User } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { colleaguesQuery } from '../../queries/colleagues.ts';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { HistoryIcon, PlusIcon } from '../../ui/layout/icons.ts';
import { Card } from '../../ui/layout/Page.tsx';
import { ColleagueRow, InvitationRow } from './ColleagueRow.tsx';
import { InviteColleague } from './InviteColleague.tsx';
import style from './Colleagues.module.css';

/** The colleagues of an account: its holder invites and changes them, users above disable and delete them. */
export function ColleaguesCard({ account }: { account: User }) {
  const { t } = useTranslation('colleagues');
  const { t: audit } = useTranslation('audit');
  const { current, leading, person } = useSession();
  const [inviting, setInviting] = useState(false);
  const list = useQuery(colleaguesQuery(account.id));
  const own = current?.id === account.id;
  const isHolder = own && person?.access === 'holder';
  if (own && list.error) return <ErrorState error={list.error} onRetry={() => list.refetch()} />;
  if (!list.data || (!own && list.data.colleagues.length === 0)) return null;
  const { colleagues, invitations } = list.data;
  const by = isHolder ? 'holder' : own ? 'none' : 'above';
  return (
    <Card title={t('title')} action={<span className="numbers">{colleagues.length}</span>}>
      <p className="caption">{t('hint')}</p>
      {colleagues.length + invitations.length === 0 && <p>{t('empty')}</p>}
      <ul className={style.list}>
        {colleagues.map((colleague) => (
          <ColleagueRow key={colleague.id} colleague={colleague} by={by} />
        ))}
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.code} invitation={invitation} />
        ))}
      </ul>
      {isHolder && (
        <>
          <Button block icon={<PlusIcon />} onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
          <ButtonLink to={leading ? `/audit?actor=${account.id}` : '/audit'} block icon={<HistoryIcon />}>
            {audit('title')}
          </ButtonLink>
        </>
      )}
      {inviting && <InviteColleague onClose={() => setInviting(false)} />}
    </Card>
  );
}
