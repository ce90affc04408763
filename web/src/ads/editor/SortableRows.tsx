import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GripIcon } from '../../ui/layout/icons.ts';
import style from './SortableRows.module.css';
import { dropIndex } from './draft.ts';

interface SortableRowsProps<T> {
  items: readonly T[];
  label: string;
  keyOf: (item: T) => string;
  nameOf: (item: T) => string;
  render: (item: T, index: number) => ReactNode;
  onMove: (from: number, to: number) => void;
}

interface Drag {
  index: number;
  /** Where the pointer went down, and how far it has come, in CSS pixels. */
  from: number;
  distance: number;
  height: number;
}

/** A list put in order by dragging its handles, or with the arrow keys on them. */
export function SortableRows<T>({ items, label, keyOf, nameOf, render, onMove }: SortableRowsProps<T>) {
  const { t } = useTranslation('releases');
  const [drag, setDrag] = useState<Drag>();
  const list = useRef<HTMLOListElement>(null);
  const target = drag && dropIndex(drag.index, drag.distance, drag.height, items.length);

  const begin = (index: number, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const height = list.current?.children[index]?.getBoundingClientRect().height ?? 1;
    setDrag({ index, from: event.clientY, distance: 0, height });
  };
  const follow = (event: PointerEvent) => drag && setDrag({ ...drag, distance: event.clientY - drag.from });
  const drop = () => {
    if (drag && target !== undefined && target !== drag.index) onMove(drag.index, target);
    setDrag(undefined);
  };
  const press = (index: number, event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const to = index + step;
    if (to >= 0 && to < items.length) onMove(index, to);
  };

  return (
    <ol className={style.rows} ref={list} aria-label={label} data-dragging={drag !== undefined}>
      {items.map((item, index) => (
        <li
          key={keyOf(item)}
          className={style.row}
          data-dragged={drag?.index === index}
          style={drag && { transform: `translateY(${shift(index, drag, target ?? drag.index)}px)` }}
        >
          <button
            type="button"
            className={style.grip}
            aria-label={t('moveHandle', { name: nameOf(item), position: index + 1, count: items.length })}
            onPointerDown={(event) => begin(index, event)}
            onPointerMove={follow}
            onPointerUp={drop}
            onPointerCancel={() => setDrag(undefined)}
            onKeyDown={(event) => press(index, event)}
          >
            <GripIcon />
          </button>
          {render(item, index)}
        </li>
      ))}
    </ol>
  );
}

/** How far a row stands from its place while another is dragged over it. */
function shift(index: number, drag: Drag, target: number): number {
  if (index === drag.index) return drag.distance;
  if (index > drag.index && index <= target) return -drag.height;
  if (index < drag.index && index >= target) return drag.height;
  return 0;
}
