import { type Virtualizer, useVirtualizer, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react';
import style from './InfiniteList.module.css';
import { focusedRow, type Left, refocusRow, useKeptFocus, useLeft } from './left.ts';
import { useRange } from './range.ts';

export interface VirtualRowsProps<T> {
  items: readonly T[];
  label: string;
  render: (item: T, index: number) => ReactNode;
  rowHeight: number;
  minColumn?: number | undefined;
  box?: RefObject<HTMLElement | null> | undefined;
  /** No page is left to come. */
  complete: boolean;
  /** Nothing is being fetched, so that `onEnd` may fetch. */
  ready: boolean;
  /** Called when the last rows come near. */
  onEnd: () => void;
}

const GAP = 12;
const OVERSCAN = 6;
/** The next page is asked for when this many rows are left. */
const ROWS_AHEAD = 10;

/** Draws only the rows in view. Scrolls with the window, or with `box` when there is one. */
export function VirtualRows<T extends { id: string }>(props: VirtualRowsProps<T>) {
  return props.box ? <BoxRows {...props} box={props.box} /> : <WindowRows {...props} />;
}

/** Rows beyond the view: none when a list appears, so that it appears soon; then in short tasks those that scrolling needs. */
function useOverscan(): number {
  const [overscan, setOverscan] = useState(0);
  useEffect(() => startTransition(() => setOverscan(OVERSCAN)), []);
  return overscan;
}

/** Rows of one item go with it when others leave; of several columns, the items move from row to row. */
const useKeys = (items: readonly { id: string }[], columns: number): ((index: number) => string | number) =>
  useCallback((index) => (columns === 1 && items[index]?.id) || index, [items, columns]);

interface Place {
  /** Ref callback of the list's element. */
  attach: (element: HTMLDivElement | null) => void;
  columns: number;
  /** Distance of the list from the top of what scrolls. */
  top: number;
}

function usePlace(minColumn: number | undefined, box: HTMLElement | null | undefined): Place {
  const [list, attach] = useState<HTMLDivElement | null>(null);
  const [place, setPlace] = useState({ columns: 1, top: 0 });
  useLayoutEffect(() => {
    if (!list) return;
    const measure = () => {
      const columns = minColumn ? Math.max(1, Math.floor((list.clientWidth + GAP) / (minColumn + GAP))) : 1;
      const from = box ? box.getBoundingClientRect().top - box.scrollTop : -window.scrollY;
      const top = Math.round(list.getBoundingClientRect().top - from);
      setPlace((old) => (old.columns === columns && old.top === top ? old : { columns, top }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    // Content above the list moves it.
    observer.observe(box?.firstElementChild ?? document.body);
    return () => observer.disconnect();
  }, [list, minColumn, box]);
  return { attach, ...place };
}

/**
 * The window, whose first rows are then drawn with the list; without it by a second rendering, in one task. Nothing where
 * there may be several columns: their number is known once the list is there.
 */
function rectAtFirst(minColumn = 0): { width: number; height: number } {
  const { innerWidth: width, innerHeight: height } = window;
  return { width, height: width < 2 * minColumn + GAP || minColumn === 0 ? height : 0 };
}

function WindowRows<T extends { id: string }>(props: VirtualRowsProps<T>) {
  const place = usePlace(props.minColumn, undefined);
  const left = useLeft(props.label, () => ({ heights: virtualizer.takeSnapshot(), ...focusedRow() }));
  const virtualizer = useWindowVirtualizer({
    // On the way back to a list, the rows that were in view are where they were.
    initialMeasurementsCache: left.heights,
    count: Math.ceil(props.items.length / place.columns),
    estimateSize: () => props.rowHeight + GAP,
    overscan: useOverscan(),
    getItemKey: useKeys(props.items, place.columns),
    rangeExtractor: useRange(),
    scrollMargin: place.top,
    initialRect: rectAtFirst(props.minColumn),
  });
  return <Rows {...props} place={place} virtualizer={virtualizer} left={left} />;
}

function BoxRows<T extends { id: string }>(props: VirtualRowsProps<T> & { box: RefObject<HTMLElement | null> }) {
  const [box, setBox] = useState<HTMLElement | null>(null);
  // The box contains this list: its ref is set only after the layout effects in here.
  useEffect(() => setBox(props.box.current), [props.box]);
  const place = usePlace(props.minColumn, box);
  const virtualizer = useVirtualizer({
    count: Math.ceil(props.items.length / place.columns),
    getScrollElement: () => box,
    estimateSize: () => props.rowHeight + GAP,
    overscan: useOverscan(),
    getItemKey: useKeys(props.items, place.columns),
    rangeExtractor: useRange(),
    scrollMargin: place.top,
  });
  return <Rows {...props} place={place} virtualizer={virtualizer} />;
}

interface RowsProps<T, S extends Element | Window> extends VirtualRowsProps<T> {
  place: Place;
  virtualizer: Virtualizer<S, Element>;
  /** How the list was left before. */
  left?: Left;
}

function Rows<T extends { id: string }, S extends Element | Window>(props: RowsProps<T, S>) {
  const { items, place, virtualizer, label, complete, ready } = props;
  const rows = virtualizer.getVirtualItems();
  const keptFocus = useKeptFocus(items, place.columns);
  const nearEnd = (rows.at(-1)?.index ?? 0) * place.columns >= items.length - ROWS_AHEAD * place.columns;
  const onEnd = useEffectEvent(props.onEnd);
  useEffect(() => {
    if (nearEnd && ready) onEnd();
  }, [nearEnd, items.length, ready]);
  return (
    <div
      ref={place.attach}
      {...keptFocus}
      className={style.rows}
      role="list"
      aria-label={label}
      style={{ height: virtualizer.getTotalSize() - GAP }}
    >
      {/* oxlint-disable-next-line react/refs -- measureElement is a ref callback, not a ref read here */}
      {rows.map((row) => (
        <div
          key={row.key}
          ref={virtualizer.measureElement}
          data-index={row.index}
          role="presentation"
          className={style.row}
          style={{
            transform: `translateY(${row.start - virtualizer.options.scrollMargin}px)`,
            gridTemplateColumns: `repeat(${place.columns}, minmax(0, 1fr))`,
          }}
        >
          <Cells
            items={items}
            from={row.index * place.columns}
            count={place.columns}
            complete={complete}
            render={props.render}
            left={props.left}
          />
        </div>
      ))}
    </div>
  );
}

interface CellsProps<T> extends Pick<VirtualRowsProps<T>, 'items' | 'render' | 'complete'> {
  left: Left | undefined;
  from: number;
  count: number;
}

/** The items of one row. */
function Cells<T extends { id: string }>({ items, from, count, complete, render, left }: CellsProps<T>) {
  return items.slice(from, from + count).map((item, column) => (
    <div
      key={item.id}
      ref={item.id === left?.row ? (cell) => void (cell && refocusRow(cell, left)) : undefined}
      data-id={item.id}
      className={style.cell}
      role="listitem"
      aria-posinset={from + column + 1}
      aria-setsize={complete ? items.length : -1}
    >
      <Content item={item} index={from + column} render={render} />
    </div>
  ));
}

interface ContentProps<T> extends Pick<VirtualRowsProps<T>, 'render'> {
  item: T;
  index: number;
}

/** Scrolling moves an item, and more pages follow, without rendering its content again. */
function Content<T>({ item, index, render }: ContentProps<T>) {
  return useMemo(() => render(item, index), [item, index, render]);
}
