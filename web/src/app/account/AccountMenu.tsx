import { isLanguage } from '@ams/contract';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { LANGUAGE_PACKS } from '../../locales/packs.ts';
import { changeLanguage } from '../../platform/i18n.ts';
import { ThemeChoice } from '../../ui/form/ThemeChoice.tsx';
import { Avatar } from '../../ui/layout/Avatar.tsx';
import { KeyIcon, LogoutIcon, MoreIcon, SettingsIcon, ShieldIcon } from '../../ui/layout/icons.ts';
import field from '../../ui/form/Field.module.css';
import menu from '../../ui/layout/Menu.module.css';
import style from './AccountMenu.module.css';

/** The person who is signed in at the foot of the side bar, and the menu of the account and of this browser. */
export function AccountMenu({ name }: { name: string }) {
  const { t } = useTranslation();
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  return (
    <div className={style.account}>
      <button type="button" className={menu.item} popoverTarget={id}>
        <Avatar name={name} />
        <span>
          <span className="visually-hidden">{t('account')}: </span>
          <bdi>{name}</bdi>
        </span>
        <MoreIcon />
      </button>
      <div
        ref={ref}
        id={id}
        popover="auto"
        role="group"
        aria-label={t('account')}
        className={style.menu}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && <Entries onLeave={() => ref.current?.hidePopover()} />}
      </div>
    </div>
  );
}

function Entries({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation(['common', 'home']);
  const links = [
    { to: '/settings', text: t('settings'), icon: SettingsIcon },
    { to: '/password', text: t('home:changePassword'), icon: KeyIcon },
    { to: '/second-factor', text: t('home:secondFactor'), icon: ShieldIcon },
    { to: '/logout', text: t('home:logout'), icon: LogoutIcon },
  ];
  return (
    <>
      <LanguageSelect />
      <ThemeChoice />
      <ul>
        {links.map(({ to, text, icon: Icon }) => (
          <li key={to}>
            <Link to={to} className={menu.item} onClick={onLeave}>
              <Icon />
              <span>{text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A dialog would close the menu under it: the languages are a list of the browser's own. */
function LanguageSelect() {
  const { t, i18n } = useTranslation();
  return (
    <label className={style.language}>
      <span className={field.label}>{t('language')}</span>
      <select
        className={`${field.frame} ${style.select}`}
        value={i18n.language}
        onChange={({ currentTarget: { value } }) => isLanguage(value) && void changeLanguage(value)}
      >
        {Object.entries(LANGUAGE_PACKS).map(([code, { name }]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
