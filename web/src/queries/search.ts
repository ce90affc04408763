import { search } from '@ams/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { SEARCH } from './keys.ts';

const calls = callsOf(search);

/** What a text finds, of every kind; while another text is searched for, what the one before found. */
export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: [...SEARCH, q],
    queryFn: async () => (q === '' ? [] : (await unwrap(calls.list({ query: { q } }))).items),
    placeholderData: keepPreviousData,
  });
