import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { foundIn } from '../../../platform/query.ts';
import { Skeletons } from '../../feedback/Skeleton.tsx';
import { ErrorState } from '../../feedback/States.tsx';
import { CheckIcon } from '../../layout/icons.ts';
import { type InfiniteListProps, ListEnd, Nothing, useListed } from '../InfiniteList.tsx';
import { type Left, refocus, useLeft } from '../left.ts';
import { useRange } from '../range.ts';
import type { SortHandle } from './address.ts';
import { CopyBar } from './CopyBar.tsx';
import { type Column, TableHead } from './TableHead.tsx';
import { itemsBetween, type Place, rowAfter } from './rows.ts';
import style from './DataTable.module.css';

/** Of a row, in CSS pixels: forty of them fit on a screen of 1280×800. */
const ROW_HEIGHT = 17;
/** Of the heads, which stay above the rows (`DataTable.module.css`). */
const HEAD_HEIGHT = 24;
const OVERSCAN = 12;
/** The next page is asked for when this many rows are left. */
const ROWS_AHEAD = 40;
const SKELETON_HEIGHT = 34;

/** Which rows are selected. Selecting replaces what was selected before. */
export interface Chosen<T> {
  has: (id: string) => boolean;
  choose: (items: T[]) => void;
}

interface DataTableProps<T, K extends string> extends Pick<
  InfiniteListProps<T>,
  'query' | 'label' | 'empty' | 'filter'
> {
  /** The same array as long as nothing changes in it: rows are drawn again with it. */
  columns: readonly Column<T, K>[];
  sort: SortHandle<K>;
  /** Which rows are selected, where they are selected for more than to be copied. */
  chosen?: Chosen<T>;
  /** The row whose details are shown beside the table. */
  open: string | undefined;
  onOpen: (id: string) => void;
  onClose: () => void;
}

/**
 * A dense table over a keyset list. A click opens a row, with Ctrl or Cmd it selects it, with Shift all from the last
 * one; arrows move, Space selects, Enter opens, Escape closes and then selects nothing. Only rows in view are in the
 * document.
 */
export function DataTable<T extends { id: string }, K extends string>(props: DataTableProps<T, K>) {
  const { query, empty, filter, columns } = props;
  const name = JSON.stringify(query.queryKey);
  const own = useOwnChoice<T>(name);
  const { list, items, more, end } = useListed(query);
  if (list.isPending) return <Skeletons height={SKELETON_HEIGHT} />;
  if (!foundIn(list)) return <ErrorState error={list.error} onRetry={() => list.refetch()} />;
  if (items.length === 0) return <Nothing empty={empty} filter={filter} />;
  const chosen = props.chosen ?? own;
  return (
    <div className={style.table}>
      <Grid
        {...props}
        list={name}
        chosen={chosen}
        items={items}
        complete={!list.hasNextPage}
        ready={!list.isFetching}
        onEnd={more}
      >
        <ListEnd state={end} onRetry={() => list.fetchNextPage()} />
      </Grid>
      {!props.chosen && own.rows.length > 0 && <CopyBar columns={columns} listed={items} {...own} />}
    </div>
  );
}

/** The selection of a table that nobody else asks for. It ends by itself when `place` becomes another. */
function useOwnChoice<T extends { id: string }>(place: string) {
  const [{ at, rows }, set] = useState<{ at: string; rows: readonly T[] }>({ at: place, rows: [] });
  const current = at === place ? rows : [];
  const ids = new Set(current.map(({ id }) => id));
  return {
    rows: current,
    has: (id: string) => ids.has(id),
    choose: (items: readonly T[]) => set({ at: place, rows: items }),
  };
}

interface GridProps<T, K extends string> extends DataTableProps<T, K> {
  /** Which list it is: another one has another filter or order. */
  list: string;
  chosen: Chosen<T>;
  items: readonly T[];
  /** No page is left to come. */
  complete: boolean;
  /** Nothing is being fetched, so that `onEnd` may fetch. */
  ready: boolean;
  onEnd: () => void;
  /** Stands below the last row. */
  children: ReactNode;
}

