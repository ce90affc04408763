import {
  type Device,
  type DeviceFilter,
  type MediaFile,
  type Release,
  type ReleaseDevice,
  type ReleaseState,
  type Orientation,
  ads,
  devices,
  files,
  releases,
  users,
} from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient } from '../platform/query.ts';

export const calls = callsOf(releases);
/** For what is loaded because the server said that it changed: nobody asked for it. */
export const quietCalls = callsOf(releases, { quiet: true });
export const adCalls = callsOf(ads);
const deviceCalls = callsOf(devices);
const fileCalls = callsOf(files);
const userCalls = callsOf(users);

const RELEASES = ['releases'] as const;

export const releaseQuery = (id: string) =>
  queryOptions({ queryKey: [...RELEASES, 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

export const devicesQuery = (id: string, state: ReleaseState | undefined) =>
  pageQuery<ReleaseDevice>([...RELEASES, 'devices', id, state], (page) =>
    calls.listDevices({ params: { id }, query: { ...page, state } }),
  );

export const adQuery = (id: string) =>
  queryOptions({
    queryKey: ['ads', 'one', id],
    queryFn: () => unwrap(adCalls.get({ params: { id } })),
    // A form begins with the newest version, and is not changed under the hands that fill it.
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

export const ownerQuery = (id: string) =>
  queryOptions({ queryKey: ['users', 'one', id], queryFn: () => unwrap(userCalls.get({ params: { id } })) });

/** Files named in the address; those that are gone are left out. */
export const namedFilesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['files', 'named', ids],
    queryFn: async (): Promise<MediaFile[]> => {
      const answers = await Promise.all(ids.map((id) => fileCalls.get({ params: { id } })));
      return answers.flatMap((answer) => (answer.error === undefined ? [answer.data] : []));
    },
  });

export interface ChoosableFilter {
  owner: string;
  orientation: Orientation;
  kind: MediaFile['kind'];
  q?: string | undefined;
}

/** Files that may be put on a screen: those that are ready. */
export const choosableQuery = (filter: ChoosableFilter) =>
  pageQuery<MediaFile>(['files', 'choose', filter], (page) =>
    fileCalls.list({ query: { ...filter, ...page, state: 'ready' } }),
  );

export const fileCountsQuery = (owner: string) =>
  queryOptions({
    queryKey: ['files', 'counts', owner],
    queryFn: () => unwrap(fileCalls.counts({ query: { owner } })),
  });

export const deviceListQuery = (filter: Omit<DeviceFilter, 'online'> & { online?: 'true' | 'false' | undefined }) =>
  pageQuery<Device>(['devices', 'choose', filter], (page) => deviceCalls.list({ query: { ...filter, ...page } }));

/** How many devices a user has. */
export const deviceCountQuery = (owner: string) =>
  queryOptions({
    queryKey: ['devices', 'count', owner],
    queryFn: () =>
      unwrap(deviceCalls.list({ query: { owner, limit: 1, total: 'true' } })).then(({ total = 0 }) => total),
  });

/** After an ad was stored or released: lists, numbers of the home page, what devices show. */
export const releasesChanged = (): Promise<unknown> =>
  Promise.all(
    [['ads'], RELEASES, ['devices'], ['home'], ['users']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );

/** Takes over what a change answered and has its devices asked for again. */
export async function releaseChanged(release: Release): Promise<void> {
  queryClient.setQueryData(releaseQuery(release.id).queryKey, release);
  await queryClient.invalidateQueries({ queryKey: [...RELEASES, 'devices', release.id] });
}

export const RELEASE_LISTS = [...RELEASES, 'list'] as const;

export interface ReleaseListFilter {
  ad?: string | undefined;
  owner?: string | undefined;
  q?: string | undefined;
  active?: 'true' | 'false' | undefined;
}

/** Releases in scope, newest first. */
export const releaseListQuery = (filter: ReleaseListFilter) =>
  pageQuery<Release>([...RELEASE_LISTS, filter], (page) => calls.list({ query: { ...filter, ...page } }));

/** After the server said that something about a release changed: its sums. */
export const releaseMoved = (id: string): Promise<unknown> =>
  queryClient.invalidateQueries({ queryKey: releaseQuery(id).queryKey });
