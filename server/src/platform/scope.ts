import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from './auth.ts';

/**
 * The condition that a row belongs to the viewer's scope, where `owner` is the column with the
 * owning user's id: oneself, and for a leading user everyone below at any depth.
 */
export const inScope = (viewer: Pick<Viewer, 'id' | 'role'>, owner: RawBuilder<unknown>): RawBuilder<boolean> =>
  viewer.role === 'leading'
    ? sql<boolean>`${owner} in (select s.user_id from user_scopes s where s.ancestor_id = ${viewer.id})`
    : sql<boolean>`${owner} = ${viewer.id}::uuid`;
