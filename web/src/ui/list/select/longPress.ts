import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';
import { LONG_PRESS, TAP_DISTANCE } from '../../../platform/constants.ts';

/** Handlers that tell a long press from a tap; a finger that moves is scrolling and is neither. */
export function useLongPress(onLongPress: () => void, onTap: () => void) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number }>(undefined);
  const consumed = useRef(false);
  const cancel = () => {
    clearTimeout(press.current?.timer);
    press.current = undefined;
  };
  useEffect(() => () => clearTimeout(press.current?.timer), []);
  return {
    onPointerDown: ({ clientX: x, clientY: y, button }: PointerEvent) => {
      cancel();
      consumed.current = false;
      if (button !== 0) return;
      const timer = setTimeout(() => {
        consumed.current = true;
        onLongPress();
      }, LONG_PRESS);
      press.current = { timer, x, y };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = press.current ?? { x: clientX, y: clientY };
      if (Math.hypot(clientX - x, clientY - y) >= TAP_DISTANCE) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onPointerLeave: cancel,
    // Android opens its own menu on a long press; a mouse may open its.
    onContextMenu: (event: MouseEvent) => {
      if (press.current || consumed.current) event.preventDefault();
    },
    onClick: (event: MouseEvent) => {
      if (consumed.current) event.preventDefault();
      else onTap();
      consumed.current = false;
    },
  };
}
