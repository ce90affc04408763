import {
  type AvailabilityBody,
  type Campaign,
  type CampaignBody,
  campaigns,
  type CampaignState,
  type Envelope,
  fillUrl,
  monthAfter,
  type StatementPeriod,
  type UpdateCampaignBody,
} from '@ams/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient, refreshListed, restartLists } from '../platform/query.ts';
import { applied, CAMPAIGNS, invalidate, RELEASES, SHARES } from './keys.ts';
import { rowQuery } from './row.ts';

const calls = callsOf(campaigns);
/** For answers that a page shows itself. */
const quiet = callsOf(campaigns, { quiet: true });

const LISTS = 'lists';
const LIST = [...CAMPAIGNS, LISTS, 'all'] as const;
const REQUESTS = [...CAMPAIGNS, LISTS, 'requests'] as const;

export interface CampaignListFilter {
  state?: CampaignState | undefined;
  customer?: string | undefined;
  q?: string | undefined;
  /** Days (`YYYY-MM-DD`): flights that touch them. */
  from?: string | undefined;
  to?: string | undefined;
  /** Those that will end with fewer plays than ordered. */
  short?: boolean | undefined;
}

/** Campaigns in scope, newest first unless `sort` says otherwise. */
export const campaignsQuery = (filter: CampaignListFilter, sort?: z.input<typeof campaigns.list.query>['sort']) =>
  pageQuery<Campaign>([...LIST, filter, sort], (page) =>
    calls.list({ query: { ...filter, ...page, sort, short: filter.short ? 'true' : undefined } }),
  );

/** Campaigns that customers requested, newest first. */
export const campaignRequestsQuery = pageQuery<Campaign>(REQUESTS, (page) =>
  calls.list({ query: { state: 'requested', ...page } }),
);

export const campaignQuery = (id: string) =>
  rowQuery([...CAMPAIGNS, 'one', id], LIST, () => calls.get({ params: { id } }));

/** How many campaigns a customer has. */
export const campaignTotalQuery = (customer: string) =>
  queryOptions({
    queryKey: [...CAMPAIGNS, 'total', customer],
    queryFn: async () => (await unwrap(calls.list({ query: { customer, limit: 1, total: 'true' } }))).total ?? 0,
  });

/** The campaign that was written last: the next one usually has its price. */
export const lastCampaignQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'last'],
  queryFn: async () => (await unwrap(quiet.list({ query: { limit: 1 } }))).items.at(0) ?? null,
});

/** What a campaign has delivered, by day, and the devices behind. */
export const deliveryQuery = (id: string) =>
  queryOptions({ queryKey: [...CAMPAIGNS, 'delivery', id], queryFn: () => unwrap(calls.delivery({ params: { id } })) });

/** What is free for a campaign; the answer before is shown until the next one arrives. */
export const availabilityQuery = (body: AvailabilityBody) =>
  queryOptions({
    queryKey: [...CAMPAIGNS, 'availability', body],
    queryFn: () => unwrap(quiet.availability({ body })),
    placeholderData: keepPreviousData,
  });

/** What was ordered and delivered in a period, and what it costs. */
export const statementQuery = (id: string, period: StatementPeriod) =>
  queryOptions({
    queryKey: [...CAMPAIGNS, 'statement', id, period],
    queryFn: () => unwrap(calls.statement({ params: { id }, query: period })),
    placeholderData: keepPreviousData,
  });

/** The address of a statement as a spreadsheet. */
export const statementAddress = (id: string, period: StatementPeriod): string =>
  fillUrl(campaigns.statement.url, { id }, { ...period, format: 'xls' });

/** The address of a campaign's verification file with the amount of its statement. */
export const proofAddress = (id: string, period: StatementPeriod): string =>
  fillUrl(campaigns.proof.url, { id }, period);

const firstOf = (months: number): string => monthAfter(new Date().toISOString().slice(0, 7), 1 - months);

