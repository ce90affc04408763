import { campaigns, type Envelope, type Page, releases } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import type { PageRequest } from '../platform/query.ts';
import { CAMPAIGNS, RELEASES } from './keys.ts';

/** For answers that a page shows itself. */
const quiet = { campaigns: callsOf(campaigns, { quiet: true }), releases: callsOf(releases, { quiet: true }) };
const PAGE_SIZE = 100;

/** All items of a list, page by page. */
async function allOf<T>(load: (page: PageRequest) => Promise<Envelope<Page<T>>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null | undefined;
  do {
    const { items, next } = await unwrap(load({ limit: PAGE_SIZE, ...(cursor && { cursor }) }));
    all.push(...items);
    cursor = next;
  } while (cursor !== null);
  return all;
}

/** How many campaigns wait for a decision of the viewer. */
export const approvalCountQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'approvals'],
  queryFn: async () =>
    (await unwrap(quiet.campaigns.list({ query: { approvable: 'true', limit: 1, total: 'true' } }))).total ?? 0,
});

/** Releases of customers that wait for a decision of a leading user, newest first. */
export const releaseRequestsQuery = queryOptions({
  queryKey: [...RELEASES, 'requests'],
  queryFn: () => allOf((page) => quiet.releases.list({ query: { approval: 'requested', ...page } })),
});

/** How many releases of customers wait for a decision of the viewer. */
export const releaseRequestCountQuery = queryOptions({
  queryKey: [...releaseRequestsQuery.queryKey, 'count'],
  queryFn: async () =>
    (await unwrap(quiet.releases.list({ query: { approval: 'requested', limit: 1, total: 'true' } }))).total ?? 0,
});

/** How many campaigns cannot be delivered in full. */
export const shortCountQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'short'],
  queryFn: async () =>
    (await unwrap(quiet.campaigns.list({ query: { short: 'true', limit: 1, total: 'true' } }))).total ?? 0,
});
