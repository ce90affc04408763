import * as contract from '@ams/contract';
import { z } from 'zod';

/** A JSON Schema (2020-12), as OpenAPI 3.1 has them. */
export type JsonSchema = Readonly<Record<string, unknown>>;

type Direction = 'input' | 'output';

const COMPONENTS = '#/components/schemas/';
const NAME = /^[A-Z][A-Za-z]+$/;
/** Marks schemas that have no name in the contract: they are written where they are used. */
const UNNAMED = 'unnamed-';

export const refTo = (name: string): JsonSchema => ({ $ref: COMPONENTS + name });

/** The format of dates and ids is clearer than their pattern; the bound of safe integers is JavaScript's own. */
function tidy({ jsonSchema }: { jsonSchema: Record<string, unknown> }, direction: Direction): void {
  if ('format' in jsonSchema) delete jsonSchema['pattern'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  // A closed set with one member, so far.
  const { oneOf } = jsonSchema;
  if (Array.isArray(oneOf) && oneOf.length === 1) {
    delete jsonSchema['oneOf'];
    Object.assign(jsonSchema, oneOf[0]);
  }
  // Generated clients would require properties with a default.
  if (direction === 'input' && 'default' in jsonSchema) {
    jsonSchema['description'] ??= `Default: ${JSON.stringify(jsonSchema['default'])}`;
    delete jsonSchema['default'];
  }
  // A later version may answer more.
  if (direction === 'output' && jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
}

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType;

/** The component that a reference names; undefined for other references. */
const nameIn = (key: string, value: unknown): string | undefined =>
  key === '$ref' && typeof value === 'string' && value.startsWith(COMPONENTS)
    ? value.slice(COMPONENTS.length)
    : undefined;

/** Names of components that a value mentions. */
function mentionedIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mentionedIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => nameIn(key, inner) ?? mentionedIn(inner));
}

/** A copy of JSON in which components have other names. */
const renameIn = <T>(value: T, names: ReadonlyMap<string, string>): T =>
  JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
    const name = nameIn(key, inner);
    return name === undefined ? inner : COMPONENTS + (names.get(name) ?? name);
  });

/**
 * The schemas of the document. Those that the contract exports by a name become components of that name; where a
 * request and a response have different forms of it, that of the request is called `…Input`.
 */
export class Schemas {
  readonly #registry = z.registry<{ id: string }>();
  #written: Record<Direction, Record<string, JsonSchema>> | undefined;
  #count = 0;

  constructor() {
    for (const [name, value] of Object.entries(contract)) {
      if (NAME.test(name) && isSchema(value) && !this.#registry.has(value)) this.#registry.add(value, { id: name });
    }
  }

  /** Announces a schema; it can be read once all are announced. */
  add(schema: z.ZodType): string {
    const known = this.#registry.get(schema)?.id;
    if (known !== undefined) return known;
    const id = `${UNNAMED}${(this.#count += 1)}`;
    this.#registry.add(schema, { id });
    return id;
  }

  /** A schema by its id: a reference if it has a name, else itself. */
  use(id: string, direction: Direction): JsonSchema {
    return id.startsWith(UNNAMED) ? this.read(id, direction) : refTo(this.#nameOf(id, direction));
  }

  /** A schema by its id, itself. */
  read(id: string, direction: Direction): JsonSchema {
    const schema = this.#all()[direction][id];
    if (!schema) throw new Error(`schema ${id} was not announced`);
    return schema;
  }

  /**
   * `value` with the components that it mentions, and those that they mention. A form that only requests have loses the
   * `Input` of its name.
   */
  shorten<T>(value: T): { value: T; components: Record<string, JsonSchema> } {
    const components = this.#mentioned(value);
    const short = Object.keys(components).flatMap((name): [string, string][] => {
      const plain = name.replace(/Input$/, '');
      return plain === name || plain in components ? [] : [[name, plain]];
    });
    const names = new Map(short);
    const renamed = Object.entries(components).map(([name, schema]) => [names.get(name) ?? name, schema] as const);
    const sorted = renamed.toSorted(([one], [other]) => (one < other ? -1 : 1));
    return renameIn({ value, components: Object.fromEntries(sorted) }, names);
  }

  #mentioned(value: unknown): Record<string, JsonSchema> {
    const all = this.#all();
    const byName = new Map(
      (['output', 'input'] as const).flatMap((direction) =>
        Object.entries(all[direction]).map(([id, schema]) => [this.#nameOf(id, direction), schema] as const),
      ),
    );
    const found = new Map<string, JsonSchema>();
    const waiting = mentionedIn(value);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const schema = byName.get(name);
      if (!schema || found.has(name)) continue;
      found.set(name, schema);
      waiting.push(...mentionedIn(schema));
    }
    return Object.fromEntries(found);
  }

  #names: ReadonlyMap<string, string> | undefined;

  #nameOf = (id: string, direction: Direction): string => (direction === 'input' ? (this.#names?.get(id) ?? id) : id);

  #all(): Record<Direction, Record<string, JsonSchema>> {
    if (this.#written) return this.#written;
    const [input, output] = [this.#write('input'), this.#write('output')];
    this.#names = differing(input, output);
    const names = this.#names;
    const renamed = Object.entries(input).map(([id, schema]) => [id, renameIn(schema, names)]);
    this.#written = { input: Object.fromEntries(renamed), output };
    return this.#written;
  }

  #write(io: Direction): Record<string, JsonSchema> {
    const { schemas } = z.toJSONSchema(this.#registry, {
      io,
      unrepresentable: 'any',
      uri: (id) => COMPONENTS + id,
      override: (context) => tidy(context, io),
    });
    return Object.fromEntries(
      Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema as JsonSchema]),
    );
  }
}

/** The names of schemas whose forms differ between requests and responses, or mention one that does. */
function differing(input: Record<string, JsonSchema>, output: Record<string, JsonSchema>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const differs = ([id, schema]: [string, JsonSchema]): boolean =>
    JSON.stringify(schema) !== JSON.stringify(output[id]) || mentionedIn(schema).some((name) => names.has(name));
  for (let before = -1; before !== names.size;) {
    before = names.size;
    for (const entry of Object.entries(input)) if (differs(entry)) names.set(entry[0], `${entry[0]}Input`);
  }
  return names;
}
