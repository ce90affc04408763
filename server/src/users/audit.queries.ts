import type { AuditEntry, Page, PageQuery, UserRef } from '@ams/contract';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Db, iso, userRef } from '../platform/database/database.ts';
import { newestFirst } from '../platform/database/page.ts';
import { inScope } from '../platform/auth/scope.ts';

/** Audit entries in scope, newest first. */
export function listAudit(
  db: Db,
  viewer: Pick<Viewer, 'id' | 'role'>,
  query: PageQuery & { actor?: string | undefined },
): Promise<Page<AuditEntry>> {
  let chosen = db
    .selectFrom('audit as a')
    .select(['a.id', 'a.action', 'a.target', 'a.actor_name as actorName'])
    .select(
      sql<AuditEntry['person']>`case when a.person_username is not null then
        jsonb_build_object('name', a.person_name, 'username', a.person_username) end`.as('person'),
    )
    .select('a.target_id as targetId')
    .select(sql<AuditEntry['details']>`a.details`.as('details'))
    .select(iso(sql`a.at`).as('at'))
    .select(userRef<UserRef | null>(sql`a.actor_id`).as('actor'))
    .where(inScope(viewer, sql`a.scope_id`));
  if (query.actor) chosen = chosen.where('a.actor_id', '=', query.actor);
  return newestFirst(chosen, query, sql`a.at`, sql`a.id`);
}
