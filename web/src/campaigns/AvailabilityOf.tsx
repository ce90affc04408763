import type { AvailabilityBody, Campaign } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/feedback/Notice.tsx';
import { FailIcon } from '../ui/layout/icons.ts';
import { Answer, AvailabilityCard } from './form/AvailabilityCard.tsx';

/** The question what is free for a stored campaign; undefined when its ads or its devices are gone. */
function bodyOf(campaign: Campaign): AvailabilityBody | undefined {
  const { id: campaignId, devices, adIds, creatives, customerId, standing, schedule, goal } = campaign;
  if (devices === null || adIds.length < creatives.length) return undefined;
  return { campaignId, devices, adIds, customerId, standing, schedule, goal };
}

/** What is free for a campaign that is not booked yet; `short`: only whether it fits. */
export function AvailabilityOf({ campaign, short = false }: { campaign: Campaign; short?: boolean }) {
  const { t } = useTranslation('campaigns');
  const body = bodyOf(campaign);
  if (!body) {
    return (
      <Notice tone="bad" icon={<FailIcon />} role="alert">
        {t('incomplete')}
      </Notice>
    );
  }
  return short ? <Answer body={body} short /> : <AvailabilityCard body={body} />;
}
