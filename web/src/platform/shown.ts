import { useEffect, useRef } from 'react';

/** Answers whether the component is still there: what it waited for must not lead a person away from another page. */
export function useIsShown(): () => boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => void (shown.current = false);
  }, []);
  return () => shown.current;
}
