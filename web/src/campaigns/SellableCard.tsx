import { type CampaignSettings, SELLABLE_DEFAULT } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { campaignSettingsQuery, updateSellable } from '../queries/campaigns.ts';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { succeeded } from '../ui/feedback/outcome.ts';
import { Button } from '../ui/layout/Button.tsx';
import { LevelsIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { decimalOf } from './form/decimal.ts';
import { useCampaignWords } from './words.ts';

/** The share of each screen's time that campaigns may fill, on the devices of the viewer and of users below. */
export function SellableCard() {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { share } = useCampaignWords();
  const { data } = useQuery(campaignSettingsQuery);
  return (
    <Card title={t('sellable')}>
      <p>{t('sellableNow', { share: share((data?.inForce ?? SELLABLE_DEFAULT) / 100) })}</p>
      <p className="caption">{t('sellableHint')}</p>
      <Button changes block icon={<LevelsIcon />} disabled={!data} onClick={() => data && void askForSellable(data)}>
        {common('edit')}
      </Button>
    </Card>
  );
}

const isPercent = (text: string): boolean => text === '' || /^([1-9]\d?|100)$/.test(text);

function askForSellable({ sellable }: CampaignSettings): Promise<boolean> {
  const t = i18next.getFixedT(null, 'campaigns');
  return confirm({
    title: t('sellable'),
    action: i18next.t('save'),
    input: { label: t('sellableField'), initial: sellable === null ? '' : String(sellable) },
    run: async (typed) => {
      const text = decimalOf(typed);
      if (!isPercent(text)) {
        toast.fail(t('sellableInvalid'));
        return false;
      }
      return succeeded(await updateSellable(text === '' ? null : Number(text)), i18next.t('saved'));
    },
  });
}
