import type { Page } from '@ams/contract';
import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { foundIn, restartLists } from '../../platform/query.ts';
import { BackTop } from '../layout/BackTop.tsx';
import { Button } from '../layout/Button.tsx';
import { useWaits } from '../feedback/pending.ts';
import { EmptyState, ErrorState } from '../feedback/States.tsx';
import { PullToRefresh } from './PullToRefresh.tsx';
import { Skeletons } from '../feedback/Skeleton.tsx';
import { VirtualRows, type VirtualRowsProps } from './VirtualRows.tsx';
import style from './InfiniteList.module.css';

export type PageQueryOptions<T> = UseInfiniteQueryOptions<
  Page<T>,
  Error,
  InfiniteData<Page<T>>,
  QueryKey,
  string | undefined
>;

export interface InfiniteListProps<T> {
  /** What `pageQuery` made. */
  query: PageQueryOptions<T>;
  /** Name of the list for screen readers. */
  label: string;
  render: (item: T, index: number) => ReactNode;
  /** Height of a row in CSS pixels before it was measured; also that of its skeleton. */
  rowHeight: number;
  /** Lays items out in as many columns of at least this width as fit. One column when left out. */
  minColumn?: number;
  /** Text of an empty list: its content, and what to do. */
  empty: { title: string; hint?: string | undefined; action?: ReactNode };
  /** Says that nothing matches instead, while a filter of the address is active. */
  filter?: { active: boolean; clear: () => void } | undefined;
  /** The scrolling box around, when it is not the window (inside a sheet). */
  box?: React.RefObject<HTMLElement | null>;
}

/** The rows of a keyset list that are loaded, and the way to more of them. */
export function useListed<T>(query: PageQueryOptions<T>) {
  const list = useInfiniteQuery(query);
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const more = () => {
    if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage();
  };
  const end: EndState = list.isFetchNextPageError ? 'failed' : list.hasNextPage ? 'loading' : 'end';
  return { list, items, more, end };
}

type EndState = 'loading' | 'end' | 'failed';

/**
 * A keyset list: pages come while scrolling, pull to refresh, skeletons, empty and error states,
 * back to top, and only the rows in view are in the document.
 */
export function InfiniteList<T extends { id: string }>(props: InfiniteListProps<T>) {
  const { query, label, render, rowHeight, minColumn, empty, filter, box } = props;
  const listed = useListed(query);
  const { list, items, end } = listed;
  const waits = useWaits(list.isPending);
  if (waits) return <Skeletons height={rowHeight} minColumn={minColumn} />;
  if (!foundIn(list)) return <ErrorState error={list.error} onRetry={() => list.refetch()} />;

  return (
    <PullToRefresh onRefresh={() => restartLists(query.queryKey)}>
      {items.length === 0 ? (
        <Nothing empty={empty} filter={filter} />
      ) : (
        <ListedRows listed={listed} {...{ label, render, rowHeight, minColumn, box }} />
      )}
      {items.length > 0 && <ListEnd state={end} onRetry={() => list.fetchNextPage()} />}
      {!box && <BackTop />}
    </PullToRefresh>
  );
}

interface ListedRowsProps<T> extends Pick<VirtualRowsProps<T>, 'label' | 'render' | 'rowHeight' | 'minColumn' | 'box'> {
  listed: ReturnType<typeof useListed<T>>;
}

/** The loaded rows of a keyset list; more come when its end is near. */
export const ListedRows = <T extends { id: string }>({
  listed: { list, items, more },
  ...rows
}: ListedRowsProps<T>) => (
  <VirtualRows {...rows} items={items} complete={!list.hasNextPage} ready={!list.isFetching} onEnd={more} />
);

export function Nothing({ empty, filter }: Pick<InfiniteListProps<never>, 'empty' | 'filter'>) {
  const { t } = useTranslation();
  if (!filter?.active) return <EmptyState {...empty} />;
  const action = <Button onClick={filter.clear}>{t('clearFilters')}</Button>;
  return <EmptyState title={t('noMatch')} hint={t('noMatchHint')} action={action} />;
}

export function ListEnd({ state, onRetry }: { state: EndState; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <p className={style.end} role="status">
      {state === 'loading' && t('loading')}
      {state === 'end' && t('noMore')}
      {state === 'failed' && (
        <button type="button" className={style.retry} onClick={onRetry}>
          {t('loadFailed')} · {t('retry')}
        </button>
      )}
    </p>
  );
}
