import { useSearchParams } from 'react-router';

/**
 * Search and filters of a list, kept in the address: the values of `names`, and a setter that takes
 * over some of them. Undefined or empty values leave the address; typing does not fill the history.
 */
export function useAddressFilter<N extends string>(names: readonly N[]) {
  const [params, setParams] = useSearchParams();
  const values: Partial<Record<N, string>> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) values[name] = value;
  }
  const set = (changes: Partial<Record<N, string | undefined>>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of names) {
          if (!(name in changes)) continue;
          const value = changes[name];
          if (value) after.set(name, value);
          else after.delete(name);
        }
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  const clear = () => {
    const none: Partial<Record<N, undefined>> = {};
    for (const name of names) none[name] = undefined;
    set(none);
  };
  return { values, set, clear, active: Object.keys(values).length > 0 };
}

/** One of the allowed values, or undefined: for filters read from the address. */
export const oneOf = <T extends string>(allowed: readonly T[], value: string | undefined): T | undefined =>
  allowed.find((each) => each === value);
