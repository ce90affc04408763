import './files.tables.ts';
import type { FileUse, Page, PageQuery } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { newestFirst } from '../platform/database/page.ts';

/** Live releases `r` of an ad `a` that show a file. */
const showing = (fileId: string): RawBuilder<unknown> => sql`
  r.ad_id = a.id and r.withdrawn_at is null
  and exists (select from release_files rf where rf.release_id = r.id and rf.file_id = ${fileId}::uuid)`;

const devices = (viewer: Viewer, fileId: string) => sql<number>`
  (select count(distinct rd.device_id) from releases r
    join release_devices rd on rd.release_id = r.id and rd.withdrawn_at is null
    join devices d on d.id = rd.device_id and ${inScope(viewer, sql`d.owner_id`)}
    where ${showing(fileId)})`;

/** The ads in scope that show a file now, or whose live releases do, newest first. */
export async function listFileUses(db: Db, viewer: Viewer, fileId: string, query: PageQuery): Promise<Page<FileUse>> {
  const listed = sql<boolean>`exists (select from ad_items i where i.ad_id = a.id and i.file_id = ${fileId}::uuid)`;
  const chosen = db
    .selectFrom('ads as a')
    .select(['a.id', 'a.name'])
    .select(listed.as('listed'))
    .select(sql<number>`(select count(*) from releases r where ${showing(fileId)})`.as('releases'))
    .select(devices(viewer, fileId).as('devices'))
    .where(
      sql<boolean>`a.id in (
        select i.ad_id from ad_items i where i.file_id = ${fileId}::uuid
        union select r.ad_id from release_files rf join releases r on r.id = rf.release_id
          where rf.file_id = ${fileId}::uuid and r.withdrawn_at is null)`,
    )
    .where(inScope(viewer, sql`a.owner_id`));
  const page = await newestFirst(chosen, query, sql`a.created_at`, sql`a.id`);
  return {
    ...page,
    items: page.items.map(({ id, name, ...rest }) => ({ ad: { id, name }, ...rest })),
  };
}
