import { type Sorting, sortingOf } from '@ams/contract';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

export interface SortHandle<K extends string> {
  /** What the list is sorted by. */
  sorting: Sorting<K>;
  /** The same for the server; undefined while it is the list's own order. */
  sort: K | `-${K}` | undefined;
  /** Sorts by a column; the column that it is sorted by already is turned around. */
  by: (key: K) => void;
}

/** How a table is sorted, kept in the address as `sort`. What the address says wrongly is the list's own order. */
export function useSort<K extends string>(keys: readonly K[], own: Sorting<K>): SortHandle<K> {
  const [params, setParams] = useSearchParams();
  const sorting = sortingOf(keys, params.get('sort') ?? undefined) ?? own;
  const { key, descending } = sorting;
  const isOwn = key === own.key && descending === own.descending;
  return {
    sorting,
    sort: isOwn ? undefined : textOf(sorting),
    by: (next) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          after.set('sort', textOf({ key: next, descending: next === key && !descending }));
          return after;
        },
        { replace: true, preventScrollReset: true },
      ),
  };
}

const textOf = <K extends string>({ key, descending }: Sorting<K>): K | `-${K}` => (descending ? `-${key}` : key);

const OPEN = 'open';

/** Which row's details the panel shows, kept in the address as `open`, so that back closes it. */
export function usePanel() {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const id = params.get(OPEN) ?? undefined;
  const openedHere = typeof state === 'object' && state !== null && 'opened' in state;
  const show = (next: string | undefined, replace: boolean) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === undefined) after.delete(OPEN);
        else after.set(OPEN, next);
        return after;
      },
      { replace, preventScrollReset: true, state: replace ? state : { opened: true } },
    );
  return {
    id,
    /** Another row in an open panel takes the place of the one before in the history. */
    open: (next: string) => show(next, id !== undefined),
    close: () => {
      if (openedHere) void navigate(-1);
      else show(undefined, true);
    },
  };
}