function Grid<T extends { id: string }, K extends string>(props: GridProps<T, K>) {
  const { items, label, sort, chosen, open, complete, ready, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const name = useId();
  const columns = useFitting(box, props.columns);
  const tracks = tracksOf(columns);
  const left = useLeft(label, () => ({ offset: box.current?.scrollTop, row: place.cursor }));
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    initialOffset: left.offset ?? 0,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    rangeExtractor: useRange(),
    // Rows begin below the heads, which the virtual list does not know.
    scrollPaddingEnd: HEAD_HEIGHT,
  });
  useOffset(box, props.list, left);
  const rows = virtualizer.getVirtualItems();
  const pageRows = Math.max(1, Math.floor(((virtualizer.scrollRect?.height ?? 0) - HEAD_HEIGHT) / ROW_HEIGHT) - 1);
  const { place, handlers } = useRows(props, left.row, pageRows, (index) => virtualizer.scrollToIndex(index));
  useLayoutEffect(() => {
    if (left.row !== undefined) refocus(box.current?.querySelector<HTMLElement>('[role=grid]'));
  }, [left]);
  const nearEnd = (rows.at(-1)?.index ?? 0) >= items.length - ROWS_AHEAD;
  const onEnd = useEffectEvent(props.onEnd);
  useEffect(() => {
    if (nearEnd && ready) onEnd();
  }, [nearEnd, items.length, ready]);
  const cursor = rows.find(({ index }) => items[index]?.id === place.cursor);
  return (
    <div ref={box} className={style.box}>
      {/* The rows are not focusable: the grid has the focus and says which of them is meant. */}
      <div
        role="grid"
        className={style.grid}
        tabIndex={0}
        aria-label={label}
        aria-multiselectable
        aria-rowcount={complete ? items.length + 1 : -1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={cursor && `${name}-${cursor.index}`}
        {...handlers}
      >
        <TableHead columns={columns} tracks={tracks} sort={sort} />
        <div role="rowgroup" className={style.rows} data-dense style={{ height: virtualizer.getTotalSize() }}>
          {rows.map(({ index, start }) => {
            const item = items[index];
            return (
              item && (
                <Row
                  key={item.id}
                  name={`${name}-${index}`}
                  item={item}
                  index={index}
                  top={start}
                  columns={columns}
                  tracks={tracks}
                  isChosen={chosen.has(item.id)}
                  isCursor={item.id === place.cursor}
                  isOpen={item.id === open}
                />
              )
            );
          })}
        </div>
      </div>
      {children}
    </div>
  );
}

/** Another list in a table that stays begins at its top, or where it was left. */
function useOffset(box: RefObject<HTMLElement | null>, list: string, left: Left): void {
  const shown = useRef(list);
  useLayoutEffect(() => {
    if (shown.current === list) return;
    shown.current = list;
    box.current?.scrollTo({ top: left.offset ?? 0 });
  }, [box, list, left]);
}

const tracksOf = (columns: readonly { width: string }[]): string =>
  ['20px', ...columns.map(({ width }) => width)].join(' ');

type Fitted = Pick<Column<never, never>, 'width' | 'from'>;

/** Pixels that columns need at least: each with the gap before it, after the padding and the mark of the row. */
const leastOf = (columns: readonly Fitted[]): number =>
  columns.reduce((sum, { width }) => sum + 12 + Number.parseInt(width.replace('minmax(', ''), 10), 36);

/** Those of the columns for which there is room: the ones that are shown from a larger width on, and then the last ones, go first. */
function fitting<C extends Fitted>(columns: readonly C[], width: number): readonly C[] {
  const shown = columns.filter(({ from = 0 }) => width >= from);
  while (shown.length > 1 && leastOf(shown) > width) {
    const last = shown.reduce((at, { from = 0 }, index) => (from >= (shown[at]?.from ?? 0) ? index : at), 0);
    shown.splice(last, 1);
  }
  return shown;
}

/** Those of the columns for which the box is wide enough. */
function useFitting<C extends Fitted>(box: RefObject<HTMLElement | null>, columns: readonly C[]) {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return useMemo(() => fitting(columns, width), [columns, width]);
}

