import { type RawBuilder, sql } from 'kysely';

/**
 * The longest pieces of a text that are indexed, of one to three letters or of six: a text that contains it has all of
 * them among its `all_grams`.
 */
export const gramsOf = (text: string): RawBuilder<string[]> => sql<string[]>`
  grams(${text}, case when char_length(${text}) >= 6 then 6 else least(char_length(${text}), 3) end)`;
