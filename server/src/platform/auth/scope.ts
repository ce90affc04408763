import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from './auth.ts';

/** Whose scope is asked for; without `superior` it is not known whether anybody is above. */
export type Scoped = Pick<Viewer, 'id' | 'role'> & Partial<Pick<Viewer, 'superior'>>;

/** Everybody is below the first account. */
export const seesAll = ({ role, superior }: Scoped): boolean => role === 'leading' && superior === null;

/**
 * The condition that a row belongs to the viewer's scope, where `owner` is the column with the
 * owning user's id: oneself, and for a leading user everyone below at any depth.
 */
export function inScope(viewer: Scoped, owner: RawBuilder<unknown>): RawBuilder<boolean> {
  if (seesAll(viewer)) return sql<boolean>`true`;
  return viewer.role === 'leading'
    ? sql<boolean>`${owner} in (select s.user_id from user_scopes s where s.ancestor_id = ${viewer.id})`
    : sql<boolean>`${owner} = ${viewer.id}::uuid`;
}

/**
 * The condition of `inScope` where other conditions leave few rows: one look-up for each of them, whatever the planner
 * expects. A scope can have thousands of users. Statements that lock rows use it: when somebody changes the owner of a
 * row that they wait for, PostgreSQL looks the new one up, whereas it would join the former one again.
 */
export function inScopeEach(viewer: Scoped, owner: RawBuilder<unknown>): RawBuilder<boolean> {
  if (seesAll(viewer) || viewer.role !== 'leading') return inScope(viewer, owner);
  return sql<boolean>`(select true from user_scopes s where s.user_id = ${owner} and s.ancestor_id = ${viewer.id}::uuid)`;
}
