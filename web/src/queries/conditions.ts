import { ads, type DeviceFilter, users } from '@ams/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { callsOf, isApiError, unwrap } from '../platform/api.ts';
import { ADS, USERS } from './keys.ts';

/** A filter outlives the user or the ad that it names: that one is missing is shown where the filter is, and nowhere else. */
const quiet = { users: callsOf(users, { quiet: true }), ads: callsOf(ads, { quiet: true }) };

export const ownerNameQuery = (id: string) =>
  queryOptions({
    queryKey: [...USERS, 'name', id],
    queryFn: async () => (await unwrap(quiet.users.get({ params: { id } }))).username,
  });

export const adNameQuery = (id: string) =>
  queryOptions({
    queryKey: [...ADS, 'name', id],
    queryFn: async () => (await unwrap(quiet.ads.get({ params: { id } }))).name,
  });

/** The name of what a filter refers to by its id. Undefined: it is being asked for; null: it was deleted or is out of scope. */
interface ConditionNames {
  owner: string | null | undefined;
  ad: string | null | undefined;
  releasedAd: string | null | undefined;
}

const nameIn = ({ error, data }: { error: Error | null; data: string | undefined }): string | null | undefined =>
  isApiError(error, 'NOT_FOUND') ? null : data;

/** The names of the user and of the ads that a filter limits devices to. */
export function useConditionNames({
  owner,
  ad,
  releasedAd,
}: Pick<DeviceFilter, 'owner' | 'ad' | 'releasedAd'>): ConditionNames {
  const user = useQuery({ ...ownerNameQuery(owner ?? ''), enabled: owner !== undefined });
  const shown = useQuery({ ...adNameQuery(ad ?? ''), enabled: ad !== undefined });
  const released = useQuery({ ...adNameQuery(releasedAd ?? ''), enabled: releasedAd !== undefined });
  return { owner: nameIn(user), ad: nameIn(shown), releasedAd: nameIn(released) };
}
