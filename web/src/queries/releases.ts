import {
  type ApprovalState,
  type Envelope,
  type Page,
  type Priority,
  type Release,
  type ReleaseDevice,
  type ReleaseState,
  releases,
} from '@ams/contract';
import { type InfiniteData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callsOf, isUnanswered, unwrap } from '../platform/api.ts';
import { LIST_PAGE_SIZE } from '../platform/constants.ts';
import {
  pageQuery,
  queryClient,
  refreshLater,
  refreshListed,
  refreshUnanswered,
  removeListed,
  replaceListed,
} from '../platform/query.ts';
import { adsChanged } from './ads.ts';
import { invalidate, RELEASE_REQUEST_COUNTS, RELEASES } from './keys.ts';
import { rowQuery } from './row.ts';

const calls = callsOf(releases);
/** For data that is loaded because the server reported a change, not because a user asked for it. */
const quiet = callsOf(releases, { quiet: true });

const LIST = [...RELEASES, 'list'] as const;

export interface ReleaseListFilter {
  /** Those that stand on it. */
  group?: string | undefined;
  ad?: string | undefined;
  owner?: string | undefined;
  q?: string | undefined;
  active?: 'true' | 'false' | undefined;
  /** Requests of customers instead of releases. */
  approval?: ApprovalState | undefined;
  /** Of rejected requests: the recent ones that were not made again. */
  open?: 'true' | undefined;
}

/** Releases in scope, newest first unless `sort` says otherwise. */
export const releasesQuery = (filter: ReleaseListFilter, sort?: z.input<typeof releases.list.query>['sort']) =>
  pageQuery<Release>([...LIST, filter, sort], (page) => calls.list({ query: { ...filter, ...page, sort } }));

/** How many releases a user has. */
export const releaseTotalQuery = (owner: string) =>
  queryOptions({
    queryKey: [...RELEASES, 'total', owner],
    queryFn: async () => (await unwrap(calls.list({ query: { owner, limit: 1, total: 'true' } }))).total ?? 0,
  });

/** How many of the releases that a filter chooses wait for approval. */
export const waitingReleaseCountQuery = (filter: Pick<ReleaseListFilter, 'ad' | 'owner' | 'q'>) =>
  queryOptions({
    queryKey: [...RELEASE_REQUEST_COUNTS, filter],
    queryFn: async () => {
      const query = { ...filter, approval: 'requested', limit: 1, total: 'true' } as const;
      return (await unwrap(quiet.list({ query }))).total ?? 0;
    },
  });

/** Releases that a device takes part in, newest first; only those not withdrawn when `active`. */
export const releasesOnQuery = (device: string, active: boolean) =>
  pageQuery<Release>([...LIST, { device, active }], (page) =>
    calls.list({ query: { device, ...page, ...(active && { active: 'true' as const }) } }),
  );

export const releaseQuery = (id: string) =>
  rowQuery([...RELEASES, 'one', id], LIST, () => calls.get({ params: { id } }));

export const releaseDevicesQuery = (id: string, state: ReleaseState | undefined) =>
  pageQuery<ReleaseDevice>([...RELEASES, 'devices', id, state], (page) =>
    calls.listDevices({ params: { id }, query: { ...page, state } }),
  );

/** What a device shows at an instant (milliseconds since 1970), or now, and why. */
export const programmeQuery = (device: string, at: number | undefined) =>
  queryOptions({
    queryKey: [...RELEASES, 'programme', device, at],
    queryFn: () => {
      const query = at === undefined ? {} : { at: new Date(at).toISOString() };
      return unwrap(calls.programme({ params: { id: device }, query }));
    },
  });

const AT_ONCE = 100;

/** The releases of an ad that are not withdrawn; undefined when they could not be loaded. */
export async function liveReleases(ad: string): Promise<Release[] | undefined> {
  const found: Release[] = [];
  let cursor: string | undefined;
  do {
    const answer = await calls.list({ query: { ad, active: 'true', limit: AT_ONCE, cursor } });
    if (answer.error !== undefined) return undefined;
    found.push(...answer.data.items);
    cursor = answer.data.next ?? undefined;
  } while (cursor);
  return found;
}

/** Withdraws releases in turn up to the first that is refused; answers those that it withdrew. */
export async function withdrawReleases(live: readonly Release[]): Promise<Release[]> {
  const withdrawn: Release[] = [];
  for (const release of live) {
    const answer = await calls.withdraw({ params: { id: release.id } });
    if (answer.error !== undefined) break;
    withdrawn.push(release);
  }
  await adsChanged();
  return withdrawn;
}

/** Takes over what a change answered; after a refusal, what is shown was out of date. */
async function changed(call: Promise<Envelope<Release>>): Promise<Envelope<Release>> {
  const answer = await call;
  if (answer.error !== undefined) {
    await adsChanged();
    return answer;
  }
  queryClient.setQueryData(releaseQuery(answer.data.id).queryKey, answer.data);
  await invalidate([...RELEASES, 'devices', answer.data.id]);
  return answer;
}

export async function withdrawRelease(id: string): Promise<Envelope<Release>> {
  const answer = await changed(calls.withdraw({ params: { id } }));
  await adsChanged();
  return answer;
}

/** Rejects what a customer requested to release. */
export async function rejectRelease(id: string, remark: string): Promise<Envelope<Release>> {
  const answer = await calls.reject({ params: { id }, body: { remark } });
  await adsChanged();
  return answer;
}

