import { type Campaign, type CampaignGoal, type CampaignPrice, formatMoney } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { dateLocale } from '../platform/language.ts';
import { dateFormat, numberFormat } from '../platform/intl.ts';
import { freePercent, neededPercent } from './percent.ts';

const DECIMALS_MAX = 2;

const GOAL_TEXT = { perHour: 'goalPerHour', share: 'goalShare', total: 'goalTotal' } as const satisfies Record<
  CampaignGoal['kind'],
  string
>;
const PRICE_TEXT = {
  perPlay: 'pricePerPlay',
  perThousand: 'pricePerThousand',
  fixed: 'priceFixed',
} as const satisfies Record<CampaignPrice['kind'], string>;

/** Goals, prices and shares in words of the language shown. */
export function useCampaignWords() {
  const { t, i18n } = useTranslation('campaigns');
  const { language } = i18n;
  const number = (value: number, style: 'decimal' | 'percent'): string =>
    numberFormat(language, { style, maximumFractionDigits: DECIMALS_MAX }).format(value);
  return {
    goal: ({ kind, value }: CampaignGoal): string =>
      t(GOAL_TEXT[kind], {
        count: value,
        n: kind === 'share' ? number(value / 100, 'percent') : number(value, 'decimal'),
      }),
    price: ({ kind, amount, currency }: CampaignPrice): string =>
      t(PRICE_TEXT[kind], { amount: formatMoney(language, amount, currency) }),
    /** Delivered of ordered plays; empty before the flight begins. */
    progress: ({ progress, ordered }: Pick<Campaign, 'progress' | 'ordered'>): string =>
      progress === null || !ordered
        ? ''
        : t('progressOf', { delivered: number(progress.delivered, 'decimal'), ordered: number(ordered, 'decimal') }),
    /** Shares of an hour, 0 to 1. */
    share: (value: number): string => numberFormat(language, { style: 'percent' }).format(value),
    freeShare: (value: number): string => number(freePercent(value) / 100, 'percent'),
    neededShare: (value: number): string => number(neededPercent(value) / 100, 'percent'),
  };
}

/** The first and the last day. */
export const useFlightDays = () => {
  const { i18n } = useTranslation();
  const format = dateFormat(dateLocale(i18n.language), { dateStyle: 'medium', timeZone: 'UTC' });
  return ({ schedule: { from, to } }: Pick<Campaign, 'schedule'>): string =>
    format.formatRange(new Date(from), new Date(to));
};
