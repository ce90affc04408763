import { type CampaignSettings, SILENT_HOURS } from '@ams/contract';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { campaignSettingsQuery, updateCampaignSettings } from '../queries/campaigns.ts';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { succeeded } from '../ui/feedback/outcome.ts';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
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
  const settings = useQuery(campaignSettingsQuery);
  const { data } = settings;
  return (
    <Card title={t('sellable')}>
      <Loaded query={settings}>{({ inForce }) => <p>{t('sellableNow', { share: share(inForce / 100) })}</p>}</Loaded>
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
  const settings = useQuery(campaignSettingsQuery);
  const { data } = settings;
  return (
    <Card title={t('silent')}>
      <Loaded query={settings}>
        {({ silentHoursInForce }) => <p>{t('silentNow', { hours: number(silentHoursInForce) })}</p>}
      </Loaded>
      <p className="caption">{t('silentHint')}</p>
      <Button changes block icon={<ClockIcon />} disabled={!data} onClick={() => data && void askForSilence(data)}>
        {common('edit')}
      </Button>
    </Card>
  );
}

const LINE_PX = 24;

function Loaded<T>({ query, children }: { query: UseQueryResult<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  return <Skeleton height={LINE_PX} />;
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
    input: { about: '', label, initial: initial === null ? '' : String(initial) },
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
