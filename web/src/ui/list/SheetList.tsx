import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../feedback/Dialog.tsx';
import { Skeleton } from '../feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '../feedback/States.tsx';
import { Button } from '../layout/Button.tsx';
import type { PageQueryOptions } from './InfiniteList.tsx';
import style from './SheetList.module.css';

interface SheetListProps<T> {
  title: string;
  /** What `pageQuery` made. */
  query: PageQueryOptions<T>;
  idOf: (item: T) => string;
  render: (item: T) => ReactNode;
  /** Title for no items. */
  empty: string;
  onClose: () => void;
}

/** A sheet with a keyset list; more of it on a press. */
export function SheetList<T>({ title, query, idOf, render, empty, onClose }: SheetListProps<T>) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(query);
  const items = list.data?.pages.flatMap((page) => page.items);
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      {list.isPending && <Skeleton height={120} />}
      {list.error && !items && <ErrorState error={list.error} onRetry={() => list.refetch()} />}
      {items?.length === 0 && <EmptyState title={empty} />}
      <ul className={style.rows}>
        {items?.map((item) => (
          <li key={idOf(item)}>{render(item)}</li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button block loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Dialog>
  );
}

/** Its rows: texts at the start, badges at the end. */
export const SheetRow = ({ title, caption, end }: { title: ReactNode; caption?: ReactNode; end?: ReactNode }) => (
  <div className={style.row}>
    <span className={style.text}>
      {title}
      {caption && <span className={`caption ${style.caption}`}>{caption}</span>}
    </span>
    {end && <span className={style.end}>{end}</span>}
  </div>
);
