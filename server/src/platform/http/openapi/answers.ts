import { type ErrorName, ERRORS, errorsOf, isRaw, type Route } from '@ams/contract';
import { messages } from '@ams/contract/messages/en';
import { answersPage } from '../error-page.ts';
import { type JsonSchema, refTo } from './schemas.ts';

const TEXT = { type: 'string' };
const SECONDS = { type: 'integer', minimum: 1 };
const PERSON = 'JSON `{ id, username, phone }`, URI-encoded';

/** The response headers that have a meaning to clients. */
export const HEADERS = {
  Token: { description: 'A new session token, when a session begins or is renewed', schema: TEXT },
  ExpiresIn: { description: 'How long the new token is valid, in seconds', schema: SECONDS },
  Role: { description: 'Role of the user', schema: { type: 'string', enum: ['leading', 'member'] } },
  Current: { description: `The user: ${PERSON}`, schema: TEXT },
  Superior: { description: `The user above, if there is one: ${PERSON}`, schema: TEXT },
  Person: {
    description:
      'The person who is signed in, the holder of the account or a colleague: JSON, URI-encoded: `{ id, username, name, access }`',
    schema: TEXT,
  },
  RetryAfter: { description: 'When a retry may succeed, in seconds', schema: SECONDS },
  WwwAuthenticate: { description: 'The scheme `Bearer`; `error` says that the token was refused', schema: TEXT },
  ETag: { description: 'Strong tag of the content', schema: TEXT },
  ContentDisposition: { description: 'Name of the file', schema: TEXT },
} as const;

const refsTo = (headers: Record<string, keyof typeof HEADERS>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(headers).map(([name, id]) => [name, { $ref: `#/components/headers/${id}` }]));

const SESSION = refsTo({
  token: 'Token',
  expires_in: 'ExpiresIn',
  role: 'Role',
  current: 'Current',
  superior: 'Superior',
  person: 'Person',
});
const WAIT = refsTo({ 'retry-after': 'RetryAfter' });
const SCHEME = refsTo({ 'www-authenticate': 'WwwAuthenticate' });
const TAG = refsTo({ etag: 'ETag' });
const NAME = refsTo({ 'content-disposition': 'ContentDisposition' });

export const FAILURE: JsonSchema = {
  type: 'object',
  description: 'Body of every error',
  properties: {
    code: { type: 'integer', description: 'The HTTP status' },
    message: { type: 'string', description: 'For a person, in the language of `Accept-Language`' },
    error: { type: 'string', description: 'Stable name of the error' },
    details: { type: 'object', additionalProperties: true },
  },
  required: ['code', 'message', 'error'],
};

const hasSession = ({ access, beginsSession }: Route): boolean =>
  access === 'user' || access === 'leading' || beginsSession === true;

const FURTHER = {
  206: 'The part that `Range` asked for',
  302: 'The content is at another address',
  304: 'The client holds the current content',
} as const;

const SHEETS = /^application\/vnd\.ms-excel|csv/;

/** The success of a call: its envelope around `data`, or its file. */
function success(route: Route, data: JsonSchema | undefined): JsonSchema {
  const headers = {
    ...(hasSession(route) && SESSION),
    ...(route.alsoAnswers?.includes(304) && TAG),
    ...(isRaw(route.response) && route.response.raw.some((type) => SHEETS.test(type)) && NAME),
  };
  const content = isRaw(route.response)
    ? Object.fromEntries(route.response.raw.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]))
    : { 'application/json': { schema: envelopeOf(data ?? {}) } };
  return { description: 'Done', ...(Object.keys(headers).length > 0 && { headers }), content };
}

const envelopeOf = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { code: { const: 200 }, message: { type: 'string' }, data },
  required: ['code', 'message', 'data'],
});

/** People get errors as pages, where they get pages. */
type Form = 'envelope' | 'page';

const HEADERS_OF_ERROR = new Map([
  [401, SCHEME],
  [429, WAIT],
  [503, WAIT],
]);

/** Error responses, shared by the calls that have the same ones. */
export class ErrorResponses {
  readonly #known = new Map<string, JsonSchema>();

  /** The responses to these errors, by status. */
  of(names: readonly ErrorName[], form: Form = 'envelope'): Record<string, JsonSchema> {
    const byStatus = Object.entries(Object.groupBy(names, (name) => ERRORS[name]));
    return Object.fromEntries(byStatus.map(([status, own]) => [status, this.#one(Number(status), own, form)]));
  }

  /** All responses that were asked for, as components. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries(this.#known);
  }

  #one(code: number, names: readonly ErrorName[], form: Form): JsonSchema {
    const sorted = names.toSorted();
    const id = [...sorted, ...(form === 'page' ? [form] : [])].join('.');
    if (!this.#known.has(id)) this.#known.set(id, errorResponse(code, sorted, form));
    return { $ref: `#/components/responses/${id}` };
  }
}

function errorResponse(code: number, names: readonly ErrorName[], form: Form): JsonSchema {
  const own = { type: 'object', properties: { code: { const: code }, error: { enum: names } } };
  const headers = HEADERS_OF_ERROR.get(code);
  return {
    description: names.map((name) => `\`${name}\`: ${messages.errors[name]}`).join('\n\n'),
    ...(headers && { headers }),
    content:
      form === 'page'
        ? { 'text/html': { schema: TEXT } }
        : { 'application/json': { schema: { allOf: [refTo('Failure'), own] } } },
  };
}

/** All responses of a call. */
export const responsesOf = (
  route: Route,
  data: JsonSchema | undefined,
  errors: ErrorResponses,
): Record<string, JsonSchema> => ({
  200: success(route, data),
  ...Object.fromEntries((route.alsoAnswers ?? []).map((status) => [status, { description: FURTHER[status] }])),
  ...errors.of(errorsOf(route), answersPage(route) ? 'page' : 'envelope'),
});
