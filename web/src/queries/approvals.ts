import { campaigns, releases } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { CAMPAIGNS, RELEASES } from './keys.ts';

/** For answers that a page shows itself. */
const quiet = { campaigns: callsOf(campaigns, { quiet: true }), releases: callsOf(releases, { quiet: true }) };
/** Requests are counted up to this number. */
const COUNTED_MAX = 100;

/** How many campaigns wait for a decision of the viewer. */
export const approvalCountQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'approvals'],
  queryFn: async () => {
    const { items } = await unwrap(quiet.campaigns.list({ query: { state: 'requested', limit: COUNTED_MAX } }));
    return items.filter(({ actions }) => actions.includes('approve')).length;
  },
});

/** Releases of customers that wait for a decision of a leading user, newest first. */
export const releaseRequestsQuery = queryOptions({
  queryKey: [...RELEASES, 'requests'],
  queryFn: async () =>
    (await unwrap(quiet.releases.list({ query: { approval: 'requested', limit: COUNTED_MAX } }))).items,
});

/** How many campaigns cannot be delivered in full. */
export const shortCountQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'short'],
  queryFn: async () =>
    (await unwrap(quiet.campaigns.list({ query: { short: 'true', limit: 1, total: 'true' } }))).total ?? 0,
});
