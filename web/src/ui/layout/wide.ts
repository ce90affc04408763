import { useSyncExternalStore } from 'react';
import { DESK_SCREEN, WIDE_SCREEN } from '../../platform/constants.ts';

/** A hook that says whether the window is at least this wide. */
function widthHook(pixels: number): () => boolean {
  const query = window.matchMedia(`(min-width: ${pixels}px)`);
  const subscribe = (listener: () => void): (() => void) => {
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };
  return () => useSyncExternalStore(subscribe, () => query.matches);
}

/** Whether there is room for two columns: for sizes that a drawing needs as numbers. */
export const useWide = widthHook(WIDE_SCREEN);

/** Whether lists are tables, with a panel for details beside them. */
export const useDesk = widthHook(DESK_SCREEN);

export const prefersLessMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
