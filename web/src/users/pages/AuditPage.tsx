import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useAddressFilter } from '../../ui/layout/address.ts';
import { Button, IconButton } from '../../ui/layout/Button.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { UsersIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { UserPicker } from '../../ui/form/UserPicker.tsx';
import { AuditCard } from '../audit/AuditCard.tsx';
import { withRows } from '../audit/rows.ts';
import { useSession } from '../../platform/session.ts';
import { ownAuditQuery } from '../../queries/colleagues.ts';
import { auditQuery, pickableUsersQuery, userQuery } from '../../queries/users.ts';

const UserId = z.uuid();

/** Audit in the scope of a leading user, of one user with `?actor=<id>`; others see that of their own account. */
export default function AuditPage() {
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation();
  const { leading, role } = useSession();
  const filter = useAddressFilter(['actor']);
  const actor = UserId.safeParse(filter.values.actor).data;
  const [picking, setPicking] = useState(false);
  const showAll = () => filter.clear();
  return (
    <Page
      title={t('title')}
      back={role === 'member' ? '/settings' : '/user'}
      actions={
        leading && <IconButton label={common('chooseUser')} icon={<UsersIcon />} onClick={() => setPicking(true)} />
      }
      bar={actor && <ActorChips actor={actor} onAll={showAll} />}
    >
      <InfiniteList
        query={{ ...(leading ? auditQuery(actor) : ownAuditQuery), select: withRows }}
        label={t('title')}
        rowHeight={76}
        render={(row) => <AuditCard row={row} />}
        empty={
          actor
            ? { title: t('emptyActor'), action: <Button onClick={showAll}>{t('allUsers')}</Button> }
            : { title: t('empty'), hint: t('emptyHint') }
        }
      />
      {picking && (
        <UserPicker
          query={pickableUsersQuery}
          onClose={() => setPicking(false)}
          onPick={(user) => {
            filter.set({ actor: user.id });
            setPicking(false);
          }}
        />
      )}
    </Page>
  );
}

/** Actor filter of the entries, with a button to remove it. */
function ActorChips({ actor, onAll }: { actor: string; onAll: () => void }) {
  const { t } = useTranslation('audit');
  const user = useQuery(userQuery(actor));
  return (
    <Chips
      label={t('title')}
      value={actor}
      onChange={(next) => next === undefined && onAll()}
      options={[
        { value: undefined, label: t('allUsers') },
        { value: actor, label: user.data?.username ?? '…' },
      ]}
    />
  );
}
