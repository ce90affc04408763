import { z } from 'zod';
import { CampaignDelivery, CampaignProgress, CampaignSettings } from './campaign-delivery.ts';
import { CampaignGoal } from './campaign-goal.ts';
import { Currency, Amount, hasMinorUnits } from './money.ts';
import { givenName } from './kernel/name.ts';
import { PageQuery, QueryFlag, pageOf, sortOf } from './kernel/page.ts';
import { Id, IdParams, Nothing, raw, routeTable } from './kernel/route.ts';
import { ClockHours, GivenDate, GivenTime, isPlannable } from './kernel/time.ts';
import { AreaOccupancy } from './occupancy.ts';
import { CHOICE_MAX_BYTES, DeviceChoice, ShownChoice } from './releases.ts';
import { isMonthOrder, isWithinMonths, MONTHS_TOO_MANY, Revenue, RevenueMonths } from './revenue.ts';
import { daysBetween } from './rules/zone.ts';
import { isPeriod, PERIOD_ORDER, Statement, StatementPeriod } from './statements.ts';
import { CreatedShare, SHARE_DAYS } from './shares.ts';
import { Remark, UserRef } from './users.ts';
import { Orientation } from './vocabulary.ts';

export const CAMPAIGN_NAME_MAX = 60;
export const CREATIVES_MAX = 10;
export const FLIGHT_DAYS_MAX = 732;
/** Hours without contact after which others play for a device, where nobody above its owner set another number. */
export const SILENT_HOURS = { min: 1, max: 336, default: 24 };
/** Conflicts that an answer names at most, the fullest first. */
export const CONFLICTS_MAX = 20;

/** `booked` campaigns run and are completed by their flight: see `CampaignPhase`. */
export const CAMPAIGN_STATES = ['draft', 'requested', 'rejected', 'booked', 'cancelled'] as const;
export const CampaignState = z.enum(CAMPAIGN_STATES);
export type CampaignState = z.output<typeof CampaignState>;

/** Where a booked campaign is in its flight today. */
export const CampaignPhase = z.enum(['upcoming', 'running', 'completed']);
export type CampaignPhase = z.output<typeof CampaignPhase>;

export const CAMPAIGN_ACTIONS = ['update', 'delete', 'request', 'approve', 'reject', 'book', 'cancel'] as const;
export type CampaignAction = (typeof CAMPAIGN_ACTIONS)[number];

/** What can be done with a campaign in each state, by people who have the right to. */
export const ACTIONS_IN: Readonly<Record<CampaignState, readonly CampaignAction[]>> = {
  draft: ['update', 'delete', 'request', 'book'],
  requested: ['update', 'delete', 'request', 'approve', 'reject', 'book', 'cancel'],
  rejected: ['update', 'delete', 'request', 'book'],
  booked: ['cancel'],
  cancelled: ['delete'],
};

/** Days and hours by the clock of the device, both days included. */
export const FlightSchedule = z
  .object({
    from: GivenDate('schedule.date'),
    to: GivenDate('schedule.date'),
    weekdays: z.array(z.number().int().min(1).max(7)).max(7).nullish(),
    hours: z.array(ClockHours).max(24).nullish(),
  })
  .refine(({ from, to }) => from <= to, { path: ['to'], error: 'schedule.order' })
  .refine(({ from, to }) => daysBetween(from, to) < FLIGHT_DAYS_MAX, { path: ['to'], error: 'campaign.days' });
export type FlightSchedule = z.output<typeof FlightSchedule>;

export const PriceKind = z.enum(['perPlay', 'perThousand', 'fixed']);
export type PriceKind = z.output<typeof PriceKind>;

/** A fixed price has at most the decimals of its currency; those of a play may be finer, because the sum is rounded. */
export const CampaignPrice = z
  .object({ kind: PriceKind, amount: Amount, currency: Currency })
  .refine(({ kind, amount, currency }) => kind !== 'fixed' || hasMinorUnits(amount, currency), {
    path: ['amount'],
    error: 'amount.minorUnits',
  });
export type CampaignPrice = z.output<typeof CampaignPrice>;

const CampaignFields = {
  name: givenName({ max: CAMPAIGN_NAME_MAX, required: 'name.required', tooLong: 'name.length' }),
  /** Left out: the viewer. */
  customerId: Id.optional(),
  /** Creatives in rotation: ads in scope, of one orientation. */
  adIds: z.array(Id).min(1, 'campaign.noAds').max(CREATIVES_MAX, 'campaign.tooManyAds'),
  devices: DeviceChoice,
  /** With a filter or a group: devices that match later join if they have room, those that no longer match leave. */
  standing: z.boolean().default(false),
  schedule: FlightSchedule.refine(({ to }) => isPlannable(to), { path: ['to'], error: 'schedule.date' }),
  goal: CampaignGoal,
  price: CampaignPrice,
};

