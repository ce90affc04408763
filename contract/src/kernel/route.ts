import { z } from 'zod';
import type { ErrorName } from './errors.ts';

/** The allowed callers: anybody, any signed-in user, a leading user, a paired device. */
export type Access = 'open' | 'user' | 'leading' | 'device';

/** What a person may do for the account: its holder everything, colleagues what the holder has given them. */
export const PersonAccess = z.enum(['holder', 'operator', 'readOnly']);
export type PersonAccess = z.output<typeof PersonAccess>;

/** The people of an account that may make a call. */
export type People = 'all' | 'operators' | 'holder';

/** A reply that is not the JSON envelope: a file, a picture, a stream of events, a socket. */
export interface Raw {
  /** Its media types. */
  raw: readonly string[];
}

export const raw = (...mediaTypes: string[]): Raw => ({ raw: mediaTypes });

/**
 * One call, as a plain object: the server registers it, the client derives its types from it,
 * the OpenAPI document is generated from it.
 *
 * `url` is the whole path with `:name` for parameters. `response` is the schema of `data`
 * inside the envelope, or the media types of a raw reply.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  access: Access;
  /** Without it, calls that only read are open to all people of an account, others to operators (`peopleOf`). */
  people?: People;
  summary: string;
  /** Changes nothing, although it is no GET: it is neither kept for repetitions nor refused on a full disk. */
  reads?: true;
  /** Frees space, or has to be possible for that: it is done on a full disk too, as every DELETE is. */
  onFullDisk?: true;
  /** Calls a minute from one address, or by one device where devices call (a sixth of them at once); more are 429. */
  perMinute?: number;
  /** The largest body; 1 MB when left out. More is answered 413. */
  maxBytes?: number;
  /** Media type of a body that is no JSON; the handler finds its bytes in the request. */
  bodyType?: string;
  params?: z.ZodObject;
  query?: z.ZodType;
  body?: z.ZodType;
  /** The body is a file of whatever type: as it is, or the one file of a multipart/form-data form. */
  file?: true;
  /** Errors of its own, besides those that follow from its other properties (`errorsOf`). */
  errors?: readonly ErrorName[];
  /** Begins a session: the answer carries the headers of one. */
  beginsSession?: true;
  /** Further statuses of success, without the usual body: parts, redirects, what the client holds already. */
  alsoAnswers?: readonly (206 | 302 | 304)[];
  response: z.ZodType | Raw;
}

export type RouteTable = Readonly<Record<string, Route>>;

/** Keeps the literal types of a feature's routes. */
export const routeTable = <const T extends RouteTable>(table: T): T => table;

type Part = 'params' | 'query' | 'body';

type SchemaOf<R extends Route, K extends Part> = R extends Record<K, infer S extends z.ZodType> ? S : never;

type PartsOf<R extends Route> = { [K in Part]: [SchemaOf<R, K>] extends [never] ? never : K }[Part];
/** Parts that may be left out, because all in them may. */
type OptionalParts<R extends Route> = {
  [K in PartsOf<R>]: Record<never, never> extends z.input<SchemaOf<R, K>> ? K : never;
}[PartsOf<R>];

/** The input of a call: the parts that the route declares. */
export type RouteInput<R extends Route> = {
  [K in Exclude<PartsOf<R>, OptionalParts<R>>]: z.input<SchemaOf<R, K>>;
} & { [K in OptionalParts<R>]?: z.input<SchemaOf<R, K>> };

/** The parsed input of a handler. */
export type RouteParsed<R extends Route> = {
  [K in PartsOf<R>]: z.output<SchemaOf<R, K>>;
};

/** The result of a handler, before the response schema trims it. Raw routes send their own replies. */
export type RouteAnswer<R extends Route> = R['response'] extends z.ZodType ? z.input<R['response']> : void;

/** The output of a call: its `data`. */
export type RouteData<R extends Route> = R['response'] extends z.ZodType ? z.output<R['response']> : never;

export const isRaw = (response: Route['response']): response is Raw => 'raw' in response;

/** An id in a request, in lower case: PostgreSQL takes both cases for the same id, comparisons in code do not. */
export const Id = z.uuid().toLowerCase();

export const IdParams = z.object({ id: Id });

/** The `data` of a call that only does something. */
export const Nothing = z.null();
