import { useSyncExternalStore } from 'react';
import { create } from 'zustand';

/** `offline`: this browser has no network. `silent`: it has one, but the server does not answer. */
export type Reach = 'online' | 'offline' | 'silent';

const useServer = create<{ answering: boolean }>(() => ({ answering: true }));

/** Called by the stream of live events, which reconnects for as long as it is open: whether the last try was answered. */
export const setAnswering = (answering: boolean): void => useServer.setState({ answering });

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether the server can be reached, and if not, on whose side that is. */
export function useReach(): Reach {
  const connected = useSyncExternalStore(subscribe, () => navigator.onLine);
  const { answering } = useServer();
  if (!connected) return 'offline';
  return answering ? 'online' : 'silent';
}
