import { session } from '@ams/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { SETTINGS } from './keys.ts';

const calls = callsOf(session);

/** Limits of the installation; they change only with a new start of the server. */
export const settingsQuery = queryOptions({
  queryKey: SETTINGS,
  queryFn: () => unwrap(calls.settings()),
  staleTime: Infinity,
});

/** Bytes that a user without a quota of its own may store; 0 is no limit, and while it is not known. */
export const useDefaultQuota = (): number => useQuery(settingsQuery).data?.quotaBytes ?? 0;
