import type { Envelope } from '@ams/contract';
import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from '../platform/query.ts';

/** What query keys begin with: one word for each kind of data, so that it can be invalidated as a whole. */
export const ADS = ['ads'] as const;
export const ALERTS = ['alerts'] as const;
export const APPS = ['apps'] as const;
export const AUDIT = ['audit'] as const;
export const BATCHES = ['batches'] as const;
export const COLLEAGUES = ['colleagues'] as const;
export const CAMPAIGNS = ['campaigns'] as const;
export const DEVICES = ['devices'] as const;
export const FILES = ['files'] as const;
export const GROUPS = ['groups'] as const;
export const HOME = ['home'] as const;
export const INVITATIONS = ['invitations'] as const;
export const RELEASES = ['releases'] as const;
export const RELEASE_REQUEST_COUNTS = [...RELEASES, 'requests', 'count'] as const;
export const REPORTS = ['reports'] as const;
export const SEARCH = ['search'] as const;
export const SETTINGS = ['settings'] as const;
export const SHARES = ['shares'] as const;
export const TAKEOVERS = ['takeovers'] as const;
export const USERS = ['users'] as const;

/** Has everything under these keys fetched again; resolves when what is shown is up to date. */
export const invalidate = (...keys: readonly QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/**
 * The answer of a changing call, after `update` has brought the cached data up to date. A refused call changes
 * nothing. After a refusal because something was changed meanwhile, `reload` fetches that again, for the next try; because
 * it was deleted meanwhile, everything shown is fetched again.
 */
export async function applied<T>(
  call: Promise<Envelope<T>>,
  update: (data: T) => unknown,
  reload?: () => unknown,
): Promise<Envelope<T>> {
  const answer = await call;
  if (answer.error === undefined) await update(answer.data);
  else if (answer.error === 'CHANGED_MEANWHILE') await reload?.();
  else if (answer.error === 'NOT_FOUND') await queryClient.invalidateQueries();
  return answer;
}
