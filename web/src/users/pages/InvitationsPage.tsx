import type { Invitation } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../platform/session.ts';
import { LeadingOnly } from '../../ui/feedback/States.tsx';
import { oneOf, useAddressFilter } from '../../ui/layout/address.ts';
import { Button } from '../../ui/layout/Button.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { ButtonRow } from '../../ui/layout/ButtonRow.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { PlusIcon, TableIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { InvitationCard } from '../InvitationCard.tsx';
import { MakeInvitations } from '../MakeInvitations.tsx';
import { exportInvitations } from '../../queries/invitationCodes.ts';
import { invitationsQuery } from '../../queries/users.ts';

const STATES = ['unused', 'used', 'expired', 'revoked'] as const satisfies readonly Invitation['state'][];

export default function InvitationsPage() {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const [making, setMaking] = useState(false);
  const filter = useAddressFilter(['state', 'owner']);
  const state = oneOf(STATES, filter.values.state);
  // The answer of a proxy has no role: by `leading` it would take the sheet away.
  const { role } = useSession();
  if (role === 'member') {
    return (
      <Page title={t('invitations')} back="/user">
        <LeadingOnly />
      </Page>
    );
  }
  const text = {
    unused: t('stateUnused'),
    used: t('stateUsed'),
    expired: t('stateExpired'),
    revoked: t('stateRevoked'),
  };
  return (
    <Page
      title={t('invitations')}
      back="/user"
      bar={
        <Chips
          label={t('invitations')}
          value={state}
          onChange={(next) => filter.set({ state: next })}
          options={[{ value: undefined, label: t('all') }, ...STATES.map((value) => ({ value, label: text[value] }))]}
        />
      }
    >
      <ButtonRow>
        <Button look="primary" small icon={<PlusIcon />} onClick={() => setMaking(true)}>
          {t('createCodes')}
        </Button>
        <Button small icon={<TableIcon />} onClick={exportInvitations}>
          {common('export')}
        </Button>
      </ButtonRow>
      <InfiniteList
        query={invitationsQuery({ state, owner: filter.values.owner })}
        label={t('invitations')}
        rowHeight={88}
        render={(invitation) => <InvitationCard invitation={invitation} />}
        empty={{ title: t('noInvitations'), hint: t('noInvitationsHint') }}
      />
      {making && <MakeInvitations onClose={() => setMaking(false)} />}
    </Page>
  );
}
