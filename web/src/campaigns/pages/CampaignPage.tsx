import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { foundIn } from '../../platform/query.ts';
import { campaignQuery, refreshCampaigns } from '../../queries/campaigns.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { Page } from '../../ui/layout/Page.tsx';
import { CampaignDetails } from '../CampaignDetails.tsx';

/** `/campaigns/:id`: where a campaign stands and what there is to do. */
export default function CampaignPage() {
  const { t } = useTranslation('campaigns');
  const { id = '' } = useParams();
  const navigate = useNavigate();
  const asked = useQuery(campaignQuery(id));
  const campaign = foundIn(asked);
  useLive('campaign', (ids) => void refreshCampaigns(ids));
  return (
    <Page title={campaign?.name ?? t('campaign')} back="/campaigns">
      {campaign ? (
        <CampaignDetails
          key={id}
          campaign={campaign}
          onDeleted={() => void navigate('/campaigns', { replace: true })}
        />
      ) : asked.error ? (
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      ) : (
        <>
          <Skeleton height={52} />
          <Skeleton height={320} />
        </>
      )}
    </Page>
  );
}