/** Mouse and keyboard on the rows, which begin at the open row or else at `first`. */
function useRows<T extends { id: string }, K extends string>(
  { items, chosen, open, onOpen, onClose }: GridProps<T, K>,
  first: string | undefined,
  pageRows: number,
  scrollTo: (index: number) => void,
) {
  const [place, setPlace] = useState<Place>({ cursor: open ?? first, anchor: open ?? first });
  const at = items.findIndex(({ id }) => id === place.cursor);
  // When its row has left the list, the keyboard is on the one that took its place.
  const lastAt = useRef(-1);
  useEffect(() => {
    const next = at < 0 && lastAt.current >= 0 ? items[Math.min(lastAt.current, items.length - 1)] : undefined;
    if (next) setPlace(({ anchor }) => ({ cursor: next.id, anchor }));
    else lastAt.current = at;
  }, [at, items]);

  const selectTo = (index: number) => {
    const anchor = place.anchor ?? place.cursor ?? items[index]?.id;
    chosen.choose(itemsBetween(items, anchor, index));
    setPlace({ cursor: items[index]?.id, anchor });
  };
  const toggle = ({ id }: T) => {
    chosen.choose(items.filter((item) => chosen.has(item.id) !== (item.id === id)));
    setPlace({ cursor: id, anchor: id });
  };
  const openRow = ({ id }: T) => {
    setPlace({ cursor: id, anchor: id });
    onOpen(id);
  };
  const escape = () => {
    if (open === undefined) chosen.choose([]);
    else onClose();
  };

  const onClick = (event: MouseEvent<HTMLElement>) => {
    const { target } = event;
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
    const item = items[Number(row?.dataset['index'] ?? -1)];
    if (!item || !(target instanceof Element) || target.closest('a, button')) return;
    if (event.shiftKey) selectTo(items.indexOf(item));
    else if (event.ctrlKey || event.metaKey || target.closest('[data-mark]')) toggle(item);
    else {
      chosen.choose([]);
      openRow(item);
    }
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // The buttons of the head have keys of their own.
    if (event.target !== event.currentTarget || event.altKey) return;
    const current = items[at];
    const next = rowAfter(event.key, at, items.length, pageRows);
    if (next !== undefined) {
      if (event.shiftKey) selectTo(next);
      else setPlace({ cursor: items[next]?.id, anchor: items[next]?.id });
      scrollTo(next);
    } else if (event.key === ' ' && current) toggle(current);
    else if (event.key === 'Enter' && current) openRow(current);
    else if (event.key === 'Escape') escape();
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) chosen.choose([...items]);
    else return;
    event.preventDefault();
    // Escape does one thing at a time.
    event.stopPropagation();
  };

  const onFocus = () => {
    if (at < 0) setPlace({ cursor: items[0]?.id, anchor: items[0]?.id });
  };
  // A click with Shift would select text.
  const onMouseDown = (event: MouseEvent) => {
    if (event.shiftKey) event.preventDefault();
  };
  return { place, handlers: { onClick, onKeyDown, onFocus, onMouseDown } };
}

interface RowProps<T, K extends string> {
  /** Id of its element. */
  name: string;
  item: T;
  index: number;
  top: number;
  columns: readonly Column<T, K>[];
  tracks: string;
  isChosen: boolean;
  isCursor: boolean;
  isOpen: boolean;
}

function Row<T extends { id: string }, K extends string>(props: RowProps<T, K>) {
  const { name, item, index, top, columns, tracks, isChosen, isCursor, isOpen } = props;
  return (
    <div
      role="row"
      id={name}
      className={style.row}
      data-index={index}
      data-id={item.id}
      data-testid="row"
      data-cursor={isCursor || undefined}
      data-open={isOpen || undefined}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      aria-current={isOpen || undefined}
      style={{ height: ROW_HEIGHT, transform: `translateY(${top}px)`, gridTemplateColumns: tracks }}
    >
      <div role="gridcell" className={style.mark} data-mark>
        {isChosen && <CheckIcon />}
      </div>
      <Cells item={item} columns={columns} />
    </div>
  );
}

/** Scrolling moves rows without rendering their content again. */
function Cells<T, K extends string>({ item, columns }: { item: T; columns: readonly Column<T, K>[] }) {
  return useMemo(
    () =>
      columns.map(({ id, end, cell }) => (
        <div key={id} role="gridcell" className={end ? `${style.cell} ${style.end}` : style.cell}>
          {cell(item)}
        </div>
      )),
    [item, columns],
  );
}
