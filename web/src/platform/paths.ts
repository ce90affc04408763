import type { User } from '@ams/contract';

/** First path segments that need no session. */
const OPEN_SEGMENTS = new Set(['login', 'register']);

export const firstSegment = (pathname: string): string => pathname.split('/')[1] ?? '';

export const isOpenPath = (pathname: string): boolean => OPEN_SEGMENTS.has(firstSegment(pathname));

/** The ads of a user, with the numbers that the page shows before the server's own arrive. */
export const adListPath = (user: Pick<User, 'id' | 'username' | 'mp4' | 'img' | 'ad_num'>): string =>
  `/adlist/${user.id}/${encodeURIComponent(user.username)}/${user.mp4}/${user.img}/${user.ad_num}`;

/** The files of a user. */
export const filesPath = ({ id, username }: Pick<User, 'id' | 'username'>): string =>
  `/matlist/${id}/${encodeURIComponent(username)}`;

/** The upload page for files of any kind: the content of each decides what it becomes. */
export const anyUploadPath = ({ id, username }: Pick<User, 'id' | 'username'>): string =>
  `/upload/${id}/${encodeURIComponent(username)}/0/0/0/0/0`;

const CHANGING =
  /^\/(?:user\/add|scancode|upload|release|takeover|appupload|alerts|invitations|campaigns\/new|campaigns\/[^/?]+\/edit)(?=[/?]|$)/;

/** Whether a page is only there to change something: read-only people do not see it. */
export const isChanging = (path: string): boolean => CHANGING.test(path);
