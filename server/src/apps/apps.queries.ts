import './apps.tables.ts';
import '../files/files.tables.ts';
import type { App, apps, InstalledApp, OfferedApp, Page, UserRef } from '@ams/contract';
import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '../platform/auth.ts';
import { type Db, iso, type Tables, userRef } from '../platform/database.ts';
import { newestFirst } from '../platform/page.ts';
import { inScope } from '../platform/scope.ts';
import type { Signer } from '../platform/signing.ts';

const addressOf = (signer: Signer, sha256: string): string => signer.sign(`/media/${sha256}`);

const fromApps = (db: Db) => db.selectFrom('apps as a').innerJoin('blobs as b', 'b.sha256', 'a.sha256');

/** Who uploaded a version is told to those above only: `viewer` undefined is a machine. */
const selectApps = (db: Db, viewer?: Viewer) =>
  fromApps(db).select([
    'a.id',
    'a.name',
    'a.content',
    'a.forced',
    'a.istype',
    'a.package',
    'a.code',
    'a.version',
    'b.bytes',
    'a.sha256',
    'a.icon_sha256 as iconSha256',
    'a.published',
    userRef<UserRef | null>(
      viewer ? sql`case when ${inScope(viewer, sql`a.uploaded_by`)} then a.uploaded_by end` : sql`null::uuid`,
    ).as('uploadedBy'),
    iso(sql`a.created_at`).as('createdAt'),
  ]);

type AppRow = Omit<App, 'url' | 'icon' | 'ctime'> & { iconSha256: string | null };

const present = ({ iconSha256, ...row }: AppRow, signer: Signer): App => ({
  ...row,
  ctime: row.createdAt,
  url: addressOf(signer, row.sha256),
  icon: iconSha256 && addressOf(signer, iconSha256),
});

/** Leading users see all versions of the installation, members the published ones. */
const visibleTo = (viewer: Viewer) => sql<boolean>`(a.published or ${viewer.role === 'leading'})`;

export async function findApp(db: Db, signer: Signer, viewer: Viewer, id: string): Promise<App | undefined> {
  const row = await selectApps(db, viewer).where('a.id', '=', id).where(visibleTo(viewer)).executeTakeFirst();
  return row && present(row, signer);
}

/** What the viewer may see, newest first. */
export async function listApps(
  db: Db,
  signer: Signer,
  viewer: Viewer,
  query: z.output<typeof apps.list.query>,
): Promise<Page<App>> {
  const chosen = selectApps(db, viewer).where(visibleTo(viewer));
  const page = await newestFirst(chosen, query, sql`a.created_at`, sql`a.id`);
  return { ...page, items: page.items.map((row) => present(row, signer)) };
}

/** The newest published version above `installed`; it is forced when any on the way to it is. */
export async function findNewerApp(
  db: Db,
  signer: Signer,
  installed: z.output<typeof InstalledApp>,
): Promise<OfferedApp | null> {
  const row = await selectApps(db)
    .select(sql<boolean>`bool_or(a.forced) over ()`.as('anyForced'))
    .where('a.package', '=', installed.package)
    .where('a.code', '>', installed.code)
    .where('a.published', '=', true)
    .orderBy('a.code', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { anyForced, ...app } = row;
  return { ...present(app, signer), forced: anyForced };
}

type AppColumns = Selectable<Tables['apps']>;

/** One version, locked until the transaction ends. */
export const lockApp = (db: Db, id: string): Promise<AppColumns | undefined> =>
  db.selectFrom('apps').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export type AppChanges = Partial<Pick<AppColumns, 'name' | 'content' | 'forced' | 'istype' | 'published'>>;

export const updateApp = (db: Db, id: string, changes: AppChanges): Promise<unknown> =>
  db.updateTable('apps').set(changes).where('id', '=', id).execute();

export const deleteApp = (db: Db, id: string): Promise<unknown> => db.deleteFrom('apps').where('id', '=', id).execute();

/** The highest version of a package. */
export const findHighest = (
  db: Db,
  packageName: string,
): Promise<Pick<AppColumns, 'id' | 'code' | 'version'> | undefined> =>
  db
    .selectFrom('apps')
    .select(['id', 'code', 'version'])
    .where('package', '=', packageName)
    .orderBy('code', 'desc')
    .limit(1)
    .executeTakeFirst();

export const insertApp = (db: Db, app: Omit<AppColumns, 'published' | 'created_at'>): Promise<unknown> =>
  db.insertInto('apps').values(app).execute();

/** Uploads of one package wait for each other until the transaction ends. */
export const lockPackage = (tx: Db, packageName: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('apps'), hashtext(${packageName}))`.execute(tx);

/** Size in bytes of the app that an upload of `uploader` became. */
export async function findUploadedApp(db: Db, uploader: string, id: string): Promise<number | undefined> {
  const row = await fromApps(db)
    .select('b.bytes')
    .where('a.id', '=', id)
    .where('a.uploaded_by', '=', uploader)
    .executeTakeFirst();
  return row?.bytes;
}
