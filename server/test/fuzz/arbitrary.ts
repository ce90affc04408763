import fc from 'fast-check';
import { z } from 'zod';
import { nastyText, nastyValue } from './hostile.ts';

/** The part of JSON Schema that zod writes for the contract. */
const Schema = z.looseObject({
  get anyOf() {
    return z.array(Schema).optional();
  },
  get oneOf() {
    return z.array(Schema).optional();
  },
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), Schema]).optional();
  },
  get propertyNames() {
    return Schema.optional();
  },
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});
type Schema = z.output<typeof Schema>;

const ITEMS_MAX = 4;
const TEXT_MAX = 60;

/** Texts of that name that mean something here; `@own.ad@` and the like are filled in when a request is sent. */
export type Words = (name: string) => readonly string[];

/** Input that the JSON Schema accepts: checks in code may still refuse it. */
export function takenBy(schema: z.ZodType, words: Words): fc.Arbitrary<unknown> {
  return valueOf(Schema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })), '', words);
}

/** The same with one thing wrong: left out, of another type, too much, or hostile. */
export const nearlyTakenBy = (schema: z.ZodType, words: Words): fc.Arbitrary<unknown> =>
  fc.tuple(takenBy(schema, words), fc.nat(), nastyValue, fc.constantFrom('drop', 'replace', 'add')).map(spoil);

function valueOf(schema: Schema, name: string, words: Words): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valueOf(choice, name, words)));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const types = [schema.type ?? 'any'].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, name, words)));
}

function ofType(type: string, schema: Schema, name: string, words: Words): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(schema, words);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, name, words), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? ITEMS_MAX, Math.max(ITEMS_MAX, schema.minItems ?? 0)),
      });
    case 'string':
      return textOf(schema, name, words);
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.double({ ...rangeOf(schema), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return nastyValue;
  }
}

const rangeOf = ({ minimum = -1e6, maximum = 1e6 }: Schema): { min: number; max: number } => ({
  min: Math.max(minimum, Number.MIN_SAFE_INTEGER),
  max: Math.min(Math.max(maximum, minimum), Number.MAX_SAFE_INTEGER),
});

function objectOf({ properties, required, propertyNames, additionalProperties }: Schema, words: Words) {
  if (properties === undefined && propertyNames?.enum && typeof additionalProperties === 'object') {
    const keys = propertyNames.enum.map(String);
    return fc.dictionary(fc.constantFrom(...keys), valueOf(additionalProperties, '', words), { maxKeys: 3 });
  }
  const entries = Object.entries(properties ?? {});
  return fc.record(Object.fromEntries(entries.map(([key, schema]) => [key, valueOf(schema, key, words)])), {
    requiredKeys: required ?? [],
  });
}

const DAY_MS = 86_400_000;
const someTime = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
/** Times near now, where most rules change their mind. */
const nearTime = fc
  .integer({ min: -40 * DAY_MS, max: 40 * DAY_MS })
  .map((ms) => new Date(Date.now() + ms).toISOString());
const time = fc.oneof(nearTime, someTime, fc.constantFrom('0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'));

function textOf(schema: Schema, name: string, words: Words): fc.Arbitrary<string> {
  const known = words(name);
  const meant = known.length > 0 ? fc.constantFrom(...known) : undefined;
  const shaped = shapedText(schema);
  return meant ? fc.oneof({ weight: 4, arbitrary: meant }, { weight: 1, arbitrary: shaped }) : shaped;
}

function shapedText({ format, pattern, minLength = 0, maxLength = TEXT_MAX }: Schema): fc.Arbitrary<string> {
  switch (format) {
    case 'uuid':
      return fc.uuid();
    case 'date':
      return time.map((text) => text.slice(0, 10));
    case 'date-time':
      return time;
    case 'email':
      return fc.emailAddress();
    case 'uri':
      return fc.webUrl();
    default:
  }
  if (pattern !== undefined) {
    const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 20)) };
    return fc.oneof(
      fc.stringMatching(new RegExp(pattern)),
      fc.string({ unit: fc.constantFrom('a', 'b', 'X', 'Y', '0', '9'), ...length }),
    );
  }
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, TEXT_MAX)) }),
    nastyText.filter((text) => text.length >= minLength && text.length <= maxLength),
  );
}

type Spoiling = [value: unknown, place: number, nasty: unknown, how: 'drop' | 'replace' | 'add'];

/** Walks down to a place in a value, chosen by a number, and spoils it. */
function spoil([value, place, nasty, how]: Spoiling): unknown {
  const isObject = typeof value === 'object' && value !== null;
  if (!isObject || Object.keys(value).length === 0) return nasty;
  const entries = Object.entries(value);
  const chosen = place % entries.length;
  const deeper = Math.floor(place / entries.length);
  const spoilt = entries.flatMap(([key, inner], index): [string, unknown][] => {
    if (index !== chosen) return [[key, inner]];
    if (deeper % 2 === 1) return [[key, spoil([inner, Math.floor(deeper / 2), nasty, how])]];
    if (how === 'drop') return [];
    return how === 'add' ? [[key, inner], ['surplus', nasty]] : [[key, nasty]]; // oxfmt-ignore
  });
  return Array.isArray(value) ? spoilt.map(([, inner]) => inner) : Object.fromEntries(spoilt);
}
