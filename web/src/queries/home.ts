import { home, users } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';

const calls = callsOf(home);
const userCalls = callsOf(users);

/** Everything on the home page in one call. */
export const homeQuery = queryOptions({ queryKey: ['home'], queryFn: () => unwrap(calls.summary()) });

/** The account that is signed in, as its own page shows it. */
export const accountQuery = (id: string) =>
  queryOptions({ queryKey: ['users', 'one', id], queryFn: () => unwrap(userCalls.get({ params: { id } })) });
