import { useSyncExternalStore } from 'react';

/** `offline`: this browser has no network. `silent`: it has one, but the server does not answer. */
export type Reach = 'online' | 'offline' | 'silent';

let answering = true;
const listeners = new Set<() => void>();

/** Told by the stream of live events, which tries again and again: whether its last try was answered. */
export function setAnswering(answers: boolean): void {
  if (answers === answering) return;
  answering = answers;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const reach = (): Reach => {
  if (!navigator.onLine) return 'offline';
  return answering ? 'online' : 'silent';
};

/** Whether the server can be reached, and if not, on whose side that is. */
export const useReach = (): Reach => useSyncExternalStore(subscribe, reach);
