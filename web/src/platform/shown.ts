import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * Answers whether the component is still there, and its page in the address, which changes before the next page has
 * loaded: what the component waited for must not lead a person away from another page.
 */
export function useIsShown(): () => boolean {
  const { pathname } = useLocation();
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => void (shown.current = false);
  }, []);
  return () => shown.current && window.location.pathname === pathname;
}
