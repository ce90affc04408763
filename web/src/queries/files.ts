import { FILES_AT_ONCE_MAX, type FileUse, type MediaFile, files } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { ApiError, callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, refreshListed } from '../platform/query.ts';
import { applied, FILES, HOME, invalidate, USERS } from './keys.ts';

const calls = callsOf(files);
const quiet = callsOf(files, { quiet: true });
const LIST = [...FILES, 'list'] as const;

export interface FileListFilter {
  owner: string;
  orientation: MediaFile['orientation'];
  kind: MediaFile['kind'];
  q?: string | undefined;
}

export type FileSort = z.input<typeof files.list.query>['sort'];

/** Newest first unless `sort` says otherwise. */
export const filesQuery = (filter: FileListFilter, sort?: FileSort) =>
  pageQuery<MediaFile>([...LIST, filter, sort], (page) => calls.list({ query: { ...filter, ...page, sort } }));

/** Files that an ad may hold: those that are ready. */
export const choosableFilesQuery = (filter: FileListFilter) =>
  pageQuery<MediaFile>([...FILES, 'choose', filter], (page) =>
    calls.list({ query: { ...filter, ...page, state: 'ready' } }),
  );

/** Quiet: the page that shows the file says when it is gone. */
export const fileQuery = (id: string) =>
  queryOptions({ queryKey: [...FILES, 'one', id], queryFn: () => unwrap(quiet.get({ params: { id } })) });

/** The ads that show a file; they change with releases. */
export const fileUsesQuery = (id: string) =>
  pageQuery<FileUse>([...FILES, 'uses', id], (page) => calls.uses({ params: { id }, query: page }));

/** Files named in an address; those that are gone are left out. */
export const namedFilesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: [...FILES, 'named', ids],
    queryFn: async (): Promise<MediaFile[]> => {
      const answers = await Promise.all(ids.map((id) => calls.get({ params: { id } })));
      return answers.flatMap((answer) => {
        if (answer.error === undefined) return [answer.data];
        if (answer.error === 'NOT_FOUND') return [];
        throw new ApiError(answer);
      });
    },
    // Files that were just uploaded can be used once they are ready.
    refetchInterval: ({ state }) => (state.data?.some(isProcessing) ? PROCESSING_POLL_MS : false),
  });

const PROCESSING_POLL_MS = 1000;
export const isProcessing = ({ state }: MediaFile): boolean => state === 'processing';

export const fileCountsQuery = (owner: string) =>
  queryOptions({ queryKey: [...FILES, 'counts', owner], queryFn: () => unwrap(calls.counts({ query: { owner } })) });

/** After files were added, deleted or renamed: lists, counts, and the numbers of users and home. */
export const filesChanged = (): Promise<unknown> => invalidate(FILES, USERS, HOME);

/** After the server named changed files: their rows, their owners' counts and quotas. */
export function refreshFiles(ids: readonly string[]): void {
  void refreshListed<MediaFile>(LIST, ids, quiet);
  void invalidate([...FILES, 'counts'], [...USERS, 'one'], ...ids.map((id) => fileQuery(id).queryKey));
}

/** After the server named changed files, for who chooses among those that are ready. */
export const refreshChoosableFiles = (): void => void invalidate(FILES);

export const renameFile = (id: string, name: string) =>
  applied(calls.update({ params: { id }, body: { name } }), filesChanged);

/** Gives a file another orientation or kind of its media. */
export const moveFile = (id: string, place: Pick<MediaFile, 'orientation' | 'kind'>) =>
  applied(calls.update({ params: { id }, body: place }), filesChanged);

/** Deletes any number of files, as many at once as a call may name; answers the first refusal of a call. */
export async function deleteFiles(ids: readonly string[]): ReturnType<typeof calls.deleteMany> {
  const now = ids.slice(0, FILES_AT_ONCE_MAX);
  const answer = await applied(calls.deleteMany({ body: { ids: now } }), filesChanged);
  if (answer.error !== undefined || now.length === ids.length) return answer;
  const rest = await deleteFiles(ids.slice(FILES_AT_ONCE_MAX));
  if (rest.error !== undefined) return rest;
  const { done, failed } = answer.data;
  return { ...rest, data: { done: done + rest.data.done, failed: [...failed, ...rest.data.failed] } };
}
