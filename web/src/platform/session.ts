import type { Role, UserRef } from '@ams/contract';
import { useSyncExternalStore } from 'react';
import { forgetKept } from './kept.ts';
import { logError } from './log.ts';
import { type AppStorage, storage } from './storage.ts';

/** What the app knows of who is signed in. `role` and the users are absent until a response told them. */
export interface Session {
  signedIn: boolean;
  role: Role | undefined;
  /** True only when the last role header was `leading`. */
  leading: boolean;
  current: UserRef | undefined;
  superior: UserRef | undefined;
}

export type HeaderReader = (name: string) => string | undefined;

const userIn = (value: unknown): UserRef | undefined => (isUser(value) ? value : undefined);

const isUser = (value: unknown): value is UserRef =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'username' in value &&
  typeof value.username === 'string';

function headerUser(text: string | undefined): UserRef | undefined {
  if (text === undefined) return undefined;
  try {
    return userIn(JSON.parse(decodeURIComponent(text)));
  } catch {
    return undefined;
  }
}

/** Keeps the session values that response headers carry, and tells who listens when they change. */
export function makeSession(store: AppStorage) {
  const listeners = new Set<() => void>();
  const mirroredUser = (name: 'current' | 'superior') => userIn(store.mirrored(name));
  // Before the first response: what the last one said.
  let leading = store.mirrored('role') === 'leading';
  const read = (): Session => {
    const role = store.mirrored('role');
    return {
      signedIn: store.token() !== undefined,
      role: role === 'leading' || role === 'member' ? role : undefined,
      leading,
      current: mirroredUser('current'),
      superior: mirroredUser('superior'),
    };
  };
  let snapshot = read();
  const changed = () => {
    const next = read();
    if (JSON.stringify(next) === JSON.stringify(snapshot)) return;
    snapshot = next;
    for (const listener of listeners) listener();
  };

  const forget = () => void forgetKept().catch((error: unknown) => logError('Last data not removed', error));
  const clear = () => {
    store.clearSession();
    forget();
    leading = false;
    changed();
  };

  return {
    /** Takes over what a response says: on every one the role is leading, or it is not. */
    take(header: HeaderReader): void {
      const token = header('token');
      const expiresIn = Number(header('expires_in'));
      if (token && expiresIn > 0) store.setToken(token, expiresIn);
      const role = header('role');
      leading = role === 'leading';
      if (role !== undefined) store.mirror('role', leading ? 'leading' : 'member');
      for (const name of ['superior', 'current'] as const) {
        const user = headerUser(header(name));
        if (user) {
          // What one person saw is not kept for the next.
          if (name === 'current' && snapshot.current && snapshot.current.id !== user.id) forget();
          store.mirror(name, user);
        }
      }
      changed();
    },
    /** Ends the session here and removes all that it left in this browser. */
    clear,
    /** Ends the session here when it has run out, or another tab has ended it. */
    check(): void {
      if (store.token() === undefined) clear();
      else changed();
    },
    snapshot: (): Session => snapshot,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const session = makeSession(storage);

export const useSession = (): Session => useSyncExternalStore(session.subscribe, session.snapshot);
