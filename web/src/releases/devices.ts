import type { Page, ReleaseDevice, ReleaseState } from '@ams/contract';
import type { InfiniteData } from '@tanstack/react-query';
import { LIST_PAGE_SIZE } from '../platform/constants.ts';
import { queryClient } from '../platform/query.ts';
import { calls, devicesQuery } from '../queries/releases.ts';

type Pages = InfiniteData<Page<ReleaseDevice>, string | undefined>;

/** Lists of up to this many pages are fetched again whole. */
const PAGES_WHOLE = 2;
/** Of longer ones at most this many pages at a time, those with devices that changed. */
const PAGES_AT_ONCE = 3;

/** Brings the list of a release's devices up to date after the server named changed ones. */
export async function refreshDevices(
  release: string,
  state: ReleaseState | undefined,
  changed: readonly string[],
): Promise<void> {
  const { queryKey } = devicesQuery(release, state);
  const held = queryClient.getQueryData<Pages>(queryKey);
  if (!held) return;
  if (held.pages.length <= PAGES_WHOLE) return queryClient.invalidateQueries({ queryKey });

  const ids = new Set(changed);
  const touched = held.pages
    .map((page, index) => ({ page, cursor: held.pageParams[index] }))
    .filter(({ page }) => page.items.some((item) => ids.has(item.id)))
    .slice(0, PAGES_AT_ONCE);
  const answers = await Promise.all(
    touched.map(({ cursor }) =>
      calls.listDevices({ params: { id: release }, query: { limit: LIST_PAGE_SIZE, cursor, state } }),
    ),
  );
  const fresh = new Map(
    answers.flatMap((answer) => (answer.error === undefined ? answer.data.items.map((item) => [item.id, item]) : [])),
  );
  queryClient.setQueryData<Pages>(
    queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((item) => fresh.get(item.id) ?? item),
        })),
      },
  );
}
