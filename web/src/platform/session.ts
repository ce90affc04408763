import type { PersonAccess, Role, UserRef } from '@ams/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { forgetKept } from './kept.ts';
import { logError } from './log.ts';
import { type AppStorage, storage } from './storage.ts';

/** The person who is signed in: the holder of the account, or a colleague. */
export interface SignedInPerson {
  id: string;
  username: string;
  name: string;
  access: PersonAccess;
}

/** The signed-in user. `role` and user numbers are unknown until a response contains them. */
export interface Session {
  signedIn: boolean;
  role: Role | undefined;
  /** True only when the last role header was `leading`. */
  leading: boolean;
  current: UserRef | undefined;
  superior: UserRef | undefined;
  person: SignedInPerson | undefined;
  /** How often somebody else took the place of the person before, by signing in here or in another tab. */
  turn: number;
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

const isAccess = (value: unknown): value is PersonAccess =>
  value === 'holder' || value === 'operator' || value === 'readOnly';

const personIn = (value: unknown): SignedInPerson | undefined => (isPerson(value) ? value : undefined);

const isPerson = (value: unknown): value is SignedInPerson =>
  isUser(value) && 'name' in value && typeof value.name === 'string' && 'access' in value && isAccess(value.access);

function headerValue<T>(text: string | undefined, valueIn: (value: unknown) => T | undefined): T | undefined {
  if (text === undefined) return undefined;
  try {
    return valueIn(JSON.parse(decodeURIComponent(text)));
  } catch {
    return undefined;
  }
}

/** Keeps the session values that response headers carry, and notifies listeners when they change. */
export function makeSession(kept: AppStorage) {
  const mirroredUser = (name: 'current' | 'superior') => userIn(kept.mirrored(name));
  // Before the first response: the values of the last one.
  let leading = kept.mirrored('role') === 'leading';
  let turn = 0;
  const read = (): Session => {
    const role = kept.mirrored('role');
    return {
      signedIn: kept.token() !== undefined,
      role: role === 'leading' || role === 'member' ? role : undefined,
      leading,
      current: mirroredUser('current'),
      superior: mirroredUser('superior'),
      person: personIn(kept.mirrored('person')),
      turn,
    };
  };
  const store = createStore<Session>(read);
  const changed = () => {
    const next = read();
    if (JSON.stringify(next) !== JSON.stringify(store.getState())) store.setState(next, true);
  };

  const forget = () => void forgetKept().catch((error: unknown) => logError('Last data not removed', error));
  const clear = () => {
    kept.clearSession();
    forget();
    leading = false;
    changed();
  };

  /** Ends what was the person's before `next`, as a log-out does; the token is that of `next` already, or will be. */
  const handOver = (next: string | undefined) => {
    const before = personIn(kept.mirrored('person'))?.id ?? kept.holder();
    if (next === undefined || before === undefined || before === next) return;
    kept.forgetTab();
    forget();
    leading = false;
    turn += 1;
    store.setState({ ...read(), signedIn: false }, true);
  };

  return {
    /** Takes over the values of a response: each has a role. */
    take(header: HeaderReader): void {
      const person = headerValue(header('person'), personIn);
      handOver(person?.id);
      const token = header('token');
      const expiresIn = Number(header('expires_in'));
      if (token && expiresIn > 0) kept.setToken(token, expiresIn, person?.id);
      const role = header('role');
      leading = role === 'leading';
      if (role !== undefined) kept.mirror('role', leading ? 'leading' : 'member');
      for (const name of ['superior', 'current'] as const) {
        const user = headerValue(header(name), userIn);
        if (user) kept.mirror(name, user);
      }
      if (person) kept.mirror('person', person);
      changed();
    },
    /** Ends the session here and removes all that it left in this browser. */
    clear,
    /** Ends the session here when it has run out, or another tab has ended it or begun one of somebody else. */
    check(): void {
      if (kept.token() === undefined) return clear();
      handOver(kept.holder());
      changed();
    },
    /** Calls `end` whenever a session ends here, also when somebody else takes the place of its person. */
    onEnd(end: () => void): void {
      store.subscribe(({ signedIn }, before) => {
        if (before.signedIn && !signedIn) end();
      });
    },
    store,
    snapshot: store.getState,
    subscribe: store.subscribe,
  };
}

export const session = makeSession(storage);

export const useSession = (): Session => useStore(session.store);

/** Whether the person who is signed in may change nothing. */
export const useReadOnly = (): boolean => useStore(session.store, ({ person }) => person?.access === 'readOnly');

/**
 * Whether somebody is a leading user, for forms and sheets: unlike `leading`, the answer of a proxy, which has no role, does
 * not change it and so takes nothing away that was typed.
 */
export const useIsLeading = (): boolean => useStore(session.store, ({ role }) => role === 'leading');
