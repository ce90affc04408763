import { firstSegment, isOpenPath } from '../platform/paths.ts';

/** Redirect for a user without a session from `pathname` + `search`, with the way back; undefined: no redirect. */
export function guard(url: { pathname: string; search: string }, signedIn: boolean): string | undefined {
  if (signedIn || isOpenPath(url.pathname)) return undefined;
  const going = url.pathname + url.search;
  return going === '/' || firstSegment(url.pathname) === 'logout'
    ? '/login'
    : `/login?next=${encodeURIComponent(going)}`;
}
