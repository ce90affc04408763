import type { Campaign, CampaignConflict } from '@ams/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { refreshReleaseRequests, releaseRequestsQuery } from '../../queries/approvals.ts';
import { campaignRequestsQuery, refreshCampaigns, rejectCampaign } from '../../queries/campaigns.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState, LeadingOnly } from '../../ui/feedback/States.tsx';
import { RelativeTime } from '../../ui/format/time.tsx';
import { ButtonLink } from '../../ui/layout/Button.tsx';
import { FailIcon } from '../../ui/layout/icons.ts';
import { Page } from '../../ui/layout/Page.tsx';
import { InfiniteList, useListed } from '../../ui/list/InfiniteList.tsx';
import { approve } from '../actions.ts';
import style from '../campaigns.module.css';
import { Conflicts } from '../Conflicts.tsx';
import { CreativeStage } from '../CreativeStage.tsx';
import { Decide } from '../Decide.tsx';
import { ReleaseRequests } from '../ReleaseRequests.tsx';
import { AvailabilityOf } from '../AvailabilityOf.tsx';
import { useAreShown } from '../previews.ts';
import { useCampaignWords, useFlightDays } from '../words.ts';

const PREVIEW_SIZE = 200;

/** `/approvals`: what customers request, each with how it will look, its price and whether it fits. */
export default function ApprovalsPage() {
  const { t: common } = useTranslation();
  const { role } = useSession();
  return (
    <Page title={common('approvals')} back="/campaigns" narrow>
      {role === 'member' ? (
        <LeadingOnly action={<ButtonLink to="/campaigns">{common('menuCampaigns')}</ButtonLink>} />
      ) : (
        <Requests />
      )}
    </Page>
  );
}

function Requests() {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  const requests = useListed({ ...releaseRequestsQuery, enabled: leading });
  const { data, error, refetch } = requests.list;
  useLive('campaign', (ids) => void refreshCampaigns(ids));
  useLive('release', (ids) => leading && void refreshReleaseRequests(ids));
  return (
    <>
      {error && !data && <ErrorState error={error} onRetry={() => refetch()} />}
      <ReleaseRequests listed={requests} />
      <InfiniteList
        query={campaignRequestsQuery}
        label={common('approvals')}
        rowHeight={420}
        render={(campaign) => <RequestCard campaign={campaign} />}
        empty={{
          title: t(data && requests.items.length === 0 ? 'approvalsEmpty' : 'approvalsNoCampaigns'),
          hint: t('approvalsEmptyHint'),
          action: <ButtonLink to="/campaigns">{common('menuCampaigns')}</ButtonLink>,
        }}
      />
    </>
  );
}

function RequestCard({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const [conflicts, setConflicts] = useState<readonly CampaignConflict[]>([]);
  const ads = campaign.creatives.flatMap(({ ad }) => ad ?? []);
  const shown = useAreShown(ads, campaign.updatedAt);
  const isMine = campaign.actions.includes('approve');
  return (
    <article className={style.card} data-testid="request">
      <RequestFacts campaign={campaign} />
      <ul className={style.creatives}>
        {campaign.creatives.map(({ ad }, index) => (
          <li key={ad?.id ?? `deleted ${index}`}>
            {ad ? (
              <CreativeStage ad={ad} size={PREVIEW_SIZE} version={campaign.updatedAt} />
            ) : (
              <Skeleton height={PREVIEW_SIZE} />
            )}
            <bdi className="caption">{ad?.name ?? t('adDeleted')}</bdi>
          </li>
        ))}
      </ul>
      {campaign.changed ? (
        <Notice tone="bad" icon={<FailIcon />}>
          {t('verdictChanged')}
        </Notice>
      ) : (
        <AvailabilityOf campaign={campaign} short />
      )}
      <Conflicts conflicts={conflicts} />
      {isMine ? (
        <Decide
          request={campaign}
          shown={shown}
          changed={campaign.changed}
          reject={(remark) => rejectCampaign(campaign, remark)}
          approve={async () => setConflicts(await approve(campaign))}
        />
      ) : (
        <p className="caption">{t('verdictWaiting')}</p>
      )}
    </article>
  );
}

function RequestFacts({ campaign }: { campaign: Campaign }) {
  const { goal, price } = useCampaignWords();
  const days = useFlightDays();
  const { id, name, customer, group, requestedAt } = campaign;
  return (
    <>
      <span className={style.head}>
        <Link to={`/campaigns/${id}`}>
          <strong dir="auto">{name}</strong>
        </Link>
        {requestedAt && (
          <span className="caption">
            <RelativeTime at={requestedAt} />
          </span>
        )}
      </span>
      <span>
        <bdi>{customer.username}</bdi> · <bdi>{days(campaign)}</bdi>
        {group && (
          <>
            {' '}
            · <bdi>{group.name}</bdi>
          </>
        )}
      </span>
      <span>
        <bdi>{goal(campaign.goal)}</bdi> · <strong dir="auto">{price(campaign.price)}</strong>
      </span>
    </>
  );
}
