import { type App, AppType } from '@ams/contract';

/** Version data in an address; untrusted, because anybody can write an address. */
export interface Painted {
  id: string;
  name: string;
  content: string;
  /** Absolute and http(s); anything else is left out. */
  url: string | undefined;
  /** ISO 8601. */
  ctime: string | undefined;
  forced: boolean;
  code: number | undefined;
  istype: AppType | undefined;
}

/** The parameters of /appdetails as the router gives them. */
export type DetailsParams = Partial<
  Record<'id' | 'name' | 'content' | 'url' | 'ctime' | 'forced' | 'code' | 'istype', string | undefined>
>;

/** Stands for an empty value: a path has no empty segments. */
const NONE = '-';
/** Servers refuse long addresses; the whole text comes from the server. */
const TEXT_MAX = 200;

/** The first characters, none of them cut in half. */
const firstOf = (text: string, max: number): string =>
  Array.from(text.slice(0, max * 2))
    .slice(0, max)
    .join('');

/** A value as a segment of a path. Dots alone would lead elsewhere (WHATWG URL, "double-dot path segment"). */
export function segment(text: string): string {
  const short = firstOf(text.toWellFormed(), TEXT_MAX).trim();
  return /^\.{0,2}$/.test(short) ? NONE : encodeURIComponent(short);
}

/** The address of a version's page; it paints the page before the server has answered. */
export const detailsPath = (app: App): string =>
  [
    '/appdetails',
    app.id,
    segment(app.name),
    segment(app.content),
    encodeURIComponent(app.url),
    encodeURIComponent(app.ctime),
    app.forced ? '1' : '0',
    app.code,
    app.istype,
  ].join('/');

const textOf = (value: string | undefined): string =>
  value === undefined || value === NONE ? '' : firstOf(value, TEXT_MAX);

/** `text` as an absolute address when it is one that may be followed: http or https, without a password. */
export function followable(text: string | undefined, origin: string): string | undefined {
  const url = text && text !== NONE ? URL.parse(text, origin) : null;
  const safe = url && (url.protocol === 'https:' || url.protocol === 'http:') && !url.username && !url.password;
  return safe ? url.href : undefined;
}

/** A time as ISO 8601 from that, or from seconds or milliseconds since 1970. */
function timeOf(text: string | undefined): string | undefined {
  if (!text || text.length > 40) return undefined;
  const number = /^\d{1,13}$/.test(text) ? Number(text) : undefined;
  const time = new Date(number === undefined ? text : number < 1e11 ? number * 1000 : number);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

const codeOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** Reads an address; `origin` is that of this site. */
export const paintedOf = (params: DetailsParams, origin: string): Painted => ({
  id: params.id ?? '',
  name: textOf(params.name),
  content: textOf(params.content),
  url: followable(params.url, origin),
  ctime: timeOf(params.ctime),
  forced: params.forced === '1' || params.forced === 'true',
  code: codeOf(params.code),
  istype: AppType.safeParse(Number(params.istype)).data,
});
