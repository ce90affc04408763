import type { VirtualItem } from '@tanstack/react-virtual';
import { type FocusEvent, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { useLocation } from 'react-router';

/** How a person left a list. */
export interface Left {
  /** Heights of its rows. */
  heights?: VirtualItem[];
  /** How far it was scrolled, in pixels, where it scrolls by itself. */
  offset?: number | undefined;
  /** The row with the focus. */
  row?: string | undefined;
  /** Which of the links and buttons of the row had it. */
  control?: number;
}

/** Lists whose places are kept after they were left. */
const KEPT_LISTS = 20;
/** By the entry in the history and the name of the list. */
const kept = new Map<string, Left>();

/** On the way back to a list, how it was left; `leave` says that when it is left again. */
export function useLeft(label: string, leave: () => Left): Left {
  const list = `${useLocation().key} ${label}`;
  const left = useMemo(() => kept.get(list) ?? {}, [list]);
  const onLeave = useEffectEvent(leave);
  useLayoutEffect(
    () => () => {
      kept.delete(list);
      kept.set(list, onLeave());
      const [oldest] = kept.keys();
      if (kept.size > KEPT_LISTS && oldest !== undefined) kept.delete(oldest);
    },
    [list],
  );
  return left;
}

const controlsOf = (row: Element) => [...row.querySelectorAll<HTMLElement>('a, button')];

/** The row with the focus, and which of its controls has it. */
export function focusedRow(): Pick<Left, 'row' | 'control'> {
  const focused = document.activeElement;
  const row = focused?.closest<HTMLElement>('[data-id]');
  return row ? { row: row.dataset['id'], control: controlsOf(row).findIndex((control) => control === focused) } : {};
}

/** Focuses an element, unless the person has focused something else meanwhile. */
export function refocus(element: HTMLElement | null | undefined): void {
  if (document.activeElement?.matches('body, #content')) element?.focus({ preventScroll: true });
}

/** Gives the focus back to the control of a row that had it, once: later the focus is the person's. */
export function refocusRow(row: Element, left: Left): void {
  left.row = undefined;
  refocus(controlsOf(row).at(left.control ?? 0));
}

/** Handlers of a list that give the focus back to a control whose item is drawn anew because it moved to another row. */
export function useKeptFocus(...places: readonly unknown[]) {
  const had = useRef<Left & { list?: Element }>({});
  useLayoutEffect(() => {
    const { list, row, control } = had.current;
    const cell = row !== undefined && list?.querySelector(`[data-id="${CSS.escape(row)}"]`);
    if (cell) refocus(controlsOf(cell).at(control ?? 0));
    // oxlint-disable-next-line react/exhaustive-deps -- what places the items
  }, places);
  return {
    onFocus: ({ currentTarget }: FocusEvent) => void (had.current = { list: currentTarget, ...focusedRow() }),
    onBlur: () => void (had.current = {}),
  };
}
