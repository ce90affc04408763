import { type CampaignSettings, SELLABLE_DEFAULT, SILENT_HOURS } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { campaignSettingsQuery, updateCampaignSettings } from '../queries/campaigns.ts';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { succeeded } from '../ui/feedback/outcome.ts';
import { useFormat } from '../ui/format/format.ts';
import { Button } from '../ui/layout/Button.tsx';
import { ClockIcon, LevelsIcon } from '../ui/layout/icons.ts';
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

/** How long devices may be silent before others play their campaigns. */
export function SilenceCard() {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const { data } = useQuery(campaignSettingsQuery);
  return (
    <Card title={t('silent')}>
      <p>{t('silentNow', { hours: number(data?.silentHoursInForce ?? SILENT_HOURS.default) })}</p>
      <p className="caption">{t('silentHint')}</p>
      <Button changes block icon={<ClockIcon />} disabled={!data} onClick={() => data && void askForSilence(data)}>
        {common('edit')}
      </Button>
    </Card>
  );
}

/** Asks for a whole number; an empty field means that of the user above. */
function askForNumber(
  { title, label, invalid, max }: { title: string; label: string; invalid: string; max: number },
  initial: number | null,
  save: (value: number | null) => ReturnType<typeof updateCampaignSettings>,
): Promise<boolean> {
  return confirm({
    title,
    action: i18next.t('save'),
    input: { label, initial: initial === null ? '' : String(initial) },
    run: async (typed) => {
      const text = decimalOf(typed);
      const value = text === '' ? null : Number(text);
      if (value !== null && (!/^\d+$/.test(text) || value < 1 || value > max)) {
        toast.fail(invalid);
        return false;
      }
      return succeeded(await save(value), i18next.t('saved'));
    },
  });
}

function askForSellable({ sellable }: CampaignSettings): Promise<boolean> {
  const t = i18next.getFixedT(null, 'campaigns');
  const words = { title: t('sellable'), label: t('sellableField'), invalid: t('sellableInvalid'), max: 100 };
  return askForNumber(words, sellable, (value) => updateCampaignSettings({ sellable: value }));
}

function askForSilence({ silentHours }: CampaignSettings): Promise<boolean> {
  const t = i18next.getFixedT(null, 'campaigns');
  const words = { title: t('silent'), label: t('silentField'), invalid: t('silentInvalid'), max: SILENT_HOURS.max };
  return askForNumber(words, silentHours, (value) => updateCampaignSettings({ silentHours: value }));
}
