import { macSearch } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { contains } from '../platform/database/database.ts';
import { gramsOf } from '../platform/database/grams.ts';

/** The condition that a text finds a row `d` of devices: by name, MAC address, owner, area or address. */
export function found(q: string): RawBuilder<boolean> {
  const hex = macSearch(q);
  const byMac = hex ? sql`or replace(d.mac, ':', '') like ${contains(hex)}` : sql``;
  const byPlace = sql`d.area ilike ${contains(q)} or d.address ilike ${contains(q)}`;
  return sql<boolean>`(d.name ilike ${contains(q)} or ${byPlace} or d.owner_id = any(array(${usersCalled(q)})) ${byMac})`;
}

/** The users whose name contains a text. */
export const usersCalled = (q: string) => sql`
  select u.id from users u where u.name_grams @> ${gramsOf(q)} and u.username_key like ${contains(q.toLowerCase())}`;
