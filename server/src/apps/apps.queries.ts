import './apps.tables.ts';
import type { App, apps, InstalledApp, OfferedApp, Page, UserRef } from '@ams/contract';
import { type Selectable, sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { ContentUse } from '../blobs/content-use.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Db, iso, type Tables, userRef } from '../platform/database/database.ts';
import { newestFirst } from '../platform/database/page.ts';
import { inScope, inScopeEach } from '../platform/auth/scope.ts';
import type { Signer } from '../platform/auth/signing.ts';
import { depthOf, isOffered, offerTo, signOffer, type UnsignedOffer } from './offers.sql.ts';
import type { ApkFacts } from '../platform/sandbox/answers.ts';

/** Contents that apps and their icons are. */
export const appContents: ContentUse = {
  needs: [
    sql<SqlBool>`exists (select from apps a where a.sha256 = b.sha256)`,
    sql<SqlBool>`exists (select from apps a where a.icon_sha256 = b.sha256)`,
  ],
  names: sql`select a.name from apps a where b.sha256 in (a.sha256, a.icon_sha256)`,
};

const addressOf = (signer: Signer, sha256: string): string => signer.sign(`/media/${sha256}`);

const fromApps = (db: Db) => db.selectFrom('apps as a').innerJoin('blobs as b', 'b.sha256', 'a.sha256');

/** The publisher of a version is visible to users above and to direct subordinates. */
const knowsPublisher = (viewer: Viewer) => sql<boolean>`(${inScope(viewer, sql`a.uploaded_by`)}
  or a.uploaded_by = (select v.superior_id from users v where v.id = ${viewer.id}))`;

const selectApps = (db: Db, viewer: Viewer) =>
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
    sql<string | null>`nullif(a.signer, '')`.as('signer'),
    'a.icon_sha256 as iconSha256',
    'a.published',
    userRef<UserRef | null>(sql`case when ${knowsPublisher(viewer)} then a.uploaded_by end`).as('uploadedBy'),
    sql<boolean>`coalesce(${inScope(viewer, sql`a.uploaded_by`)}, false)`.as('own'),
    iso(sql`a.created_at`).as('createdAt'),
  ]);

type AppRow = Omit<App, 'url' | 'icon' | 'ctime'> & { iconSha256: string | null };

const present = ({ iconSha256, ...row }: AppRow, signer: Signer): App => ({
  ...row,
  ctime: row.createdAt,
  url: addressOf(signer, row.sha256),
  icon: iconSha256 && addressOf(signer, iconSha256),
});

/**
 * The versions that the viewer may see: its own, those published by somebody below, and those offered to
 * its devices.
 */
const visibleTo = (viewer: Viewer) =>
  sql<boolean>`(${inScope(viewer, sql`a.uploaded_by`)} or ${isOffered(sql`a`, sql`${viewer.id}::uuid`)})`;

export async function findApp(db: Db, signer: Signer, viewer: Viewer, id: string): Promise<App | undefined> {
  const row = await selectApps(db, viewer).where('a.id', '=', id).where(visibleTo(viewer)).executeTakeFirst();
  return row && present(row, signer);
}

/** Rows in the viewer's scope, newest first. */
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

/** The version that a device of `owner` should install above `installed`, or null. */
export async function findNewerApp(
  db: Db,
  signer: Signer,
  owner: string,
  { package: name, code }: InstalledApp,
): Promise<OfferedApp | null> {
  const { rows } = await sql<{ app: UnsignedOffer | null }>`
    select ${offerTo(sql`${owner}::uuid`, sql`${name}::text`, sql`${code}::bigint`)} as app`.execute(db);
  const app = rows[0]?.app;
  return app ? signOffer(app, signer) : null;
}

type AppColumns = Selectable<Tables['apps']>;

/** One version in the viewer's scope, locked until the transaction ends. */
export const lockApp = (db: Db, viewer: Viewer, id: string): Promise<AppColumns | undefined> =>
  db
    .selectFrom('apps as a')
    .selectAll()
    .where('a.id', '=', id)
    .where(inScopeEach(viewer, sql`a.uploaded_by`))
    .forUpdate()
    .executeTakeFirst();

export type AppChanges = Partial<Pick<AppColumns, 'name' | 'content' | 'forced' | 'istype' | 'published'>>;

export const updateApp = (db: Db, id: string, changes: AppChanges): Promise<unknown> =>
  db.updateTable('apps').set(changes).where('id', '=', id).execute();

export const deleteApp = (db: Db, id: string): Promise<unknown> => db.deleteFrom('apps').where('id', '=', id).execute();

/** Versions of a package that a publisher has or that somebody above offers to its devices. */
const before = (db: Db, publisher: string, packageName: string) =>
  db
    .selectFrom('apps as a')
    .where('a.package', '=', packageName)
    .where(sql<boolean>`(a.uploaded_by = ${publisher}::uuid or ${isOffered(sql`a`, sql`${publisher}::uuid`)})`);

/** The highest version before a new one of this publisher. */
export const findHighest = (
  db: Db,
  publisher: string,
  packageName: string,
): Promise<Pick<AppColumns, 'id' | 'code' | 'version'> | undefined> =>
  before(db, publisher, packageName)
    .select(['a.id', 'a.code', 'a.version'])
    .orderBy('a.code', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The signer that a new version of this publisher must have; undefined when it is the first. */
export async function findPinnedSigner(db: Db, publisher: string, packageName: string): Promise<string | undefined> {
  const row = await before(db, publisher, packageName)
    .select('a.signer')
    .where('a.signer', '<>', '')
    .orderBy(depthOf(sql`a.uploaded_by`), 'desc')
    .orderBy('a.code', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.signer ?? undefined;
}

/**
 * The version that says which signer the devices of a publisher are used to, before another one of the package is
 * published: of the nearest publisher at or above it, one that is published rather than one that is not.
 */
export const findPin = (
  db: Db,
  publisher: string,
  { id, package: name }: Pick<AppColumns, 'id' | 'package'>,
): Promise<Pick<AppColumns, 'code' | 'signer'> | undefined> =>
  before(db, publisher, name)
    .select(['a.code', 'a.signer'])
    .where('a.id', '<>', id)
    .where('a.signer', '<>', '')
    .orderBy(depthOf(sql`a.uploaded_by`), 'desc')
    .orderBy('a.published', 'desc')
    .orderBy('a.code', 'desc')
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

/** Versions whose signers nobody has read yet: they are offered to nobody. */
export const findUnread = (
  db: Db,
  limit: number,
): Promise<{ id: string; sha256: string; publisher: string | null }[]> =>
  db
    .selectFrom('apps')
    .select(['id', 'sha256', 'uploaded_by as publisher'])
    .where('signer', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();

type Signature = Pick<ApkFacts, 'signer' | 'predecessors'>;

export const recordSignature = (db: Db, id: string, { signer, predecessors }: Signature): Promise<unknown> =>
  db.updateTable('apps').set({ signer, predecessors }).where('id', '=', id).execute();

export async function hasPublished(db: Db, publisher: string): Promise<boolean> {
  const row = await db
    .selectFrom('apps')
    .select('id')
    .where('uploaded_by', '=', publisher)
    .where('published', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Hands versions to an heir, who has more devices: it decides itself what to publish to them. */
export const handOver = (db: Db, publisher: string, heir: string): Promise<unknown> =>
  db.updateTable('apps').set({ uploaded_by: heir, published: false }).where('uploaded_by', '=', publisher).execute();
