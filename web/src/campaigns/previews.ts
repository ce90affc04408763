import { notifyManager, type QueryKey } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { queryClient } from '../platform/query.ts';
import { adChecksQuery, adQuery } from '../queries/ads.ts';

const subscribe = (onChange: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange));

function isAnswered(queryKey: QueryKey): boolean {
  const state = queryClient.getQueryState(queryKey);
  return state !== undefined && state.dataUpdateCount + state.errorUpdateCount > 0;
}

/**
 * Whether the previews of these ads and the findings of content checks have arrived or could not be loaded: a request is not
 * decided on before. It reads the state of queries that others make: `useQueries` would lengthen the start of every page.
 * @param version as for `CreativeStage`, which asks for them
 */
export const useAreShown = (ads: readonly { id: string }[], version: string): boolean =>
  useSyncExternalStore(subscribe, () =>
    ads.every(({ id }) => isAnswered(adQuery(id, version).queryKey) && isAnswered(adChecksQuery(id, version).queryKey)),
  );
