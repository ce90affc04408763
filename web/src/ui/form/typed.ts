import { useState } from 'react';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import { KeptForms, type Place, useKeeping } from './kept.ts';

/** How a form keeps what was typed when the session of its person ends. */
export interface Keeping<V> {
  /** Tells the form apart from all others, and what it is about. */
  as: string;
  /** Fields that are never kept: passwords and codes. */
  without?: readonly (keyof V & string)[];
}

const forms = new KeptForms<object>();

/** A place where only a session that has ended leaves something: whoever closes a form throws its text away. */
function placeAt(address: string): Place<object> {
  const place = forms.placeAt(address);
  const { signedIn } = session.snapshot();
  const keep = (typed: object) => void (signedIn && storage.token() === undefined && place.keep(typed));
  return { ...place, keep };
}

/** The fields that differ from those of `before`. */
function differing<V extends object>(before: V, values: V, without: readonly string[] = []): Partial<V> {
  const different: Partial<V> = { ...values };
  for (const name in values) {
    if (without.includes(name) || values[name] === before[name]) Reflect.deleteProperty(different, name);
  }
  return different;
}

/**
 * The values of a form. What its person typed before the session ended is in them again after the next log-in, and the
 * browser asks before a reload loses it; without `keeping` it is lost. `changed` are the fields that differ from what the
 * form began with, `goOn` has it begin with what was stored, and leaves what was typed since it was sent.
 */
export function useTyped<V extends object>(initial: V | (() => V), keeping: Keeping<V> | undefined) {
  const [place] = useState(() => placeAt(keeping?.as ?? ''));
  const [begun, setBegun] = useState(initial);
  const [values, setValues] = useState<V>(() => ({ ...begun, ...(keeping && place.left()) }));
  const isTyped = (typed: object) => keeping !== undefined && Object.keys(typed).length > 0;
  useKeeping(place, differing(begun, values, keeping?.without), isTyped);
  const goOn = (sent: V, stored: V) => {
    setBegun(stored);
    setValues((now) => ({ ...stored, ...differing(sent, now) }));
  };
  const set = <K extends keyof V & string>(name: K, value: V[K]) => setValues((now) => ({ ...now, [name]: value }));
  return { values, set, changed: differing(begun, values), goOn };
}
