import type { User } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { adListPath, filesPath } from '../platform/paths.ts';
import { useSession } from '../platform/session.ts';
import { useFormat } from '../ui/format/format.ts';
import {
  CampaignIcon,
  FolderIcon,
  NextIcon,
  PlaylistIcon,
  ScreenIcon,
  SendIcon,
  TableIcon,
  TicketIcon,
} from '../ui/layout/icons.ts';
import { campaignTotalQuery } from '../queries/campaigns.ts';
import { releaseTotalQuery } from '../queries/releases.ts';
import { playHistoryQuery } from '../queries/reports.ts';
import style from './UserHub.module.css';

/** The plays are those of the last month. */
const REPORT_DAYS = 30;

/** Everything that belongs to a customer, each with its count: the way from the user to it. */
export function UserHub({ user }: { user: User }) {
  const { t } = useTranslation('users');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  const releases = useQuery(releaseTotalQuery(user.id));
  const campaigns = useQuery(campaignTotalQuery(user.id));
  const plays = useQuery(playHistoryQuery({ owner: user.id, days: REPORT_DAYS }));
  return (
    <ul className={style.hub}>
      <HubLink to={`/mac?owner=${user.id}`} icon={<ScreenIcon />} name={common('barDevices')} count={user.devices} />
      <HubLink to={adListPath(user)} icon={<PlaylistIcon />} name={common('barAds')} count={user.ad_num} />
      <HubLink to={filesPath(user)} icon={<FolderIcon />} name={common('barFiles')} count={user.mp4 + user.img} />
      <HubLink to={`/releases?owner=${user.id}`} icon={<SendIcon />} name={t('releases')} count={releases.data} />
      <HubLink
        to={`/campaigns?customer=${user.id}`}
        icon={<CampaignIcon />}
        name={common('menuCampaigns')}
        count={campaigns.data}
      />
      <HubLink
        to={`/reports?owner=${user.id}&range=${REPORT_DAYS}`}
        icon={<TableIcon />}
        name={t('playsLately', { days: REPORT_DAYS })}
        count={plays.data?.plays}
      />
      {leading && user.role === 'leading' && (
        <HubLink
          to={`/invitations?state=unused&owner=${user.id}`}
          icon={<TicketIcon />}
          name={t('invitations')}
          count={user.invitations}
        />
      )}
    </ul>
  );
}

interface HubLinkProps {
  to: string;
  icon: ReactNode;
  name: string;
  /** Left out until it is known. */
  count?: number | undefined;
}

function HubLink({ to, icon, name, count }: HubLinkProps) {
  const { number } = useFormat();
  return (
    <li>
      <Link to={to}>
        {icon}
        <span>{name}</span>
        <strong className="numbers">{count === undefined ? '' : number(count)}</strong>
        <NextIcon className="turns" />
      </Link>
    </li>
  );
}