const isOfFilter = ({ standing, devices }: { standing: boolean; devices: DeviceChoice }): boolean =>
  !standing || !('ids' in devices);
const STANDING_IDS = { error: 'standing.ids', path: ['standing'] };

const isEachOnce = ({ adIds }: { adIds: readonly string[] }): boolean => new Set(adIds).size === adIds.length;
const ADS_TWICE = { error: 'campaign.adsTwice', path: ['adIds'] };

export const CampaignBody = z.object(CampaignFields).refine(isOfFilter, STANDING_IDS).refine(isEachOnce, ADS_TWICE);
export type CampaignBody = z.input<typeof CampaignBody>;

/** `updatedAt`: the version that was read; another one by now is refused. */
export const UpdateCampaignBody = z
  .object({ ...CampaignFields, updatedAt: GivenTime.optional() })
  .refine(isOfFilter, STANDING_IDS)
  .refine(isEachOnce, ADS_TWICE);
export type UpdateCampaignBody = z.input<typeof UpdateCampaignBody>;

/** A campaign that is being written: without a name and a price yet. */
export const AvailabilityBody = z
  .object({
    ...CampaignFields,
    /** The stored campaign that is being changed: the same devices mean those of its writer. */
    campaignId: Id.optional(),
    name: z.string().max(CAMPAIGN_NAME_MAX).optional(),
    price: CampaignPrice.nullish(),
  })
  .refine(isOfFilter, STANDING_IDS);
export type AvailabilityBody = z.input<typeof AvailabilityBody>;

const DeviceRef = z.object({ id: z.uuid(), mac: z.string(), name: z.string() });

/** The last day of a device that expires before the flight ends; null: it does not, or is not for the viewer to see. */
const ExpiresWithin = z.iso.date().nullable();

export const Availability = z.object({
  feasible: z.boolean(),
  /** The largest value of this kind of goal that fits; 0: none. */
  largest: z.number(),
  /** Devices that the target has now and on which the flight is not over. */
  devices: z.number().int(),
  /** Length of a spot: the mean round of the creatives. */
  spotMs: z.number().int(),
  /** Plays over the whole flight if the goal is met. */
  plays: z.number(),
  /**
   * The share of each hour of the week (Monday first) that is free on every device at the fullest moment of the flight;
   * 0 where the flight does not run or no device is open.
   */
  free: z.array(z.array(z.number()).length(24)).length(7),
  /** The devices with the least room, the fullest first; without identity for people who see the group only. */
  bottlenecks: z.array(z.object({ device: DeviceRef.nullable(), free: z.number(), expiresAt: ExpiresWithin })),
});
export type Availability = z.output<typeof Availability>;

/** A screen-hour without room, as `details.conflicts` of `NO_ROOM` names it. */
export const CampaignConflict = z.object({
  device: DeviceRef.nullable(),
  /** ISO 8601: 1 Monday … 7 Sunday. */
  weekday: z.number().int(),
  hour: z.number().int(),
  /** The share of the hour that is free there, and the one that is needed. */
  free: z.number(),
  needed: z.number(),
  expiresAt: ExpiresWithin,
  /** Booked campaigns in scope on this screen during the flight. */
  campaigns: z.array(z.object({ id: z.uuid(), name: z.string() })),
});
export type CampaignConflict = z.output<typeof CampaignConflict>;

