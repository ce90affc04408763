import type { User } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { DefaultContentCard } from '../../ads/DefaultContentCard.tsx';
import { SecondFactorCard } from '../../session/SecondFactorCard.tsx';
import { DefaultHoursCard } from '../../devices/hours/DefaultHoursCard.tsx';
import { ColleaguesCard } from '../../users/colleagues/ColleaguesCard.tsx';
import { SellableCard, SilenceCard } from '../../campaigns/SellableCard.tsx';
import { changePhone } from '../../users/actions.ts';
import { useReadOnly, useSession } from '../../platform/session.ts';
import { defaultContentQuery } from '../../queries/ads.ts';
import { campaignSettingsQuery } from '../../queries/campaigns.ts';
import { colleaguesQuery } from '../../queries/colleagues.ts';
import { userQuery } from '../../queries/users.ts';
import { isAwaited } from '../../ui/feedback/pending.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { LanguagePicker } from '../../ui/form/LanguagePicker.tsx';
import { ThemeChoice } from '../../ui/form/ThemeChoice.tsx';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { BellIcon, KeyIcon, LogoutIcon, PhoneIcon } from '../../ui/layout/icons.ts';
import { Card, Columns, Facts, Page } from '../../ui/layout/Page.tsx';
import style from './SettingsPage.module.css';

/** The own account, and how the app looks in this browser. */
export default function SettingsPage() {
  const { t } = useTranslation('common');
  const { user, isLoading } = useSettings();
  return (
    <Page title={t('settings')} back="/">
      <Columns
        main={
          user.data && !isLoading ? (
            <>
              <AccountCard user={user.data} />
              <PasswordCard />
              <SecondFactorCard user={user.data} />
              <ColleaguesCard account={user.data} />
            </>
          ) : user.error ? (
            <ErrorState error={user.error} onRetry={() => user.refetch()} />
          ) : (
            <>
              <Skeleton height={220} />
              <Skeleton height={120} />
              <Skeleton height={180} />
            </>
          )
        }
        side={!isLoading && <SideCards user={user.data} />}
      />
    </Page>
  );
}

/** What the cards show. They appear together: one that came later would push buttons away. */
function useSettings() {
  const { current, leading } = useSession();
  const id = current?.id ?? '';
  const user = useQuery({ ...userQuery(id), enabled: current !== undefined });
  const colleagues = useQuery({ ...colleaguesQuery(id), enabled: current !== undefined });
  const content = useQuery({ ...defaultContentQuery(id), enabled: leading });
  const campaigns = useQuery({ ...campaignSettingsQuery, enabled: leading });
  return { user, isLoading: [user, colleagues, content, campaigns].some(isAwaited) };
}

function SideCards({ user }: { user: User | undefined }) {
  const { t } = useTranslation('home');
  const { leading } = useSession();
  const readOnly = useReadOnly();
  return (
    <>
      <DisplayCard />
      {user && <DefaultHoursCard user={user} />}
      {user?.role === 'leading' && <DefaultContentCard userId={user.id} />}
      {leading && <SellableCard />}
      {leading && <SilenceCard />}
      {!readOnly && <AlertsCard />}
      <ButtonLink to="/logout" icon={<LogoutIcon />}>
        {t('logout')}
      </ButtonLink>
    </>
  );
}

function AccountCard({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  return (
    <Card
      title={common('account')}
      action={
        <ButtonLink to={`/user/${user.id}`} look="quiet" small>
          {t('details')}
        </ButtonLink>
      }
    >
      <Facts
        rows={[
          [t('username'), user.username],
          [t('role'), t(user.role)],
          [t('managedBy'), user.superior?.username],
          [t('phone'), user.phone && <bdi>{user.phone}</bdi>],
        ]}
      />
      <Button changes block icon={<PhoneIcon />} onClick={() => void changePhone(user)}>
        {t('editPhone')}
      </Button>
    </Card>
  );
}

function PasswordCard() {
  const { t } = useTranslation('users');
  return (
    <Card title={t('password')}>
      <p className="caption">{t('otherSessionsEnd')}</p>
      <ButtonLink to="/password" block icon={<KeyIcon />}>
        {t('changePassword')}
      </ButtonLink>
    </Card>
  );
}

function DisplayCard() {
  const { t } = useTranslation();
  return (
    <Card title={t('display')}>
      <div className={style.language}>
        <span>{t('language')}</span>
        <LanguagePicker />
      </div>
      <ThemeChoice />
    </Card>
  );
}

function AlertsCard() {
  const { t } = useTranslation('alerts');
  const { t: home } = useTranslation('home');
  const { t: common } = useTranslation();
  return (
    <Card title={t('title')}>
      <p className="caption">{home('alertsHint')}</p>
      <ButtonLink to="/alerts" block icon={<BellIcon />}>
        {common('edit')}
      </ButtonLink>
    </Card>
  );
}
