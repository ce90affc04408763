import type { User } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { useIsLeading, useSession } from '../platform/session.ts';
import { useDefaultQuota } from '../queries/settings.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { StorageUse } from '../ui/feedback/StorageUse.tsx';
import { useFormat } from '../ui/format/format.ts';
import { RelativeTime } from '../ui/format/time.tsx';
import { Avatar } from '../ui/layout/Avatar.tsx';
import { Button, ButtonLink } from '../ui/layout/Button.tsx';
import {
  ForbidIcon,
  CheckIcon,
  DiskIcon,
  HistoryIcon,
  KeyIcon,
  PhoneIcon,
  ShieldIcon,
  TrashIcon,
  UsersIcon,
} from '../ui/layout/icons.ts';
import { ActionList } from '../ui/layout/Menu.tsx';
import { Card, Columns, Facts } from '../ui/layout/Page.tsx';
import {
  askToDelete,
  askToResetSecondFactor,
  changePhone,
  changeQuota,
  changeRole,
  demandApproval,
  toggleUser,
} from './actions.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { ColleaguesCard } from './colleagues/ColleaguesCard.tsx';
import { UserHub } from './UserHub.tsx';
import style from './users.module.css';

interface UserDetailsProps {
  user: User;
  /** Leaves what showed the user. */
  onRemoved: () => void;
}

/** All about a user, on its page and in the panel beside the list. */
export function UserDetails({ user, onRemoved }: UserDetailsProps) {
  const { current } = useSession();
  const isLeading = useIsLeading();
  const self = current?.id === user.id;
  const actions = isLeading && <Actions user={user} onRemoved={onRemoved} />;
  return <Columns main={<About user={user} self={self} />} side={self ? <OwnLinks user={user} /> : actions} />;
}

function About({ user, self }: { user: User; self: boolean }) {
  const { t } = useTranslation('users');
  const { t: home } = useTranslation('home');
  const { dateTime } = useFormat();
  const defaultQuota = useDefaultQuota();
  return (
    <>
      <Card>
        <div className={style.profile}>
          <Avatar name={user.username} />
          <div className={style.badges}>
            {self && <Badge tone="primary">{t('you')}</Badge>}
            <Badge>{t(user.role)}</Badge>
            <StateBadge state={user.disabled ? 'forbidden' : 'enabled'} />
          </div>
        </div>
        {user.disabled && user.remark && (
          <p className={style.remark}>
            {t('remark')}: {user.remark}
          </p>
        )}
      </Card>
      <Card>
        <UserHub user={user} />
      </Card>
      <Card>
        <Facts
          rows={[
            [t('managedBy'), user.superior?.username],
            [
              t('phone'),
              user.phone && (
                <a href={`tel:${user.phone}`} className="device">
                  {user.phone}
                </a>
              ),
            ],
            [t('storage'), <StorageUse key="storage" user={user} defaultQuota={defaultQuota} />],
            [t('createdAt'), dateTime(user.createdAt)],
            [home('secondFactor'), home(user.secondFactor ? 'secondFactorOn' : 'secondFactorOff')],
            [t('releases'), user.releasesNeedApproval && t('needApproval')],
            [t('lastLoginAt'), user.lastLoginAt && <RelativeTime at={user.lastLoginAt} />],
          ]}
        />
      </Card>
      {!self && <ColleaguesCard account={user} />}
    </>
  );
}

/** Actions on the user's own account. */
function OwnLinks({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const { t: home } = useTranslation('home');
  const { t: audit } = useTranslation('audit');
  const { leading } = useSession();
  return (
    <>
      <Button changes icon={<PhoneIcon />} onClick={() => void changePhone(user)}>
        {t('editPhone')}
      </Button>
      <ButtonLink to="/password" icon={<KeyIcon />}>
        {t('changePassword')}
      </ButtonLink>
      <ButtonLink to="/second-factor" icon={<ShieldIcon />}>
        {home('secondFactor')}
      </ButtonLink>
      {leading && (
        <ButtonLink to={`/audit?actor=${user.id}`} icon={<HistoryIcon />}>
          {audit('title')}
        </ButtonLink>
      )}
    </>
  );
}

/** Actions of a leading user on a user below. */
function Actions({ user, onRemoved }: UserDetailsProps) {
  const { t } = useTranslation('users');
  const { t: audit } = useTranslation('audit');
  const navigate = useNavigate();
  const defaultQuota = useDefaultQuota();
  const [params, setParams] = useSearchParams();
  const showPassword = (shown: boolean) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (shown) after.set('password', 'set');
        else after.delete('password');
        return after;
      },
      { replace: true },
    );
  const remove = async () => {
    if (await askToDelete(user)) onRemoved();
  };
  const enabling = user.disabled;
  return (
    <>
      <ActionList
        items={[
          { text: audit('title'), icon: <HistoryIcon />, onPick: () => void navigate(`/audit?actor=${user.id}`) },
          { text: t('changePassword'), icon: <KeyIcon />, onPick: () => showPassword(true) },
          ...(user.secondFactor
            ? [{ text: t('resetSecondFactor'), icon: <KeyIcon />, onPick: () => void askToResetSecondFactor(user) }]
            : []),
          { text: t('editPhone'), icon: <PhoneIcon />, onPick: () => void changePhone(user) },
          {
            text: t('setQuota'),
            icon: <DiskIcon />,
            onPick: () => void changeQuota(user, defaultQuota),
          },
          ...(user.role === 'member'
            ? [
                {
                  text: t(user.releasesNeedApproval ? 'endApproval' : 'demandApproval'),
                  hint: t(user.releasesNeedApproval ? 'endApprovalHint' : 'demandApprovalHint'),
                  icon: <ShieldIcon />,
                  onPick: () => void demandApproval(user),
                },
              ]
            : []),
          {
            text: t(user.role === 'leading' ? 'makeMember' : 'makeLeading'),
            hint: t(user.role === 'leading' ? 'memberHint' : 'leadingHint'),
            icon: <UsersIcon />,
            onPick: () => void changeRole(user),
          },
          {
            text: t(enabling ? 'enable' : 'disable'),
            icon: enabling ? <CheckIcon /> : <ForbidIcon />,
            onPick: () => void toggleUser(user),
          },
          { text: t('deleteUser'), icon: <TrashIcon />, danger: true, onPick: () => void remove() },
        ]}
      />
      {params.has('password') && (
        <Dialog kind="sheet" title={t('setPassword')} onClose={() => showPassword(false)}>
          <PasswordForm userId={user.id} own={false} onDone={() => showPassword(false)} />
        </Dialog>
      )}
    </>
  );
}
