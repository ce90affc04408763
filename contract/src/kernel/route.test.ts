import { expect, test } from 'vitest';
import { z } from 'zod';
import { routes } from '../index.ts';
import type { Route } from './route.ts';

const UPPER = '0197F3C0-ABCD-7DEF-8ABC-DEFABCDEFABC';

/** Plays are signed as they are sent: their ids stay as they are. */
const SIGNED = 'POST /api/player/plays body';

/** Whether a schema takes ids, and whether it makes them lower case. */
function idsIn(schema: z.ZodType): boolean[] {
  const found = new Set<z.ZodUUID>();
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      if (zodSchema instanceof z.ZodUUID) found.add(zodSchema);
    },
  });
  // The schema that a rule was added to is visited as well.
  const bare = new Set([...found].map(({ _zod }) => _zod.parent));
  return [...found].filter((each) => !bare.has(each)).map((each) => each.parse(UPPER) === UPPER.toLowerCase());
}

const requests = Object.values(routes)
  .flatMap((table): Route[] => Object.values(table))
  .flatMap((route) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = route[part];
      return schema instanceof z.ZodType ? [{ name: `${route.method} ${route.url} ${part}`, schema }] : [];
    }),
  );

test('ids in requests are taken in lower case, so that code may compare them', () => {
  const taken = requests.filter(({ schema }) => idsIn(schema).length > 0);
  expect(taken.length).toBeGreaterThan(50);
  expect(taken.filter(({ schema }) => idsIn(schema).includes(false)).map(({ name }) => name)).toEqual([SIGNED]);
});
