import { session } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';

const calls = callsOf(session);

/** Limits of the installation; they change only with a new start of the server. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => unwrap(calls.settings()),
  staleTime: Infinity,
});
