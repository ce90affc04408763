import type { Envelope } from './errors.ts';
import type { Route, RouteData, RouteInput, RouteTable } from './route.ts';

export interface Call {
  method: Route['method'];
  /** Path with its parameters filled in and its query string. */
  url: string;
  body?: unknown;
  /** It changes nothing, whatever its method. */
  reads?: boolean | undefined;
}

/**
 * Sends one call. Resolves with the envelope for every HTTP status;
 * a network failure resolves as a `Failure` with code 0.
 */
export type Transport = (call: Call) => Promise<Envelope<unknown>>;

type Method<R extends Route> =
  Record<never, never> extends RouteInput<R>
    ? (input?: RouteInput<R>) => Promise<Envelope<RouteData<R>>>
    : (input: RouteInput<R>) => Promise<Envelope<RouteData<R>>>;

export type FeatureClient<T extends RouteTable> = { [K in keyof T]: Method<T[K]> };
export type Client<F extends Record<string, RouteTable>> = { [K in keyof F]: FeatureClient<F[K]> };

type Values = Record<string, unknown>;

/** Fills `:name` parameters and appends the query string; empty values are left out, and each of a list is repeated. */
export function fillUrl(url: string, params: Values = {}, query: Values = {}): string {
  const path = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = Object.entries(query)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((each: unknown) => [name, each] as const) : [[name, value] as const],
    )
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return search.length > 0 ? `${path}?${search.join('&')}` : path;
}

/** Makes `client.devices.list({ query })` and its like from the route tables. */
export function makeClient<F extends Record<string, RouteTable>>(features: F, transport: Transport): Client<F> {
  const call =
    (route: Route) =>
    (input: { params?: Values; query?: Values; body?: unknown } = {}) =>
      transport({
        method: route.method,
        url: fillUrl(route.url, input.params, input.query),
        body: input.body,
        reads: route.reads,
      });
  const feature = (table: RouteTable) =>
    Object.fromEntries(Object.entries(table).map(([name, route]) => [name, call(route)]));
  const client = Object.fromEntries(Object.entries(features).map(([name, table]) => [name, feature(table)]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape follows the tables key by key, which Object.fromEntries cannot express
  return client as Client<F>;
}
