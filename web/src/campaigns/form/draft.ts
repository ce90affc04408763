import {
  type Ad,
  addDays,
  AvailabilityBody,
  type Campaign,
  CampaignBody,
  type CampaignGoal,
  type CampaignPrice,
  type Device,
  type DeviceChoice,
  type DeviceFilter,
  type Language,
  type Orientation,
  passingConditions,
  type UserRef,
} from '@ams/contract';
import type { SchemaIssue } from '@ams/contract/messages/explain';
import { type ScheduleDraft, scheduleOf } from '../../ui/form/scheduleDraft.ts';
import { decimalOf } from './decimal.ts';

/** An ad as far as the form has to know it. */
export type ChosenAd = Pick<Ad, 'id' | 'name' | 'orientation'>;
type ChosenDevice = Pick<Device, 'id' | 'orientation'>;

/** All devices in scope, or in an area, that fit the ads, those of a group, those ticked, or all that a filter of the list shows. */
export type CampaignTarget =
  | { kind: 'all'; area?: string | undefined }
  | { kind: 'group'; group: string | undefined }
  | { kind: 'chosen'; devices: readonly ChosenDevice[] }
  | { kind: 'matching'; filter: DeviceFilter };

type Customer = Pick<UserRef, 'id' | 'username'>;

/** A campaign as it is typed. */
export interface CampaignDraft {
  name: string;
  /** Undefined: the viewer. */
  customer: Customer | undefined;
  ads: readonly ChosenAd[];
  target: CampaignTarget;
  /** Devices that match later get it, too. */
  standing: boolean;
  schedule: ScheduleDraft;
  goal: { kind: CampaignGoal['kind']; value: string };
  price: { kind: CampaignPrice['kind']; amount: string; currency: string };
}

/** A new campaign begins tomorrow and runs for four weeks. */
const FLIGHT_DAYS = 28;
const GOAL_DEFAULT = { kind: 'perHour', value: '6' } as const;

/** The currency of the country in which most people read the language. */
const CURRENCY_OF: Partial<Record<Language, string>> = {
  zh: 'CNY',
  en: 'USD',
  ja: 'JPY',
  ko: 'KRW',
  pt: 'BRL',
  ru: 'RUB',
  tr: 'TRY',
  vi: 'VND',
  ar: 'AED',
};
const CURRENCY_DEFAULT = 'EUR';

export const currencyOf = (language: Language): string => CURRENCY_OF[language] ?? CURRENCY_DEFAULT;

interface Beginning {
  /** `YYYY-MM-DD` where the person is. */
  today: string;
  ad: ChosenAd | undefined;
  customer: Customer | undefined;
  target: CampaignTarget;
  /** That of the last campaign. */
  price: CampaignPrice | undefined;
  currency: string;
}

/** A stored '1.250' is '1.25' in the form, where three digits that end with zero are taken for thousands. */
const shortened = (price: CampaignPrice): CampaignPrice => ({
  ...price,
  amount: price.amount.replace(/^(\d+\.\d\d)0$/, '$1'),
});

export const newDraft = ({ today, ad, customer, target, price, currency }: Beginning): CampaignDraft => ({
  name: ad?.name ?? '',
  customer,
  ads: ad ? [ad] : [],
  target,
  standing: false,
  schedule: { from: addDays(today, 1), to: addDays(today, FLIGHT_DAYS), weekdays: [], hours: [] },
  goal: GOAL_DEFAULT,
  price: price ? shortened(price) : { kind: 'perThousand', amount: '', currency },
});

function targetOf(devices: Campaign['devices']): CampaignTarget {
  if (devices === null) return { kind: 'group', group: undefined };
  if ('group' in devices) return { kind: 'group', group: devices.group };
  if ('filter' in devices) return { kind: 'matching', filter: devices.filter };
  return { kind: 'chosen', devices: devices.ids.map((id) => ({ id, orientation: null })) };
}

/** A stored campaign in the form, without ads that were deleted. */
export const draftOf = (campaign: Campaign): CampaignDraft => ({
  name: campaign.name,
  customer: campaign.customer,
  ads: campaign.creatives.flatMap(({ ad }) => (ad ? [{ ...ad, orientation: campaign.orientation }] : [])),
  target: targetOf(campaign.devices),
  standing: campaign.standing,
  schedule: {
    from: campaign.schedule.from,
    to: campaign.schedule.to,
    weekdays: campaign.schedule.weekdays ?? [],
    hours: (campaign.schedule.hours ?? []).map((span, id) => ({ id, ...span })),
  },
  goal: { kind: campaign.goal.kind, value: String(campaign.goal.value) },
  price: shortened(campaign.price),
});

