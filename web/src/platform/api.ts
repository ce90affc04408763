import {
  type Call,
  type Envelope,
  type Failure,
  type FeatureClient,
  type RouteTable,
  isEnvelope,
  makeClient,
  session as sessionRoutes,
} from '@ams/contract';
import axios, { type AxiosInstance, type AxiosRequestConfig, type AxiosResponse } from 'axios';
import { REQUEST_TIMEOUT } from './constants.ts';
import { authorization, readHeaders } from './headers.ts';
import { IDEMPOTENCY_HEADER, Intents } from './intents.ts';
import { logError } from './log.ts';
import { session } from './session.ts';

/** A refused or failed call, for code that awaits data. `failure.code` is 0 when no answer came. */
export class ApiError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ApiError';
    this.failure = failure;
  }
}

/** Failure handlers; set once by the app layer. Transport code neither toasts nor redirects. */
export interface FailureHandlers {
  /** 401, in a success or an error body. The session is cleared already. */
  onUnauthenticated: (failure: Failure) => void;
  onFailure: (failure: Failure) => void;
}

export interface Manner {
  /** A background call: its failure is not shown, but 401 still ends the session. */
  quiet?: boolean;
}

type Options = Pick<AxiosRequestConfig, 'timeout' | 'signal' | 'onUploadProgress' | 'headers'>;

/** How a body that is a file is sent; with the same `key` again it has one effect. */
type Transfer = Omit<Options, 'headers'> & { key?: string };

const isSuccess = (code: number): boolean => code >= 200 && code < 300;

/** `code` and `message` of a body that has them. */
function saidIn(body: unknown): { code?: number; message?: string } {
  if (typeof body !== 'object' || body === null) return {};
  return {
    ...('code' in body && typeof body.code === 'number' && { code: body.code }),
    ...('message' in body && typeof body.message === 'string' && body.message !== '' && { message: body.message }),
  };
}

/**
 * The envelope of an answer. It is a success if the HTTP status and the body's `code` are 2xx; anything else is a failure,
 * whether the body names an error or not. A body that is no envelope (a proxy's page) becomes one from its HTTP status.
 */
export function envelopeOf(status: number, body: unknown): Envelope<unknown> {
  const said = saidIn(body);
  const code = isSuccess(status) || !isSuccess(said.code ?? 200) ? (said.code ?? status) : status;
  if (isEnvelope(body) && body.code === code && isSuccess(code) === (body.error === undefined)) return body;
  return { code, error: 'HTTP', message: said.message ?? `Request failed with status code ${code}` };
}

/** The failure of a call that got no answer, in axios's words. */
export function networkFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : 'Network Error';
  if (axios.isCancel(error) || message === AxiosMessage.aborted) return { code: 0, error: 'ABORTED', message };
  return { code: 0, error: message.startsWith(AxiosMessage.timeout) ? 'TIMEOUT' : 'NETWORK', message };
}

/** axios gives aborts and time-outs the same code; only its messages tell them apart. */
const AxiosMessage = { aborted: 'Request aborted', timeout: 'timeout of' };

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Code 401 ends the session, in the HTTP status or in the body. */
export const isUnauthenticated = (envelope: Envelope<unknown>): envelope is Failure => envelope.code === 401;

