import type { Envelope } from '@ams/contract';
import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { unwrap } from '../platform/api.ts';
import { replaceListed } from '../platform/query.ts';

/** Query options of a row of the lists under `list`: whenever it is read, the lists show it as it is now. */
export const rowQuery = <T extends { id: string }>(
  queryKey: QueryKey,
  list: QueryKey,
  load: () => Promise<Envelope<T>>,
) =>
  queryOptions({
    queryKey,
    queryFn: async () => {
      const row = await unwrap(load());
      replaceListed(list, [row]);
      return row;
    },
  });