/** Undoes withdrawals; true when all releases are back. */
export async function restoreReleases(ids: readonly string[]): Promise<boolean> {
  const answers = await Promise.all(ids.map((id) => changed(calls.restore({ params: { id } }))));
  await adsChanged();
  return answers.every(({ error }) => error === undefined);
}

/** Where a release is ended that serves more than itself: a campaign on its page, and so on. */
export type Occasion = 'campaign' | 'takeover' | 'default';

const OCCASION: Record<Priority, Occasion | undefined> = {
  takeover: 'takeover',
  urgent: undefined,
  normal: undefined,
  default: 'default',
};

/** What a release serves besides itself; undefined if nothing. */
export const occasionOf = ({ campaignId, priority }: Pick<Release, 'campaignId' | 'priority'>): Occasion | undefined =>
  campaignId === null ? OCCASION[priority] : 'campaign';

/** Whether somebody may withdraw a release: default content and campaigns are for leading users. */
export const mayWithdraw = (
  { campaignId, priority }: Pick<Release, 'campaignId' | 'priority'>,
  leading: boolean,
): boolean => leading || (priority !== 'default' && campaignId === null);

/** The time of a campaign is for others at once, and a takeover is over. */
const isRestorable = ({ campaignId, priority }: Pick<Release, 'campaignId' | 'priority'>): boolean =>
  campaignId === null && priority !== 'takeover';

/** The call that undoes the withdrawal of releases; undefined if not all of them can come back. */
export const undoOfWithdrawal = (
  taken: readonly Pick<Release, 'id' | 'campaignId' | 'priority'>[],
): (() => Promise<boolean>) | undefined =>
  taken.every(isRestorable) ? () => restoreReleases(taken.map(({ id }) => id)) : undefined;

export const pauseRollout = (id: string) => changed(calls.pause({ params: { id } }));

/** Resumes after `stage`: the one that is under way, or waited for. */
export const resumeRollout = (id: string, stage: number) => changed(calls.resume({ params: { id }, body: { stage } }));

/** Has devices that failed retry: those named, or all. */
export const retryRelease = (id: string, ids?: string[]) =>
  changed(calls.retry({ params: { id }, body: ids ? { ids } : {} }));

/** Has a device retry each of its releases that failed there. */
export async function retryOn(device: string): Promise<void> {
  const active = await unwrap(calls.list({ query: { device, active: 'true', limit: AT_ONCE } }));
  for (const { id, here } of active.items) if (here === 'failed') await retryRelease(id, [device]);
}

/** After the server reported a change of releases. */
export const refreshReleases = (ids: readonly string[]): Promise<void> => refreshListed<Release>(LIST, ids, quiet);

export const refreshRelease = (id: string): Promise<unknown> => invalidate(releaseQuery(id).queryKey);

/** After the server reported a change of any release, for pages that show several or their effects. */
export const refreshAllReleases = (): Promise<unknown> => invalidate(RELEASES);

type DevicePages = InfiniteData<Page<ReleaseDevice>, string | undefined>;

/** Lists of up to this many pages are fetched again whole. */
const PAGES_WHOLE = 2;
/** Of longer ones this many pages at a time, those with devices that changed. */
const PAGES_AT_ONCE = 3;

/** Brings the list of a release's devices up to date after the server named changed ones. */
export async function refreshReleaseDevices(
  release: string,
  state: ReleaseState | undefined,
  named: readonly string[],
): Promise<void> {
  const { queryKey } = releaseDevicesQuery(release, state);
  const held = queryClient.getQueryData<DevicePages>(queryKey);
  if (!held) return;
  if (held.pages.length <= PAGES_WHOLE) return queryClient.invalidateQueries({ queryKey });

  const ids = new Set(named);
  const touched = held.pages
    .map((page, index) => ({ shown: page.items, cursor: held.pageParams[index] }))
    .filter(({ shown }) => shown.some(({ id }) => ids.has(id)));
  const rest = touched.slice(PAGES_AT_ONCE).flatMap(({ shown }) => shown.map(({ id }) => id));
  void refreshLater(
    queryKey,
    rest.filter((id) => ids.has(id)),
    (later) => refreshReleaseDevices(release, state, later),
  );
  const refreshPage = async ({ shown, cursor }: (typeof touched)[number]): Promise<boolean> => {
    const query = { limit: LIST_PAGE_SIZE, cursor, state };
    const answer = await quiet.listDevices({ params: { id: release }, query });
    if (answer.error !== undefined) return !isUnanswered(answer);
    replaceListed(queryKey, answer.data.items);
    removeListed(queryKey, leftOut(shown, answer.data));
    return true;
  };
  const answered = await Promise.all(touched.slice(0, PAGES_AT_ONCE).map(refreshPage));
  if (answered.includes(false)) await refreshUnanswered(queryKey);
}

/** Devices of a page, which is in the order of their MACs, that are not in the list any more: they have another state. */
function leftOut(shown: readonly ReleaseDevice[], { items, next }: Page<ReleaseDevice>): string[] {
  const there = new Set(items.map(({ id }) => id));
  const last = items.at(-1)?.mac ?? '';
  return shown.filter(({ id, mac }) => !there.has(id) && (next === null || mac <= last)).map(({ id }) => id);
}
