import type { User } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { useReadOnly, useSession } from '../platform/session.ts';
import { Avatar } from '../ui/layout/Avatar.tsx';
import { Switch } from '../ui/form/Choice.tsx';
import { useFormat } from '../ui/format/format.ts';
import {
  FilmIcon,
  KeyIcon,
  NextIcon,
  PictureIcon,
  PlaylistIcon,
  ScreenIcon,
  TrashIcon,
  UsersIcon,
} from '../ui/layout/icons.ts';
import { MenuButton } from '../ui/layout/Menu.tsx';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { askToDelete, toggleUser } from './actions.ts';
import style from './users.module.css';

/** A row of the user list. */
export function UserCard({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const { leading, current } = useSession();
  const self = current?.id === user.id;
  const manageable = leading && !self;
  const readOnly = useReadOnly();
  return (
    <article className={style.card}>
      <Link to={`/user/${user.id}`} className={style.open}>
        <Avatar name={user.username} />
        <span className={style.who}>
          <strong>{user.username}</strong>
          <Counts user={user} />
          <span className={style.badges}>
            {self && <Badge tone="primary">{t('you')}</Badge>}
            {user.role === 'leading' && <Badge>{t('leading')}</Badge>}
            {user.disabled && <StateBadge state="forbidden" />}
          </span>
        </span>
      </Link>
      {manageable && !readOnly && (
        <Switch
          label={t('enableSwitch', { username: user.username })}
          checked={!user.disabled}
          onChange={() => toggleUser(user)}
        />
      )}
      {leading ? <UserMenu user={user} manageable={manageable} /> : <NextIcon className="turns" />}
    </article>
  );
}

/** Numbers of a user's belongings with icons, and as text for screen readers. */
function Counts({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const { number } = useFormat();
  const { mp4, img, ad_num: ads, devices } = user;
  const words = t('counts', { mp4: number(mp4), img: number(img), ads: number(ads), devices: number(devices) });
  return (
    <span className={style.counts} role="img" aria-label={words} title={words}>
      <span>
        <FilmIcon /> {number(mp4)}
      </span>
      <span>
        <PictureIcon /> {number(img)}
      </span>
      <span>
        <PlaylistIcon /> {number(ads)}
      </span>
      <span>
        <ScreenIcon /> {number(devices)}
      </span>
    </span>
  );
}

function UserMenu({ user, manageable }: { user: User; manageable: boolean }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const password = manageable ? `/user/${user.id}?password=set` : '/password';
  const items = [
    { reads: true, text: t('details'), icon: <UsersIcon />, onPick: () => void navigate(`/user/${user.id}`) },
    { text: t('changePassword'), icon: <KeyIcon />, onPick: () => void navigate(password) },
  ];
  const remove = { text: t('deleteUser'), icon: <TrashIcon />, danger: true, onPick: () => void askToDelete(user) };
  return (
    <MenuButton title={common('actionsFor', { name: user.username })} items={manageable ? [...items, remove] : items} />
  );
}
