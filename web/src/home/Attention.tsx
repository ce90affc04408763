import type { HomeSummary } from '@ams/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { approvalCountQuery, releaseRequestCountQuery, shortCountQuery } from '../queries/approvals.ts';
import type { Press } from '../ui/feedback/pending.ts';
import { CampaignIcon, FailIcon } from '../ui/layout/icons.ts';
import { type Concern, Concerns } from '../ui/list/Concerns.tsx';
import { useDeviceConcerns } from '../ui/list/deviceConcerns.tsx';

/** Loads again what has never been loaded; undefined without a failure. */
const retryOf = (...queries: UseQueryResult[]): Press | undefined => {
  const failed = queries.filter(({ error, data }) => error !== null && data === undefined);
  return failed.length === 0 ? undefined : () => Promise.all(failed.map(({ refetch }) => refetch()));
};

/** The things that need attention; nothing when all is well. */
export function Attention({ summary }: { summary: HomeSummary }) {
  const { leading } = useSession();
  // The page asked first. After a failure, a further call would take the row away until it fails, too.
  const asked = { enabled: leading, retryOnMount: false };
  const campaigns = useQuery({ ...approvalCountQuery, ...asked });
  const releases = useQuery({ ...releaseRequestCountQuery, ...asked });
  const short = useQuery({ ...shortCountQuery, ...asked });
  const { t } = useTranslation('home');
  const { t: common } = useTranslation();
  const ofDevices = useDeviceConcerns(summary.devices);
  const concerns: Concern[] = [
    ...ofDevices,
    {
      to: '/releases?active=rejected&open=true',
      icon: <FailIcon />,
      text: t('attentionRejected'),
      count: summary.rejectedReleases,
    },
    {
      to: '/campaigns?state=rejected',
      icon: <CampaignIcon />,
      text: t('attentionRejectedCampaigns'),
      count: summary.rejectedCampaigns,
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
  return <Concerns concerns={concerns} />;
}