/** Amounts by customer of the last months, this one included. */
export const revenueQuery = (months: number) =>
  queryOptions({
    queryKey: [...CAMPAIGNS, 'revenue', months],
    queryFn: () => unwrap(calls.revenue({ query: { from: firstOf(months) } })),
    placeholderData: keepPreviousData,
  });

/** The address of the same as a spreadsheet. */
export const revenueAddress = (months: number): string =>
  fillUrl(campaigns.revenue.url, {}, { from: firstOf(months), format: 'xls' });

/** How much of the screens is booked, by area and week. For leading users. */
export const occupancyQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'occupancy'],
  queryFn: () => unwrap(calls.occupancy()),
});

/** Makes a link to a statement. `days` null: valid until it is revoked. */
export const shareStatement = (id: string, body: StatementPeriod & { days: number | null }) =>
  applied(calls.share({ params: { id }, body }), () => invalidate(SHARES));

/**
 * After a change of these campaigns: lists show them as they are now, those of requests without the ones that were decided.
 * Everything else that is shown of campaigns is fetched again.
 */
export const refreshCampaigns = (ids: readonly string[]): Promise<unknown> =>
  Promise.all([
    refreshListed<Campaign>(LIST, ids, quiet),
    refreshListed<Campaign>(REQUESTS, ids, quiet, ({ state }) => state === 'requested'),
    queryClient.invalidateQueries({
      queryKey: CAMPAIGNS,
      predicate: ({ queryKey }) => queryKey[1] !== LISTS,
    }),
  ]);

const keep = (campaign: Campaign): void => {
  queryClient.setQueryData(campaignQuery(campaign.id).queryKey, campaign);
};

/** Shows what a call answered; after a refusal, what is shown was out of date. */
async function changed(id: string, call: Promise<Envelope<Campaign>>): Promise<Envelope<Campaign>> {
  const answer = await call;
  if (answer.error === undefined) keep(answer.data);
  await Promise.all([refreshCampaigns([id]), invalidate(RELEASES)]);
  return answer;
}

export const createCampaign = (body: CampaignBody) =>
  applied(calls.create({ body }), async (campaign) => {
    keep(campaign);
    await restartLists(CAMPAIGNS);
  });

export const updateCampaign = (id: string, body: UpdateCampaignBody) =>
  changed(id, calls.update({ params: { id }, body }));

/** The campaign as the server has it now. */
export const loadCampaign = (id: string) => calls.get({ params: { id } });

export const deleteCampaign = (id: string) =>
  applied(calls.delete({ params: { id } }), () => {
    queryClient.removeQueries({ queryKey: campaignQuery(id).queryKey });
    return restartLists([...CAMPAIGNS, LISTS]);
  });

type Seen = Pick<Campaign, 'id' | 'updatedAt'>;

export const requestCampaign = ({ id, updatedAt }: Seen) =>
  changed(id, calls.request({ params: { id }, body: { updatedAt } }));
export const bookCampaign = ({ id, updatedAt }: Seen) =>
  changed(id, calls.book({ params: { id }, body: { updatedAt } }));
export const approveCampaign = ({ id, updatedAt }: Seen) =>
  changed(id, calls.approve({ params: { id }, body: { updatedAt } }));
export const rejectCampaign = ({ id, updatedAt }: Seen, remark: string) =>
  changed(id, calls.reject({ params: { id }, body: { remark, updatedAt } }));
export const cancelCampaign = (id: string) => changed(id, calls.cancel({ params: { id } }));

const SETTINGS_KEY = [...CAMPAIGNS, 'settings'] as const;

/** The share of an hour that may be sold, and how long devices may be silent. For leading users. */
export const campaignSettingsQuery = queryOptions({
  queryKey: SETTINGS_KEY,
  queryFn: () => unwrap(calls.getSettings()),
});

/** Changes what is given; null: as set by the user above. */
export const updateCampaignSettings = (body: { sellable?: number | null; silentHours?: number | null }) =>
  applied(calls.updateSettings({ body }), () => invalidate(CAMPAIGNS));