/** The same again; a flight that has ended begins anew. */
export function copyOf(campaign: Campaign, today: string): CampaignDraft {
  const draft = draftOf(campaign);
  if (campaign.schedule.to > today) return draft;
  return { ...draft, schedule: { ...draft.schedule, from: addDays(today, 1), to: addDays(today, FLIGHT_DAYS) } };
}

/** The orientation of all ads, given by the first. */
export const orientationOf = ({ ads }: CampaignDraft): Orientation | undefined => ads[0]?.orientation;

/** The devices that a target means; undefined while none are chosen. */
export function devicesOf(target: CampaignTarget, orientation: Orientation | undefined): DeviceChoice | undefined {
  switch (target.kind) {
    case 'all':
      return { filter: { ...(orientation && { fits: orientation }), ...(target.area && { area: target.area }) } };
    case 'group':
      return target.group === undefined ? undefined : { group: target.group };
    case 'matching':
      return { filter: target.filter };
    case 'chosen':
      return target.devices.length === 0 ? undefined : { ids: target.devices.map(({ id }) => id) };
  }
}

/** Whether devices can match the target later. */
export function canStand(target: CampaignTarget): boolean {
  switch (target.kind) {
    case 'all':
    case 'group':
      return true;
    case 'chosen':
      return false;
    case 'matching':
      return passingConditions(target.filter).length === 0;
  }
}

/** What is sent, as far as it is filled in; `CampaignBody` decides whether it is complete. */
function partsOf(draft: CampaignDraft) {
  const { from, to } = draft.schedule;
  return {
    name: draft.name,
    ...(draft.customer && { customerId: draft.customer.id }),
    adIds: draft.ads.map(({ id }) => id),
    devices: devicesOf(draft.target, orientationOf(draft)),
    standing: draft.standing && canStand(draft.target),
    schedule: { ...scheduleOf(draft.schedule), from, to },
    goal: { kind: draft.goal.kind, value: Number(decimalOf(draft.goal.value) || Number.NaN) },
    price: { ...draft.price, amount: decimalOf(draft.price.amount) },
  };
}

/** The body to send; undefined while something is missing or wrong. */
export function bodyOf(draft: CampaignDraft): CampaignBody | undefined {
  const parts = partsOf(draft);
  return CampaignBody.safeParse(parts).success ? CampaignBody.parse(parts) : undefined;
}

/** Whether a draft says what is stored. A draft without a customer means that of the stored campaign. */
export function isSame(draft: CampaignDraft, base: Campaign): boolean {
  const stored = draftOf(base);
  const mine = { ...draft, customer: draft.customer ?? stored.customer };
  const body = bodyOf(mine);
  // A draft that cannot be sent is compared as it is typed.
  return body
    ? JSON.stringify(body) === JSON.stringify(bodyOf(stored))
    : JSON.stringify(mine) === JSON.stringify(stored);
}

/** The question what is free, as soon as ads, devices, flight and goal are there. `campaignId`: the stored campaign. */
export function availabilityBodyOf(
  draft: CampaignDraft,
  today: string,
  campaignId?: string,
): AvailabilityBody | undefined {
  const { name: _name, price: _price, ...parts } = partsOf(draft);
  return draft.schedule.to < today ? undefined : AvailabilityBody.safeParse({ ...parts, campaignId }).data;
}

/** What is missing or wrong. `today`: `YYYY-MM-DD`. */
export function issuesOf(draft: CampaignDraft, today: string): SchemaIssue[] {
  const issues: SchemaIssue[] = CampaignBody.safeParse(partsOf(draft)).error?.issues ?? [];
  const orientations = new Set(draft.ads.map(({ orientation }) => orientation));
  if (orientations.size > 1) issues.push({ path: ['adIds'], message: 'campaign.orientation' });
  if (draft.schedule.to && draft.schedule.to < today)
    issues.push({ path: ['schedule', 'to'], message: 'campaign.past' });
  return issues;
}

/** The largest goal as it can be typed: never more than what fits. */
export function goalText(kind: CampaignGoal['kind'], largest: number): string {
  const decimals = kind === 'total' ? 1 : 100;
  return String(Math.floor(largest * decimals) / decimals);
}
