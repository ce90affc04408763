import './releases.tables.ts';
import { sql, type SqlBool } from 'kysely';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';

/** Contents that live releases need, as they were uploaded or as they were converted. */
export const releasedContents = {
  needs: [
    sql<SqlBool>`exists (
      select from release_files rf join releases r on r.id = rf.release_id
      where rf.sha256 in (b.sha256, b.play_sha256) and r.withdrawn_at is null)`,
  ],
};

/** Which of these files live releases show, and the names of the ads in scope that do. */
export const findReleasedFiles = (
  db: Db,
  viewer: Scoped,
  ids: string[],
): Promise<{ fileId: string; ads: string[] }[]> =>
  db
    .selectFrom('release_files as rf')
    .innerJoin('releases as r', 'r.id', 'rf.release_id')
    .select('rf.file_id as fileId')
    .select(
      sql<
        string[]
      >`coalesce(array_agg(distinct r.ad_name) filter (where ${inScope(viewer, sql`r.owner_id`)}), '{}')`.as('ads'),
    )
    .where('rf.file_id', 'in', ids)
    .where('r.withdrawn_at', 'is', null)
    .groupBy('rf.file_id')
    .execute();
