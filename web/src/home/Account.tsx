import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { Avatar } from '../ui/layout/Avatar.tsx';
import { ButtonLink } from '../ui/layout/Button.tsx';
import { PackageIcon, BellIcon, KeyIcon, LogoutIcon, SettingsIcon, ShieldIcon } from '../ui/layout/icons.ts';
import { LanguagePicker } from '../ui/form/LanguagePicker.tsx';
import { ThemeChoice } from '../ui/form/ThemeChoice.tsx';
import { Card } from '../ui/layout/Page.tsx';
import { SecondFactorState } from '../ui/feedback/SecondFactorState.tsx';
import { selfQuery } from '../queries/colleagues.ts';
import style from './Account.module.css';

/** The signed-in user, and the settings of this browser. */
export function Account() {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const { current, role } = useSession();
  return (
    <Card>
      <div className={style.account}>
        <Avatar name={current?.username ?? '·'} />
        <p>
          <strong>{current?.username}</strong>
          <span className="caption">{role && t(role)}</span>
        </p>
        <LanguagePicker />
      </div>
      <ThemeChoice />
      <div className={style.accountActions}>
        <ButtonLink to="/settings" small icon={<SettingsIcon />}>
          {common('settings')}
        </ButtonLink>
        <ButtonLink to="/applist" small icon={<PackageIcon />}>
          {t('apps')}
        </ButtonLink>
        <ButtonLink to="/alerts" small icon={<BellIcon />}>
          {t('alerts')}
        </ButtonLink>
        <ButtonLink to="/password" small icon={<KeyIcon />}>
          {t('changePassword')}
        </ButtonLink>
        <SecondFactorLink />
        <ButtonLink to="/logout" small icon={<LogoutIcon />}>
          {t('logout')}
        </ButtonLink>
      </div>
    </Card>
  );
}

/** That of the person who is signed in, who may be a colleague of the account. */
function SecondFactorLink() {
  const { t } = useTranslation('home');
  const { data } = useQuery(selfQuery);
  return (
    <ButtonLink to="/second-factor" small icon={<ShieldIcon />}>
      {t('secondFactor')} {data && <SecondFactorState on={data.secondFactor} />}
    </ButtonLink>
  );
}
