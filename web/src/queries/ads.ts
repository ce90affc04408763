import {
  type Ad,
  type AdBody,
  type AdDevice,
  type CreateReleaseBody,
  type DefaultContentBody,
  type Orientation,
  ads,
} from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient, refreshListed } from '../platform/query.ts';
import { ADS, applied, DEVICES, HOME, invalidate, RELEASES, USERS } from './keys.ts';
import { rowQuery } from './row.ts';

const calls = callsOf(ads);
const quiet = callsOf(ads, { quiet: true });
const LIST = [...ADS, 'list'] as const;

interface AdListNarrow {
  owner: string | undefined;
  orientation: Orientation | undefined;
}

export interface AdListFilter {
  owner: string;
  orientation: Orientation;
  q?: string | undefined;
}

/** Newest first unless `sort` says otherwise. */
export const adsQuery = (filter: AdListFilter, sort?: z.input<typeof ads.list.query>['sort']) =>
  pageQuery<Ad>([...LIST, filter, sort], (page) => calls.list({ query: { ...filter, ...page, sort } }));

/** Ads in scope by a part of their name, to choose some; `narrow`: only those of an owner or an orientation. */
export const pickableAdsQuery = (q: string, narrow: Partial<AdListNarrow> = {}) =>
  pageQuery<Ad>([...ADS, 'pick', q, narrow], (page) => calls.list({ query: { ...page, ...narrow, ...(q && { q }) } }));

/** The ads that devices at and below a user show while nothing else plays. */
export const defaultContentQuery = (userId: string) =>
  queryOptions({
    queryKey: [...ADS, 'default', userId],
    queryFn: () => unwrap(calls.getDefaultContent({ params: { id: userId } })),
  });

/** `version`: whatever changes with what the ad is shown beside, so that an earlier picture of it never stands there. */
export const adQuery = (id: string, version?: string) =>
  queryOptions({
    ...rowQuery([...ADS, 'one', id, ...(version === undefined ? [] : [version])], LIST, () =>
      calls.get({ params: { id } }),
    ),
    // The editor begins with the newest version, and does not change while somebody fills it in.
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

const CHECKS_MS = 3000;

/** What content checks find in the files of an ad; asked again for as long as they run. */
export const adChecksQuery = (id: string, version?: string) =>
  queryOptions({
    queryKey: [...ADS, 'checks', id, version],
    queryFn: () => unwrap(calls.checks({ params: { id } })),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? CHECKS_MS : false),
  });

/** The devices on which an ad is released. */
export const adDevicesQuery = (id: string) =>
  pageQuery<AdDevice>([...ADS, 'devices', id], (page) => calls.listDevices({ params: { id }, query: page }));

/** After an ad was stored, deleted, released or withdrawn: lists, what devices play, the numbers of users and home. */
export const adsChanged = (): Promise<unknown> => invalidate(ADS, RELEASES, DEVICES, USERS, HOME);

/** After a release changed on the server: short lists are fetched again. */
export const adReleasesChanged = (): Promise<void> => refreshListed<Ad>(LIST, [], quiet);

const stored = async (ad: Ad): Promise<void> => {
  queryClient.setQueryData(adQuery(ad.id).queryKey, ad);
  await adsChanged();
};

export const createAd = (body: AdBody & { ownerId: string }) => applied(calls.create({ body }), stored);

/** Replaces the ad that was last changed at `updatedAt`; answers CHANGED_MEANWHILE when somebody else was faster. */
export const replaceAd = (id: string, body: AdBody & { updatedAt: string }) =>
  applied(calls.update({ params: { id }, body }), stored);

export const copyAd = (id: string, name: string) => applied(calls.copy({ params: { id }, body: { name } }), adsChanged);

export const deleteAd = (id: string) => applied(calls.delete({ params: { id } }), adsChanged);

export const releaseAd = (id: string, body: CreateReleaseBody) =>
  applied(calls.release({ params: { id }, body }), adsChanged);

/** Approves what a customer requested to release. After a refusal, what is shown was out of date. */
export async function approveRelease(id: string) {
  const answer = await calls.approve({ params: { id } });
  await adsChanged();
  return answer;
}

/** Names an ad as default content of an orientation; null removes it. */
export const changeDefaultContent = (userId: string, body: DefaultContentBody) =>
  applied(calls.changeDefaultContent({ params: { id: userId }, body }), adsChanged);

/** Refused when somebody else changed the ad since it was shown: the list then shows their version. */
export async function updateDevices({ id, updatedAt }: Ad) {
  const answer = await calls.updateDevices({ params: { id }, body: { updatedAt } });
  await adsChanged();
  return answer;
}

/** The ad as the server has it now. */
export const loadAd = (id: string) => calls.get({ params: { id } });
