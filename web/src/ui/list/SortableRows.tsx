import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TAP_DISTANCE } from '../../platform/constants.ts';
import { GripIcon } from '../layout/icons.ts';
import style from './SortableRows.module.css';

interface SortableRowsProps<T> {
  items: readonly T[];
  label: string;
  keyOf: (item: T) => string;
  nameOf: (item: T) => string;
  render: (item: T, index: number) => ReactNode;
  onMove: (from: number, to: number) => void;
}

const alongTheList: Modifier = ({ transform }) => ({ ...transform, x: 0 });

/** The places of the rows by their keys, and the announcement for a row that moves. */
function useMoves<T>({ items, keyOf, nameOf, onMove }: SortableRowsProps<T>) {
  const { t } = useTranslation();
  const ids = items.map(keyOf);
  const placeOf = (id: UniqueIdentifier | undefined): number => ids.indexOf(String(id));
  const say = (from: number, to: number): string => {
    const item = items[from];
    return item === undefined ? '' : t('movedTo', { name: nameOf(item), position: to + 1, count: items.length });
  };
  const follow = ({ active, over }: Pick<DragEndEvent, 'active' | 'over'>): string =>
    say(placeOf(active.id), placeOf(over?.id ?? active.id));
  const stay = ({ active }: Pick<DragEndEvent, 'active'>): string => say(placeOf(active.id), placeOf(active.id));
  const announcements: Announcements = {
    onDragStart: stay,
    onDragOver: follow,
    onDragEnd: follow,
    onDragCancel: stay,
  };
  const drop = ({ active, over }: DragEndEvent) => {
    const [from, to] = [placeOf(active.id), placeOf(over?.id)];
    if (to >= 0 && from !== to) onMove(from, to);
  };
  return { ids, say, announcements, drop };
}

/**
 * A list put in order by dragging its handles. On a handle the arrow keys move its row at once; Space lifts it, the
 * arrow keys carry it, Space drops it and Escape puts it back. Every move is announced.
 */
export function SortableRows<T>(props: SortableRowsProps<T>) {
  const { items, label, keyOf, nameOf, render, onMove } = props;
  const { t } = useTranslation();
  const { ids, say, announcements, drop } = useMoves(props);
  const [said, setSaid] = useState('');
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: TAP_DISTANCE } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const step = (index: number, by: number) => {
    const to = index + by;
    if (to < 0 || to >= items.length) return;
    onMove(index, to);
    setSaid(say(index, to));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[alongTheList]}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t('dragHint') } }}
      onDragEnd={drop}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol className={style.rows} aria-label={label}>
          {items.map((item, index) => (
            <Row
              key={keyOf(item)}
              id={keyOf(item)}
              handle={t('moveHandle', { name: nameOf(item), position: index + 1, count: items.length })}
              onStep={(by) => step(index, by)}
            >
              {render(item, index)}
            </Row>
          ))}
        </ol>
      </SortableContext>
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </DndContext>
  );
}

interface RowProps {
  id: string;
  /** Name of the handle. */
  handle: string;
  onStep: (by: -1 | 1) => void;
  children: ReactNode;
}

const STEPS: Partial<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };

function Row({ id, handle, onStep, children }: RowProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging, active } =
    useSortable({ id });
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const by = active === null ? STEPS[event.key] : undefined;
    if (by === undefined) return void listeners?.['onKeyDown']?.(event);
    event.preventDefault();
    onStep(by);
  };
  return (
    <li
      ref={setNodeRef}
      className={style.row}
      data-dragged={isDragging}
      style={transform ? { transform: `translateY(${transform.y}px)`, transition } : undefined}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className={style.grip}
        {...listeners}
        aria-describedby={attributes['aria-describedby']}
        aria-label={handle}
        onKeyDown={press}
      >
        <GripIcon />
      </button>
      {children}
    </li>
  );
}
