import type { HomeSummary } from '@ams/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../platform/session.ts';
import { approvalCountQuery, releaseRequestCountQuery, shortCountQuery } from '../queries/approvals.ts';
import type { Press } from '../ui/feedback/pending.ts';
import { Unloaded } from '../ui/feedback/States.tsx';
import { useFormat } from '../ui/format/format.ts';
import { CampaignIcon, ClockIcon, DownIcon, FailIcon, NextIcon, WifiOffIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import style from './Attention.module.css';

interface Concern {
  to: string;
  icon: ReactNode;
  text: string;
  count: number;
  /** It could not be counted. */
  retry?: Press | undefined;
}

/** Loads again what has never been loaded; undefined without a failure. */
const retryOf = (...queries: UseQueryResult[]): Press | undefined => {
  const failed = queries.filter(({ error, data }) => error !== null && data === undefined);
  return failed.length === 0 ? undefined : () => Promise.all(failed.map(({ refetch }) => refetch()));
};

/** What needs attention, each with its devices; nothing when all is well. */
export function Attention({ summary: { devices, rejected } }: { summary: HomeSummary }) {
  const { leading } = useSession();
  // The page asked first. After a failure, a further call would take the row away until it fails, too.
  const asked = { enabled: leading, retryOnMount: false };
  const campaigns = useQuery({ ...approvalCountQuery, ...asked });
  const releases = useQuery({ ...releaseRequestCountQuery, ...asked });
  const short = useQuery({ ...shortCountQuery, ...asked });
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const concerns: Concern[] = [
    {
      to: '/mac?online=false&paired=true&dark=false',
      icon: <WifiOffIcon />,
      text: common('stateOffline'),
      count: devices.offline,
    },
    { to: '/mac?download=failed', icon: <FailIcon />, text: common('stateFailed'), count: devices.failed },
    { to: '/mac?expiry=expiring', icon: <ClockIcon />, text: common('stateExpiring'), count: devices.expiring },
    { to: '/mac?download=stalled', icon: <DownIcon />, text: t('attentionStalled'), count: devices.stalled },
    {
      to: '/releases?active=rejected&renewed=false',
      icon: <FailIcon />,
      text: t('attentionRejected'),
      count: rejected.releases,
    },
    {
      to: '/campaigns?state=rejected',
      icon: <CampaignIcon />,
      text: t('attentionRejectedCampaigns'),
      count: rejected.campaigns,
    },
    {
      to: '/campaigns?short=true',
      icon: <FailIcon />,
      text: t('attentionShort'),
      count: short.data ?? 0,
      retry: retryOf(short),
    },
    {
      to: '/approvals',
      icon: <CampaignIcon />,
      text: common('approvals'),
      count: (campaigns.data ?? 0) + (releases.data ?? 0),
      retry: retryOf(campaigns, releases),
    },
  ];
  const open = concerns.filter(({ count, retry }) => count > 0 || retry);
  if (open.length === 0) return null;
  return (
    <Card title={t('attention')}>
      <ul className={style.concerns}>
        {open.map(({ to, icon, text, count, retry }) => (
          <li key={to}>
            {retry ? (
              <Unloaded what={text} onRetry={retry} />
            ) : (
              <Link to={to}>
                {icon}
                <span className={style.text}>{text}</span>
                <strong className="numbers">{number(count)}</strong>
                <NextIcon className="turns" />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