export const Campaign = z.object({
  id: z.uuid(),
  name: z.string(),
  customer: UserRef,
  customerId: z.uuid(),
  state: CampaignState,
  /** Null unless it is booked. */
  phase: CampaignPhase.nullable(),
  /** What the viewer may do with it now. */
  actions: z.array(z.enum(CAMPAIGN_ACTIONS)),
  orientation: Orientation,
  /** Without ads that were deleted. */
  adIds: z.array(z.uuid()),
  creatives: z.array(
    z.object({
      /** Null: it was deleted. */
      ad: z.object({ id: z.uuid(), name: z.string() }).nullable(),
      /** The frozen copy that plays; null until it is booked. */
      releaseId: z.uuid().nullable(),
      /** The length of its round; null until it was requested or booked. */
      spotMs: z.number().int().nullable(),
    }),
  ),
  /** It changed since it was requested: it cannot be approved and needs a new request. */
  changed: z.boolean(),
  /** Null: the group was deleted, or the devices are not for the viewer to see. */
  devices: ShownChoice.nullable(),
  group: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** Devices that carry it; before it is booked, 0. */
  deviceCount: z.number().int(),
  standing: z.boolean(),
  schedule: FlightSchedule,
  goal: CampaignGoal,
  price: CampaignPrice,
  /**
   * Plays that were ordered over the flight; null until it is booked. Devices that join a standing campaign add theirs unless
   * it has a total.
   */
  ordered: z.number().int().nullable(),
  /** Null until its flight begins, unless it is known before that plays will be missing. */
  progress: CampaignProgress.nullable(),
  /** Why it was rejected. */
  remark: z.string().nullable(),
  createdBy: UserRef.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  requestedBy: UserRef.nullable(),
  requestedAt: z.iso.datetime().nullable(),
  /** The user that booked, approved or rejected it. */
  decidedBy: UserRef.nullable(),
  decidedAt: z.iso.datetime().nullable(),
  cancelledBy: UserRef.nullable(),
  cancelledAt: z.iso.datetime().nullable(),
});
export type Campaign = z.output<typeof Campaign>;

export const CAMPAIGN_SORTS = ['name', 'customer', 'from', 'createdAt'] as const;

/** The version that was read; another one by now is refused, so that nobody decides on what they have not seen. */
const SeenBody = z.object({ updatedAt: GivenTime.optional() }).nullish();

/** Why a campaign can be neither requested nor booked. */
const UNPLACED = ['CAMPAIGN_STATE', 'NO_ROOM', 'NO_PLAYS', 'NO_DEVICES', 'EMPTY_AD', 'FILE_NOT_READY'] as const;

