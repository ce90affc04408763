import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { useLive } from '../../platform/live.ts';
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
  const campaign = useQuery(campaignQuery(id));
  useLive('campaign', (ids) => void refreshCampaigns(ids));
  return (
    <Page title={campaign.data?.name ?? t('campaign')} back="/campaigns">
      {campaign.data ? (
        <CampaignDetails
          key={id}
          campaign={campaign.data}
          onDeleted={() => void navigate('/campaigns', { replace: true })}
        />
      ) : campaign.error ? (
        <ErrorState error={campaign.error} onRetry={() => campaign.refetch()} />
      ) : (
        <>
          <Skeleton height={52} />
          <Skeleton height={320} />
        </>
      )}
    </Page>
  );
}
