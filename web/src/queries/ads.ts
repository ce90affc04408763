import { type Ad, type Orientation, ads, releases, users } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient } from '../platform/query.ts';

export const calls = callsOf(ads);
export const releaseCalls = callsOf(releases);
const userCalls = callsOf(users);

const ADS = ['ads'] as const;
export const AD_LISTS = [...ADS, 'list'] as const;

export interface AdListFilter {
  owner: string;
  orientation: Orientation;
  q?: string | undefined;
}

export const adsQuery = (filter: AdListFilter) =>
  pageQuery<Ad>([...AD_LISTS, filter], (page) => calls.list({ query: { ...filter, ...page } }));

/** Users in scope with their numbers of videos, pictures and ads. */
export const ownersQuery = (q: string | undefined) =>
  pageQuery(['users', 'ads', q], (page) => userCalls.list({ query: { ...page, q } }));

export const ownerQuery = (id: string) =>
  queryOptions({ queryKey: ['users', 'one', id], queryFn: () => unwrap(userCalls.get({ params: { id } })) });

/** After an ad went or was withdrawn: lists, what devices show, the numbers of users and home. */
export const adsChanged = (): Promise<unknown> =>
  Promise.all(
    [ADS, ['releases'], ['devices'], ['users'], ['home']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );
