import { macSearch } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { contains } from '../platform/database/database.ts';
import { gramsOf } from '../platform/database/grams.ts';
import { unweighed } from '../platform/database/prepared.ts';

/** The condition that a text finds a row `d` of devices: by name, MAC address, owner, area or address. */
export function found(q: string, called = usersCalled(q)): RawBuilder<boolean> {
  const hex = macSearch(q);
  const byMac = hex ? sql`or replace(d.mac, ':', '') like ${contains(hex)}` : sql``;
  const byPlace = sql`d.area ilike ${contains(q)} or d.address ilike ${contains(q)}`;
  return sql<boolean>`(d.name ilike ${contains(q)} or ${byPlace} or d.owner_id in (${called}) ${byMac})`;
}

/** The users whose name contains a text. */
export const usersCalled = (q: string, grams: RawBuilder<unknown> = gramsOf(q)) => sql`
  select u.id from users u where u.name_grams @> ${grams} and u.username_key like ${contains(q.toLowerCase())}`;

/** The condition of `found` in a statement that is planned once for all texts. */
export const foundEach = (q: string): RawBuilder<boolean> => found(q, usersCalled(q, unweighed(gramsOf(q))));
