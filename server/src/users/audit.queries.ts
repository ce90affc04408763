import type { AuditEntry, Page, PageQuery, UserRef } from '@ams/contract';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth.ts';
import { type Db, iso, userRef } from '../platform/database.ts';
import { decodeCursor, toPage, timeKey } from '../platform/page.ts';
import { inScope } from '../platform/scope.ts';

/** What people in scope did, newest first. */
export async function listAudit(
  db: Db,
  viewer: Viewer,
  query: PageQuery & { actor?: string | undefined },
): Promise<Page<AuditEntry>> {
  const after = decodeCursor(query.cursor);
  let chosen = db
    .selectFrom('audit as a')
    .select(['a.id', 'a.action', 'a.target'])
    .select('a.target_id as targetId')
    .select(sql<AuditEntry['details']>`a.details`.as('details'))
    .select(iso(sql`a.at`).as('at'))
    .select(userRef<UserRef | null>(sql`a.actor_id`).as('actor'))
    .select(timeKey(sql`a.at`).as('sortKey'))
    .where(inScope(viewer, sql`a.actor_id`));
  if (query.actor) chosen = chosen.where('a.actor_id', '=', query.actor);
  if (after) chosen = chosen.where(sql<boolean>`(a.at, a.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  const rows = await chosen
    .orderBy('a.at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(query.limit + 1)
    .execute();
  return toPage(rows, query, (row) => [row.sortKey, row.id]);
}
