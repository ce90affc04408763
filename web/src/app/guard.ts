import { firstSegment, isOpenPath } from '../platform/paths.ts';

/** Where somebody without a session is sent from `pathname` + `search`, remembering the way; undefined lets through. */
export function guard(url: { pathname: string; search: string }, signedIn: boolean): string | undefined {
  if (signedIn || isOpenPath(url.pathname)) return undefined;
  const going = url.pathname + url.search;
  return going === '/' || firstSegment(url.pathname) === 'logout'
    ? '/login'
    : `/login?next=${encodeURIComponent(going)}`;
}
