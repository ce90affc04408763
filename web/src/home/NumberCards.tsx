import type { HomeSummary } from '@ams/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../platform/session.ts';
import { useFormat } from '../ui/format/format.ts';
import { FolderIcon, PlaylistIcon, ScreenIcon, UsersIcon } from '../ui/layout/icons.ts';
import { Sparkline } from './Sparkline.tsx';
import style from './NumberCards.module.css';

interface NumberCardProps {
  to: string;
  icon: ReactNode;
  name: string;
  value: string;
  /** The number's change or its most telling part. */
  change: string;
  /** A second line where there is no history to draw. */
  note?: string;
  spark?: readonly number[];
}

function NumberCard({ to, icon, name, value, change, note, spark }: NumberCardProps) {
  return (
    <Link to={to} className={style.card}>
      <span className={style.cardName}>
        {icon}
        {name}
      </span>
      <strong className={style.value}>{value}</strong>
      <span className={style.change}>{change}</span>
      {note && <span className={style.change}>{note}</span>}
      {spark && <Sparkline values={spark} />}
    </Link>
  );
}

/** Room for the four cards. */
export const CardGrid = ({ children }: { children: ReactNode }) => <div className={style.cards}>{children}</div>;

/** Users, devices, ads and resources; each card leads to its list. */
export function NumberCards({ summary }: { summary: HomeSummary }) {
  const { t } = useTranslation('home');
  const { leading, current } = useSession();
  const { compact, number, bytes } = useFormat();
  const { users, devices, ads, resources, history } = summary;
  return (
    <CardGrid>
      <NumberCard
        // Nobody is below a member: the one account is its own.
        to={leading || !current ? '/user' : `/user/${current.id}`}
        icon={<UsersIcon />}
        name={t('users')}
        value={compact(users.total)}
        {...(leading
          ? {
              change: t('newThisWeek', { n: number(users.newThisWeek) }),
              note: t('disabled', { n: number(users.disabled) }),
            }
          : { change: current?.username ?? '' })}
      />
      <NumberCard
        to="/mac"
        icon={<ScreenIcon />}
        name={t('devices')}
        value={compact(devices.total)}
        change={t('online', { n: number(devices.online) })}
        spark={history.online.map(([, count]) => count)}
      />
      <NumberCard
        to="/ad"
        icon={<PlaylistIcon />}
        name={t('ads')}
        value={compact(ads.total)}
        change={t('released', { n: number(ads.released) })}
        spark={history.plays.map(([, count]) => count)}
      />
      <NumberCard
        to="/file"
        icon={<FolderIcon />}
        name={t('files')}
        value={compact(resources.videos + resources.images)}
        change={t('videosImages', { videos: number(resources.videos), images: number(resources.images) })}
        note={bytes(resources.bytes)}
      />
    </CardGrid>
  );
}