export function makeApi(http: AxiosInstance, language: () => string) {
  const handlers: FailureHandlers = { onUnauthenticated: () => undefined, onFailure: () => undefined };

  http.interceptors.request.use((config) => {
    config.headers.set('Authorization', authorization());
    config.headers.set('Accept-Language', language());
    return config;
  });
  const heard = <T extends AxiosResponse>(response: T): T => {
    const asked = textOf(response.config.headers.get('Authorization'));
    readHeaders(response.status, asked, (name) => textOf(response.headers[name]));
    return response;
  };
  // An HTTP error is an answer: it goes back to the caller. Only a call without an answer is thrown.
  http.interceptors.response.use(heard, (error: unknown) => {
    if (axios.isAxiosError(error) && error.response) return heard(error.response);
    throw error;
  });

  /**
   * Reports a failure. Code 401 ends the session, unless another one has begun since the request (`asked` is its
   * `Authorization` header): a late answer to the earlier session says nothing about the new one.
   */
  const settle = (envelope: Envelope<unknown>, asked: string | undefined, { quiet = false }: Manner = {}): void => {
    if (isUnauthenticated(envelope)) {
      const now = authorization();
      if (now !== undefined && now !== asked) return;
      session.clear();
      handlers.onUnauthenticated(envelope);
    }
    if (envelope.error === undefined || quiet) return;
    logError(envelope.code, envelope.error, envelope.message);
    handlers.onFailure(envelope);
  };

  const intents = new Intents();

  const request = async (call: Call, manner: Manner, options: Options): Promise<Envelope<unknown>> => {
    const asked = authorization();
    const envelope = await http
      .request<unknown>({ method: call.method, url: call.url, data: call.body, ...options })
      .then(({ status, data }) => envelopeOf(status, data))
      .catch((error: unknown) => networkFailure(error));
    settle(envelope, asked, manner);
    return envelope;
  };

  /** Makes a call; a changing one that is made twice at once is made once. */
  const transport = (
    call: Call,
    manner: Manner = {},
    { key, ...options }: Transfer = {},
  ): Promise<Envelope<unknown>> => {
    // Log-outs have the same address and body, and each ends another session.
    if (call.method === 'GET' || call.reads || call.url === sessionRoutes.logout.url)
      return request(call, manner, options);
    return intents.once(call, (own) =>
      request(call, manner, { ...options, headers: { [IDEMPOTENCY_HEADER]: key ?? own } }),
    );
  };

  /** A binary reply, or undefined when it failed (which was told through the handlers). What has a `body` is posted. */
  const fetchBlob = async (url: string, body?: unknown): Promise<Blob | undefined> => {
    const asked = authorization();
    try {
      const method = body === undefined ? 'GET' : 'POST';
      const response = await http.request<Blob>({ method, url, data: body, responseType: 'blob', timeout: 0 });
      // JSON that is not sent as a file is the envelope of a failure.
      const isFile = 'content-disposition' in response.headers || !/json/.test(response.data.type);
      if (isSuccess(response.status) && isFile) return response.data;
      settle(envelopeOf(response.status, parseJson(await response.data.text())), asked);
    } catch (error) {
      settle(networkFailure(error), asked);
    }
    return undefined;
  };

  /**
   * Opens a stream of events; undefined when nothing answers. The build leaves out axios's own use of `fetch`, and a
   * browser's `EventSource` sends no bearer header.
   */
  const openStream = async (url: string, signal: AbortSignal): Promise<Response | undefined> => {
    const asked = authorization();
    const headers = {
      'Accept': 'text/event-stream',
      'Accept-Language': language(),
      ...(asked && { Authorization: asked }),
    };
    const response = await fetch(url, { headers, signal }).catch(() => undefined);
    if (response) readHeaders(response.status, asked, (name) => response.headers.get(name) ?? undefined);
    return response;
  };

  return { handlers, transport, settle, fetchBlob, openStream, intents };
}

const http = axios.create({
  timeout: REQUEST_TIMEOUT,
  timeoutErrorMessage: `timeout of ${REQUEST_TIMEOUT} ms exceeded`,
});

export const api = makeApi(http, () => document.documentElement.lang || 'en');

declare const quietly: unique symbol;
/** Calls whose failures are not shown; only the type says so. */
export type Quiet<Calls> = Calls & { readonly [quietly]: true };

/** The calls of one feature: `const calls = callsOf(users)`, then `calls.list({ query })`. */
export function callsOf<T extends RouteTable>(routes: T): FeatureClient<T>;
export function callsOf<T extends RouteTable>(routes: T, manner: { quiet: true }): Quiet<FeatureClient<T>>;
export function callsOf<T extends RouteTable>(routes: T, manner: Manner = {}): FeatureClient<T> {
  return makeClient({ feature: routes }, (call) => api.transport(call, manner)).feature;
}

/** Data of an envelope, or an `ApiError`: what react-query wants. */
export async function unwrap<T>(answer: Promise<Envelope<T>>): Promise<T> {
  const envelope = await answer;
  if (envelope.error !== undefined) throw new ApiError(envelope);
  return envelope.data;
}

/** Whether no server answered: no network, a time-out, or the call was aborted. */
export const isUnanswered = ({ code }: { code: number }): boolean => code === 0;

export const isApiError = (error: unknown, name?: string): error is ApiError =>
  error instanceof ApiError && (name === undefined || error.failure.error === name);

/**
 * Fetches a file (a spreadsheet, a picture) with the session and hands it to the browser to save as
 * `fileName`. Without the request time-out, which is for JSON. What is asked by a `body` is posted.
 * Resolves with whether it came.
 */
export async function download(url: string, fileName: string, body?: unknown): Promise<boolean> {
  const blob = await api.fetchBlob(url, body);
  if (!blob) return false;
  save(blob, fileName);
  return true;
}

/** Hands a file to the browser to save. */
export function save(blob: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** How a file is sent. */
export interface Sending {
  /** One for each intent, as `newKey` makes it: sent with the same one again, the file has one effect. */
  key: string;
  /** Receives the share that was sent (0–1). */
  told: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Posts a file with the session and without the request time-out, which is for JSON. The caller shows a failure; 401 ends
 * the session as well.
 */
export function sendFile(url: string, file: File, { key, told, signal }: Sending): Promise<Envelope<unknown>> {
  const body = new FormData();
  body.append('file', file);
  const onUploadProgress = ({ progress }: { progress?: number }) => told(progress ?? 0);
  return api.transport({ method: 'POST', url, body }, { quiet: true }, { timeout: 0, signal, key, onUploadProgress });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
