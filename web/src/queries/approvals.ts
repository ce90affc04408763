import { campaigns } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { CAMPAIGNS } from './keys.ts';

/** For answers that a page shows itself. */
const calls = callsOf(campaigns, { quiet: true });
/** Requests are counted up to this number. */
const COUNTED_MAX = 100;

/** How many requests wait for a decision of the viewer. */
export const approvalCountQuery = queryOptions({
  queryKey: [...CAMPAIGNS, 'approvals'],
  queryFn: async () => {
    const { items } = await unwrap(calls.list({ query: { state: 'requested', limit: COUNTED_MAX } }));
    return items.filter(({ actions }) => actions.includes('approve')).length;
  },
});
