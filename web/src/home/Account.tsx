import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { SCHEMES, type Scheme, chooseScheme, storedScheme } from '../platform/theme.ts';
import { Avatar } from '../ui/layout/Avatar.tsx';
import { ButtonLink } from '../ui/layout/Button.tsx';
import { Choice } from '../ui/form/Choice.tsx';
import { PackageIcon, BellIcon, KeyIcon, LogoutIcon, ShieldIcon } from '../ui/layout/icons.ts';
import { LanguagePicker } from '../ui/form/LanguagePicker.tsx';
import { Card } from '../ui/layout/Page.tsx';
import { SecondFactorState } from '../ui/feedback/SecondFactorState.tsx';
import { userQuery } from '../queries/users.ts';
import style from './Account.module.css';

const SCHEME_TEXT = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

/** The signed-in user, and the settings of this browser. */
export function Account() {
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const { current, role } = useSession();
  const [scheme, setScheme] = useState<Scheme>(storedScheme);
  const choose = (next: Scheme) => {
    setScheme(next);
    chooseScheme(next);
  };
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
      <Choice
        label={common('theme')}
        value={scheme}
        onChange={choose}
        options={SCHEMES.map((value) => ({ value, label: common(SCHEME_TEXT[value]) }))}
      />
      <div className={style.accountActions}>
        <ButtonLink to="/applist" small icon={<PackageIcon />}>
          {t('apps')}
        </ButtonLink>
        <ButtonLink to="/alerts" small icon={<BellIcon />}>
          {t('alerts')}
        </ButtonLink>
        <ButtonLink to="/password" small icon={<KeyIcon />}>
          {t('changePassword')}
        </ButtonLink>
        {current && <SecondFactorLink id={current.id} />}
        <ButtonLink to="/logout" small icon={<LogoutIcon />}>
          {t('logout')}
        </ButtonLink>
      </div>
    </Card>
  );
}

function SecondFactorLink({ id }: { id: string }) {
  const { t } = useTranslation('users');
  const { data } = useQuery(userQuery(id));
  return (
    <ButtonLink to="/second-factor" small icon={<ShieldIcon />}>
      {t('secondFactor')} {data && <SecondFactorState on={data.secondFactor} />}
    </ButtonLink>
  );
}
