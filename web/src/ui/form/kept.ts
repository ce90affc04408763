import { useEffect, useRef, useState } from 'react';
import { session } from '../../platform/session.ts';

/** Where one form of one person waits. */
export interface Place<S> {
  left: () => S | undefined;
  keep: (state: S) => void;
  /** Changes what waits here, if anything does: a part of it was stored after the form was left. */
  amend: (state: S) => void;
  forget: () => void;
}

/** The id of the person who is signed in; a new tab learns it from the first answer. */
export function personId(): string | undefined {
  const { person, current } = session.snapshot();
  return person?.id ?? current?.id;
}

/** The key of a form of the person who is signed in. */
const keyOf = (address: string): string => `${personId() ?? ''} ${address}`;

/**
 * Forms that were left before they were saved: to upload a file, say. They live as long as `kept` does, by default as long
 * as the page of the browser, and only the person who left a form finds it again. A state contains the version that the
 * form began with, so that the server can tell whether somebody else has changed it since. Before a reload would lose one,
 * the browser asks.
 */
export class KeptForms<S> {
  readonly #kept: Map<string, S>;

  constructor(kept = new Map<string, S>()) {
    this.#kept = kept;
    window.addEventListener('beforeunload', (event) => {
      const mine = keyOf('');
      if ([...this.#kept.keys()].some((key) => key.startsWith(mine))) event.preventDefault();
    });
  }

  /** The place of the form at an address. It belongs to the person who is signed in now, even after a log-out. */
  placeAt(address: string): Place<S> {
    let key = keyOf(address);
    if (personId() === undefined) {
      const stop = session.subscribe(({ signedIn }) => {
        if (signedIn && personId() === undefined) return;
        stop();
        if (signedIn) key = keyOf(address);
      });
    }
    return {
      left: () => this.#kept.get(key),
      keep: (state) => void this.#kept.set(key, state),
      amend: (state) => void (this.#kept.has(key) && this.#kept.set(key, state)),
      forget: () => void this.#kept.delete(key),
    };
  }
}

/** The state that a form begins with; `round` is another one after each `discard`. */
export interface Beginning<S> {
  state: S;
  isRestored: boolean;
  round: number;
}

/** Begins a form where its person left it, or with `fresh`; `discard` begins with `fresh` after all. */
export function useRestored<S>(forms: KeptForms<S>, address: string, fresh: () => S) {
  const [place] = useState(() => forms.placeAt(address));
  const [begun, setBegun] = useState((): Beginning<S> => {
    const left = place.left();
    return { state: left ?? fresh(), isRestored: left !== undefined, round: 0 };
  });
  const discard = () => {
    place.forget();
    setBegun({ state: fresh(), isRestored: false, round: begun.round + 1 });
  };
  return { place, begun, discard };
}

/**
 * Keeps a form that is left or hidden for when its person comes back, if it is unsaved then; the browser asks before a
 * reload.
 */
export function useKeeping<S>(place: Place<S>, state: S, isUnsaved: (state: S) => boolean): void {
  const latest = useRef({ state, isUnsaved });
  useEffect(() => {
    latest.current = { state, isUnsaved };
  });
  useEffect(() => {
    const isLost = () => latest.current.isUnsaved(latest.current.state);
    const ask = (event: BeforeUnloadEvent) => void (isLost() && event.preventDefault());
    const leave = () => (isLost() ? place.keep(latest.current.state) : place.forget());
    // A browser may end a page that is hidden, and load it again when it is shown.
    const onVisibility = () => (document.hidden ? leave() : place.forget());
    // The form has the state that waited here, or somebody discarded it.
    place.forget();
    window.addEventListener('beforeunload', ask);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      window.removeEventListener('beforeunload', ask);
      document.removeEventListener('visibilitychange', onVisibility);
      leave();
    };
  }, [place]);
}
