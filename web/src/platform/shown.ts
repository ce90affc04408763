import { useEffect, useRef } from 'react';
import { type NavigateOptions, useLocation, useNavigate } from 'react-router';

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

/** Opens another page when an answer has come; a person who has left the page meanwhile stays where they are. */
export function useLeave(): (to: string, options?: NavigateOptions) => Promise<void> {
  const isShown = useIsShown();
  const navigate = useNavigate();
  return async (to, options) => {
    if (isShown()) await navigate(to, options);
  };
}