export const campaigns = routeTable({
  list: {
    method: 'GET',
    url: '/api/campaigns',
    access: 'user',
    summary:
      'Campaigns in scope, newest first unless `sort` says otherwise; `from` and `to`: flights that touch these days',
    query: PageQuery.extend({
      customer: Id.optional(),
      state: CampaignState.optional(),
      q: z.string().trim().max(100).optional(),
      from: GivenDate().optional(),
      to: GivenDate().optional(),
      /** Booked ones that will end with fewer plays than ordered. */
      short: QueryFlag.optional(),
      /** Requested ones that the viewer may approve. */
      approvable: QueryFlag.optional(),
      sort: sortOf(CAMPAIGN_SORTS).optional(),
    }),
    response: pageOf(Campaign),
  },
  create: {
    method: 'POST',
    url: '/api/campaigns',
    access: 'user',
    summary: 'Write a campaign; nothing is booked yet',
    maxBytes: CHOICE_MAX_BYTES,
    body: CampaignBody,
    errors: ['NOT_FOUND', 'STANDING_FILTER'],
    response: Campaign,
  },
  get: {
    method: 'GET',
    url: '/api/campaigns/:id',
    access: 'user',
    summary: 'One campaign',
    params: IdParams,
    response: Campaign,
  },
  update: {
    method: 'PUT',
    url: '/api/campaigns/:id',
    access: 'user',
    summary: 'Change a campaign that is not booked; what was requested becomes a draft that needs a new request',
    params: IdParams,
    maxBytes: CHOICE_MAX_BYTES,
    body: UpdateCampaignBody,
    errors: ['CAMPAIGN_STATE', 'STANDING_FILTER'],
    response: Campaign,
  },
  delete: {
    method: 'DELETE',
    url: '/api/campaigns/:id',
    access: 'user',
    summary: 'Delete a campaign that was never booked',
    params: IdParams,
    errors: ['CAMPAIGN_STATE'],
    response: Nothing,
  },
  availability: {
    method: 'POST',
    reads: true,
    url: '/api/campaigns/availability',
    access: 'user',
    summary: 'What is free for a campaign, the largest goal that fits, and the devices with the least room',
    maxBytes: CHOICE_MAX_BYTES,
    body: AvailabilityBody,
    errors: ['NOT_FOUND', 'NO_DEVICES', 'NO_PLAYS', 'EMPTY_AD'],
    response: Availability,
  },
  request: {
    method: 'POST',
    url: '/api/campaigns/:id/request',
    access: 'user',
    summary: 'Request a campaign: its creatives are frozen, and a leading user above approves exactly these',
    params: IdParams,
    body: SeenBody,
    errors: UNPLACED,
    response: Campaign,
  },
  approve: {
    method: 'POST',
    url: '/api/campaigns/:id/approve',
    access: 'leading',
    summary: 'Approve what was requested and book it',
    params: IdParams,
    body: SeenBody,
    errors: ['NOT_APPROVABLE', 'NO_ROOM', 'NO_PLAYS', 'NO_DEVICES', 'STANDING_FILTER'],
    response: Campaign,
  },
  reject: {
    method: 'POST',
    url: '/api/campaigns/:id/reject',
    access: 'leading',
    summary: 'Reject what was requested, with a remark for the customer',
    params: IdParams,
    body: z.object({ remark: Remark, updatedAt: GivenTime.optional() }),
    errors: ['NOT_APPROVABLE', 'CHANGED_MEANWHILE'],
    response: Campaign,
  },
  book: {
    method: 'POST',
    url: '/api/campaigns/:id/book',
    access: 'leading',
    summary: 'Book a campaign directly on devices in scope: every screen-hour has room, or nothing is booked',
    params: IdParams,
    body: SeenBody,
    errors: [...UNPLACED, 'STANDING_FILTER'],
    response: Campaign,
  },
  cancel: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/campaigns/:id/cancel',
    access: 'user',
    summary:
      'Take a request back, or end what is left of a booked flight (leading users only); what was delivered stays',
    params: IdParams,
    errors: ['CAMPAIGN_STATE'],
    response: Campaign,
  },
  delivery: {
    method: 'GET',
    url: '/api/campaigns/:id/delivery',
    access: 'user',
    summary:
      'Plays of a campaign: ordered, delivered by hour and day, due by now, forecast, added for missed ones, and the devices behind',
    params: IdParams,
    response: CampaignDelivery,
  },
  statement: {
    method: 'GET',
    url: '/api/campaigns/:id/statement',
    access: 'user',
    summary:
      'What was ordered and delivered by day, area, device and creative, gaps with their reason, and the amount; `format=xls` answers a spreadsheet (application/vnd.ms-excel)',
    params: IdParams,
    query: StatementPeriod.extend({ format: z.enum(['json', 'xls']).default('json') }).refine(isPeriod, PERIOD_ORDER),
    errors: ['CAMPAIGN_STATE'],
    response: Statement,
  },
  share: {
    method: 'POST',
    url: '/api/campaigns/:id/share',
    access: 'user',
    summary: 'Make a link to the statement for people without an account, until it expires or is revoked',
    params: IdParams,
    body: StatementPeriod.extend({
      /** Null: until it is revoked. */
      days: z.number().int().min(SHARE_DAYS.min).max(SHARE_DAYS.max).nullable().default(SHARE_DAYS.default),
    })
      .refine(isPeriod, PERIOD_ORDER)
      .nullish(),
    errors: ['CAMPAIGN_STATE'],
    response: CreatedShare,
  },
  proof: {
    method: 'GET',
    url: '/api/campaigns/:id/proof',
    access: 'user',
    summary:
      'The verification file of a campaign: signed plays, keys of the devices, sums and the amount of its statement, to be checked at /share/verify',
    params: IdParams,
    query: StatementPeriod.refine(isPeriod, PERIOD_ORDER),
    response: raw('application/json'),
  },
  revenue: {
    method: 'GET',
    url: '/api/campaigns/revenue',
    access: 'user',
    summary:
      'Amounts of the campaigns in scope by month and customer, as their statements have them, what the orders of this month would give, and who is behind; `format=xls` answers a spreadsheet (application/vnd.ms-excel)',
    query: RevenueMonths.extend({ format: z.enum(['json', 'xls']).default('json') })
      .refine(isMonthOrder, PERIOD_ORDER)
      .refine(isWithinMonths, MONTHS_TOO_MANY),
    response: Revenue,
  },
  occupancy: {
    method: 'GET',
    url: '/api/campaigns/occupancy',
    access: 'leading',
    summary:
      'The share of the sellable screen time that is booked, by area and week, and the fullest screen of each area',
    response: AreaOccupancy,
  },
  getSettings: {
    method: 'GET',
    url: '/api/campaigns/settings',
    access: 'leading',
    summary: 'The share of an hour that may be sold, and how long devices may be silent',
    response: CampaignSettings,
  },
  updateSettings: {
    method: 'PUT',
    url: '/api/campaigns/settings',
    access: 'leading',
    summary: 'Change what is given; null: as set by the user above. What is booked stays booked',
    body: z.object({
      sellable: z.number().int().min(1).max(100).nullish(),
      silentHours: z.number().int().min(SILENT_HOURS.min).max(SILENT_HOURS.max).nullish(),
    }),
    response: CampaignSettings,
  },
});
