import { isRaw, isRepeatable, type Route } from '@ams/contract';
import { type ErrorResponses, responsesOf } from './answers.ts';
import type { JsonSchema, Schemas } from './schemas.ts';

const BINARY = { type: 'string', format: 'binary' };

const header = (name: string, description: string): JsonSchema => ({
  ...{ name, in: 'header', description, schema: { type: 'string' } },
});

/** Request headers that some calls understand. */
export const PARAMETERS = {
  IdempotencyKey: {
    ...header('idempotency-key', 'Any unique text: a repetition within a day gets the first answer'),
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Range: header('range', 'One range of bytes'),
  IfRange: header('if-range', 'The range is sent only if the content still has this tag'),
  IfMatch: header('if-match', 'Refused with 412 if the content has another tag'),
  IfNoneMatch: header('if-none-match', 'Answered with 304 if the content has this tag'),
} as const;

const refTo = (id: keyof typeof PARAMETERS): JsonSchema => ({ $ref: `#/components/parameters/${id}` });

function headersOf(route: Route): JsonSchema[] {
  const also = route.alsoAnswers ?? [];
  return [
    ...(isRepeatable(route) ? [refTo('IdempotencyKey')] : []),
    ...(also.includes(206) ? [refTo('Range'), refTo('IfRange'), refTo('IfMatch')] : []),
    ...(also.includes(304) ? [refTo('IfNoneMatch')] : []),
  ];
}

interface ObjectSchema {
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  allOf?: readonly ObjectSchema[];
}

/** The properties of an object schema as parameters. */
function parametersIn(
  place: 'path' | 'query',
  { properties = {}, required = [], allOf = [] }: ObjectSchema,
): JsonSchema[] {
  const own = Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: place, schema },
    ...(required.includes(name) && { required: true }),
  }));
  return [...own, ...allOf.flatMap((part) => parametersIn(place, part))];
}

function securityOf({ access, url }: Route): JsonSchema[] {
  switch (access) {
    case 'open':
      if (url === '/api/player/enrol') return [{ device: [] }];
      return url.startsWith('/media/') ? [{}, { device: [] }] : [];
    case 'device':
      return [{ device: [] }];
    case 'user':
    case 'leading':
      return [{ user: [] }];
  }
}

const ACCESS: Record<Route['access'], string> = {
  open: 'For anybody.',
  user: 'For any user; things outside the scope of the user answer 404.',
  leading: 'For leading users.',
  device: 'For paired devices.',
};

/** The body of a request: JSON, bytes of one type, or a file as it is or in a form. */
function bodyOf(route: Route, body: JsonSchema | undefined): JsonSchema | undefined {
  if (route.file) {
    const form = { type: 'object', properties: { file: BINARY }, required: ['file'] };
    return {
      required: true,
      content: { 'multipart/form-data': { schema: form }, 'application/octet-stream': { schema: BINARY } },
    };
  }
  if (route.bodyType !== undefined) return { required: true, content: { [route.bodyType]: { schema: BINARY } } };
  // A request without a body is checked as null is.
  const required = route.body?.safeParse(null).success !== true;
  return body && { required, content: { 'application/json': { schema: body } } };
}

/** Address of a route below `/api`, as OpenAPI writes it. */
export const pathOf = ({ url }: Route): string => url.replace(/^\/api(?=\/)/, '').replace(/:(\w+)/g, '{$1}');

/** Announces the schemas of a call; what is answered describes the call once all are announced. */
export function describeCall(
  schemas: Schemas,
  errors: ErrorResponses,
  feature: string,
  name: string,
  route: Route,
): () => JsonSchema {
  const ids = {
    params: route.params && schemas.add(route.params),
    query: route.query && schemas.add(route.query),
    body: route.body && schemas.add(route.body),
    data: isRaw(route.response) ? undefined : schemas.add(route.response),
  };
  return () => {
    const parameters = [
      ...(ids.params ? parametersIn('path', schemas.read(ids.params, 'input')) : []),
      ...(ids.query ? parametersIn('query', schemas.read(ids.query, 'input')) : []),
      ...headersOf(route),
    ];
    const requestBody = bodyOf(route, ids.body === undefined ? undefined : schemas.use(ids.body, 'input'));
    return {
      operationId: `${feature}.${name}`,
      summary: route.summary,
      description: ACCESS[route.access],
      tags: [feature],
      security: securityOf(route),
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody && { requestBody }),
      responses: responsesOf(route, ids.data === undefined ? undefined : schemas.use(ids.data, 'output'), errors),
    };
  };
}
