import { isOpenPath } from '../platform/paths.ts';

const BASE = 'http://app.invalid';

/** Path after login: the remembered one if it belongs to this app, otherwise home. */
export function destination(next: string | null): string {
  if (!next?.startsWith('/') || !URL.canParse(next, BASE)) return '/';
  const url = new URL(next, BASE);
  // `/..//host` becomes `//host`, which browsers take for another site.
  const isOurs = url.origin === BASE && !url.pathname.startsWith('//');
  return isOurs && !isOpenPath(url.pathname) ? url.pathname + url.search : '/';
}
