import type { Colleague, ColleagueInvitation } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Badge, StateBadge } from '../../ui/feedback/StateBadge.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { RelativeTime } from '../../ui/format/time.tsx';
import { Avatar } from '../../ui/layout/Avatar.tsx';
import { useCopy } from '../../ui/layout/copy.ts';
import { CheckIcon, CopyIcon, ForbidIcon, PencilIcon, ShieldIcon, TrashIcon } from '../../ui/layout/icons.ts';
import { MenuButton, type MenuItem } from '../../ui/layout/Menu.tsx';
import { askToDelete, askToDisable, askToRename, askToRevoke, change } from './actions.ts';
import { linkOf } from './link.ts';
import style from './Colleagues.module.css';

interface ColleagueRowProps {
  colleague: Colleague;
  /** The relation of the viewer to the account. */
  by: 'holder' | 'above' | 'none';
}

export function ColleagueRow({ colleague, by }: ColleagueRowProps) {
  const { t } = useTranslation('colleagues');
  const { t: users } = useTranslation('users');
  const { t: home } = useTranslation('home');
  const { t: common } = useTranslation();
  const { name, username, access, disabled, disabledAbove, secondFactor, lastLoginAt } = colleague;
  const items = useItems(colleague, by);
  return (
    <li className={style.row}>
      <Avatar name={name} />
      <span className={style.who}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="caption">
          <bdi>{username}</bdi>
          {lastLoginAt && (
            <>
              {' · '}
              {users('lastLoginAt')}: <RelativeTime at={lastLoginAt} />
            </>
          )}
        </span>
        <span className={style.badges}>
          <Badge>{t(access)}</Badge>
          {secondFactor && (
            <Badge tone="good" icon={<ShieldIcon />}>
              {home('secondFactor')}
            </Badge>
          )}
          {disabled && !disabledAbove && <StateBadge state="forbidden" />}
          {disabledAbove && (
            <Badge tone="bad" icon={<ForbidIcon />}>
              {t('disabledAbove')}
            </Badge>
          )}
        </span>
      </span>
      {items.length > 0 && <MenuButton title={common('actionsFor', { name })} items={items} />}
    </li>
  );
}

function useItems(colleague: Colleague, by: ColleagueRowProps['by']): MenuItem[] {
  const { t } = useTranslation('colleagues');
  const { t: users } = useTranslation('users');
  const { t: common } = useTranslation();
  if (by === 'none') return [];
  const other = colleague.access === 'operator' ? 'readOnly' : 'operator';
  const holders: MenuItem[] = [
    { text: t('rename'), icon: <PencilIcon />, onPick: () => void askToRename(colleague) },
    {
      text: t(other === 'operator' ? 'makeOperator' : 'makeReadOnly'),
      icon: <PencilIcon />,
      run: () => change(colleague, { access: other }),
    },
  ];
  const enable: MenuItem = {
    text: users('enable'),
    icon: <CheckIcon />,
    run: () => change(colleague, { disabled: false }),
  };
  const disable: MenuItem = {
    text: users('disable'),
    icon: <ForbidIcon />,
    onPick: () => void askToDisable(colleague),
  };
  const mayEnable = by === 'above' || !colleague.disabledAbove;
  return [
    ...(by === 'holder' ? holders : []),
    ...(colleague.disabled ? (mayEnable ? [enable] : []) : [disable]),
    { text: common('delete'), icon: <TrashIcon />, danger: true, onPick: () => void askToDelete(colleague) },
  ];
}

/** An invitation that was not used yet. */
export function InvitationRow({ invitation }: { invitation: ColleagueInvitation }) {
  const { t } = useTranslation('colleagues');
  const { t: users } = useTranslation('users');
  const { t: common } = useTranslation();
  const { date } = useFormat();
  const { code, name, access, expiresAt } = invitation;
  const copy = useCopy();
  return (
    <li className={style.row}>
      <Avatar name={name} />
      <span className={style.who}>
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="caption">{t('invitedUntil', { date: date(expiresAt) })}</span>
        <span className={style.badges}>
          <Badge>{t(access)}</Badge>
        </span>
      </span>
      <MenuButton
        title={common('actionsFor', { name })}
        items={[
          { text: users('copyLink'), icon: <CopyIcon />, onPick: () => void copy(linkOf(code)) },
          { text: users('revoke'), icon: <TrashIcon />, danger: true, onPick: () => void askToRevoke(invitation) },
        ]}
      />
    </li>
  );
}
