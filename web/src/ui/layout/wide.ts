import { useSyncExternalStore } from 'react';
import { WIDE_SCREEN } from '../../platform/constants.ts';

const wide = window.matchMedia(`(min-width: ${WIDE_SCREEN}px)`);

function subscribe(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether there is room for two columns: for sizes that a drawing needs as numbers. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches);

export const prefersLessMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;
