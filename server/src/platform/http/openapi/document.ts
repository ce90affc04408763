import { type RouteTable, routes, VERSION } from '@ams/contract';
import { ErrorResponses, FAILURE, HEADERS } from './answers.ts';
import { INTRODUCTION, TAGS } from './introduction.ts';
import { describeCall, PARAMETERS, pathOf } from './operations.ts';
import { type JsonSchema, Schemas } from './schemas.ts';

/** Paths that no route of the contract describes, such as those of a protocol. */
export type OwnPaths = (errors: ErrorResponses) => Record<string, JsonSchema>;

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });

/** A WebSocket is no call: the introduction describes it. */
const NO_CALLS = new Set(['player.socket']);

type Paths = Record<string, Record<string, JsonSchema>>;

function pathsOf(schemas: Schemas, errors: ErrorResponses): Paths {
  const calls = Object.entries<RouteTable>(routes).flatMap(([feature, table]) =>
    Object.entries(table)
      .filter(([name]) => !NO_CALLS.has(`${feature}.${name}`))
      .map(([name, route]) => ({ route, describe: describeCall(schemas, errors, feature, name, route) })),
  );
  const paths: Paths = {};
  for (const { route, describe } of calls) {
    const path = pathOf(route);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe() };
  }
  return paths;
}

const introduction = INTRODUCTION.map(({ title, text }) => `## ${title}\n\n${text.join('\n\n')}`).join('\n\n');

/** The OpenAPI document (3.1) without its server, from the same objects as the routes. */
function makeDocument(ownPaths: OwnPaths): JsonSchema {
  const schemas = new Schemas();
  const errors = new ErrorResponses();
  const paths = { ...pathsOf(schemas, errors), ...ownPaths(errors) };
  const document = schemas.shorten({ paths, responses: errors.components });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Advertising Management System',
      version: VERSION,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: document.value.paths,
    components: {
      securitySchemes: {
        user: bearer('The `token` of a session'),
        device: bearer('The secret of a device'),
      },
      headers: HEADERS,
      parameters: PARAMETERS,
      responses: document.value.responses,
      schemas: { ...document.components, Failure: FAILURE },
    },
  };
}

/** Makes the document once; `origin` is the address that the request was sent to. */
export function openApi(ownPaths: OwnPaths): (origin: string) => JsonSchema {
  let made: JsonSchema | undefined;
  return (origin) => {
    made ??= makeDocument(ownPaths);
    const { openapi, info, ...rest } = made;
    return { openapi, info, servers: [{ url: `${origin}/api` }], ...rest };
  };
}
