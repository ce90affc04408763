import type { QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../platform/query.ts';
import { adChecksQuery, adQuery } from '../queries/ads.ts';

const subscribe = (onChange: () => void) => queryClient.getQueryCache().subscribe(onChange);

function isAnswered(queryKey: QueryKey): boolean {
  const state = queryClient.getQueryState(queryKey);
  return state !== undefined && state.dataUpdateCount + state.errorUpdateCount > 0;
}

/**
 * Whether the previews of these ads, and what content checks find in them, have arrived or could not be loaded: a request
 * is not decided on before.
 * @param version as for `CreativeStage`, which asks for them
 */
export const useAreShown = (ads: readonly { id: string }[], version: string): boolean =>
  useSyncExternalStore(subscribe, () =>
    ads.every(({ id }) => isAnswered(adQuery(id, version).queryKey) && isAnswered(adChecksQuery(id, version).queryKey)),
  );
