/** First path segments that need no session. */
const OPEN_SEGMENTS = ['login', 'register'];

export const firstSegment = (pathname: string): string => pathname.split('/')[1] ?? '';

export const isOpenPath = (pathname: string): boolean => OPEN_SEGMENTS.includes(firstSegment(pathname));
