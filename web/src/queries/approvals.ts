import { campaigns, type Release, releases } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, refreshListed } from '../platform/query.ts';
import { CAMPAIGNS, RELEASE_REQUEST_COUNTS, RELEASES } from './keys.ts';

const calls = callsOf(releases);
/** For answers that a page shows itself. */
const quiet = { campaigns: callsOf(campaigns, { quiet: true }), releases: callsOf(releases, { quiet: true }) };

/** How many campaigns wait for a decision of the viewer. */
export const approvalCountQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'approvals'],
  queryFn: async () =>
    (await unwrap(quiet.campaigns.list({ query: { approvable: 'true', limit: 1, total: 'true' } }))).total ?? 0,
});

const REQUESTS = [...RELEASES, 'requests', 'list'] as const;

/** Releases of customers that wait for a decision of a leading user, newest first. */
export const releaseRequestsQuery = pageQuery<Release>(REQUESTS, (page) =>
  calls.list({ query: { approval: 'requested', ...page } }),
);

/** After the server named changed releases: those that were decided are no requests any more. */
export const refreshReleaseRequests = (ids: readonly string[]): Promise<void> =>
  refreshListed<Release>(REQUESTS, ids, quiet.releases, ({ approval }) => approval?.state === 'requested');

/** How many releases of customers wait for a decision of the viewer. */
export const releaseRequestCountQuery = queryOptions({
  queryKey: RELEASE_REQUEST_COUNTS,
  queryFn: async () =>
    (await unwrap(quiet.releases.list({ query: { approval: 'requested', limit: 1, total: 'true' } }))).total ?? 0,
});

/** How many campaigns cannot be delivered in full. */
export const shortCountQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'short'],
  queryFn: async () =>
    (await unwrap(quiet.campaigns.list({ query: { short: 'true', limit: 1, total: 'true' } }))).total ?? 0,
});
