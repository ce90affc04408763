import { type MediaFile, files, users } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient, refreshListed } from '../platform/query.ts';

export const calls = callsOf(files);
const userCalls = callsOf(users);

const FILES = ['files'] as const;
const LIST = [...FILES, 'list'] as const;

export interface FileListFilter {
  owner: string;
  orientation: MediaFile['orientation'];
  kind: MediaFile['kind'];
  q?: string | undefined;
}

export const filesQuery = (filter: FileListFilter) =>
  pageQuery<MediaFile>([...LIST, filter], (page) => calls.list({ query: { ...filter, ...page } }));

export const fileQuery = (id: string) =>
  queryOptions({ queryKey: [...FILES, 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

export const countsQuery = (owner: string) =>
  queryOptions({ queryKey: [...FILES, 'counts', owner], queryFn: () => unwrap(calls.counts({ query: { owner } })) });

/** Users in scope with `mp4` and `img`, how many videos and pictures each has. */
export const ownersQuery = (q: string | undefined) =>
  pageQuery(['users', 'files', q], (page) => userCalls.list({ query: { ...page, q } }));

export const ownerQuery = (id: string) =>
  queryOptions({ queryKey: ['users', 'one', id], queryFn: () => unwrap(userCalls.get({ params: { id } })) });

/** After files came, went or changed their name: lists, counts, and the numbers of users and home. */
export const filesChanged = (): Promise<unknown> =>
  Promise.all([FILES, ['users'], ['home']].map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** The server named changed files. */
export function refreshFiles(ids: readonly string[]): void {
  void refreshListed<MediaFile>(LIST, ids, (id) => calls.get({ params: { id } }));
  void queryClient.invalidateQueries({ queryKey: [...FILES, 'counts'] });
  // Owner of the files, and their share of the quota.
  void queryClient.invalidateQueries({ queryKey: ['users', 'one'] });
  for (const id of ids) void queryClient.invalidateQueries({ queryKey: fileQuery(id).queryKey });
}
