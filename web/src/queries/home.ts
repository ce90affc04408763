import { home } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { HOME } from './keys.ts';

const calls = callsOf(home);

/** Everything on the home page in one call. */
export const homeQuery = queryOptions({ queryKey: HOME, queryFn: () => unwrap(calls.summary()) });
