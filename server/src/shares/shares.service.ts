import './shares.tables.ts';
import { randomBytes } from 'node:crypto';
import {
  AppError,
  type CreatedShare,
  type Language,
  type Page,
  type PageQuery,
  type Share,
  type ShareSubject,
  type UserRef,
} from '@ams/contract';
import type { Messages } from '@ams/contract/messages/en';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { audit } from '../platform/auth/audit.ts';
import { hashToken, type Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs, findActor } from '../platform/auth/authority.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { atOneMoment, type Db, iso, userRef } from '../platform/database/database.ts';
import { newestFirst } from '../platform/database/page.ts';
import type { SharedPageContext, SharedPages } from './links.ts';

export type { SharedPages };

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const DAY_MS = 86_400_000;

const state = sql<Share['state']>`case
  when s.revoked_at is not null then 'revoked'
  when s.expires_at <= now() then 'expired'
  else 'active' end`;

const selectShares = (db: Db, viewer: Scoped) =>
  db
    .selectFrom('shares as s')
    .select(['s.id', 's.title'])
    .select(sql<Share['kind']>`s.subject ->> 'kind'`.as('kind'))
    .select(state.as('state'))
    .select(userRef<UserRef>(sql`s.created_by`).as('createdBy'))
    .select(iso(sql`s.created_at`).as('createdAt'))
    .select(
      iso(sql`s.expires_at`)
        .$castTo<string | null>()
        .as('expiresAt'),
    )
    .where(inScope(viewer, sql`s.created_by`));

/** Links that users in scope made, newest first. */
export const listShares = (db: Db, viewer: Viewer, query: PageQuery): Promise<Page<Share>> =>
  newestFirst(selectShares(db, viewer), query, sql`s.created_at`, sql`s.id`);

/** Makes a link below `address`, that of the web app. Only its hash is stored: the answer has the link itself. */
export const createShare = (
  db: Db,
  pages: SharedPages,
  viewer: Viewer,
  wanted: { subject: ShareSubject; days: number | null },
  address: string,
): Promise<CreatedShare> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    const { subject, title } = await prepare(trx, pages, actor, wanted.subject);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const id = uuidv7();
    await trx
      .insertInto('shares')
      .values({
        id,
        token_hash: hashToken(token),
        subject: JSON.stringify(subject),
        title,
        created_by: actor.id,
        expires_at: wanted.days === null ? null : new Date(Date.now() + wanted.days * DAY_MS),
      })
      .execute();
    await audit(trx, actor, { action: 'shares.create', targetId: id, target: title });
    const share = await selectShares(trx, actor).where('s.id', '=', id).executeTakeFirstOrThrow();
    return { ...share, url: `${address}/share/${token}` };
  });

/** Ends a link for good. */
export const revokeShare = (db: Db, viewer: Viewer, id: string): Promise<void> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    const share = await selectShares(trx, actor).where('s.id', '=', id).executeTakeFirst();
    if (!share) throw new AppError('NOT_FOUND');
    const { numUpdatedRows } = await trx
      .updateTable('shares')
      .set({ revoked_at: new Date() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) await audit(trx, actor, { action: 'shares.revoke', targetId: id, target: share.title });
  });

interface OpenLink {
  subject: ShareSubject;
  createdAt: Date;
  expiresAt: Date | null;
  sharedBy: string;
}

/**
 * Reads what a link shows, with what its maker may see now; undefined when the link is unknown, expired or revoked, its
 * maker's account is disabled, or its subject is no longer in the maker's scope. Nobody learns which. All of it is read as
 * of one moment: devices report meanwhile, and totals have to be the sums of their rows.
 */
async function readLink<T>(
  db: Db,
  token: string,
  read: (trx: Db, maker: Actor, link: OpenLink) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!TOKEN.test(token)) return undefined;
  return atOneMoment(db, async (trx) => {
    const link = await trx
      .selectFrom('shares as s')
      .innerJoin('users as u', 'u.id', 's.created_by')
      .select(['s.subject', 's.created_by', 's.created_at as createdAt', 's.expires_at as expiresAt'])
      .select('u.username as sharedBy')
      .where('s.token_hash', '=', hashToken(token))
      .where(sql<boolean>`${state} = 'active'`)
      .executeTakeFirst();
    const maker = link && (await findActor(trx, link.created_by));
    if (!maker) return undefined;
    try {
      return await read(trx, maker, link);
    } catch (error) {
      if (error instanceof AppError && error.error === 'NOT_FOUND') return undefined;
      throw error;
    }
  });
}

/** The page of a link with its headers; undefined as in `readLink`. */
export const openShare = (
  db: Db,
  pages: SharedPages,
  token: string,
  reader: { language: Language; words: Messages },
): Promise<{ html: string; headers: Readonly<Record<string, string>> } | undefined> =>
  readLink(db, token, async (trx, maker, { subject, ...link }) => ({
    html: await render(trx, pages, maker, subject, { ...reader, ...link, token }),
    headers: pages[subject.kind].headers,
  }));

/** A picture on the wall of a link; undefined as in `readLink`. */
export const openPicture = (db: Db, pages: SharedPages, token: string, name: string): Promise<Buffer | undefined> =>
  readLink(db, token, async (trx, maker, { subject }) =>
    subject.kind === 'wall' ? pages.wall.picture(trx, maker, subject, token, name) : undefined,
  );

/**
 * The verification file of a link to a statement; the link is asked for again while the file is written. Throws
 * `NOT_FOUND` as `readLink` finds nothing.
 */
export async function openProof(
  db: Db,
  pages: SharedPages,
  token: string,
): Promise<{ name: string; pieces: AsyncIterable<string> }> {
  const allow = async () => {
    const found = await readLink(db, token, async (trx, maker, { subject }) => {
      if (subject.kind !== 'statement') return undefined;
      return pages.statement.prepare(trx, maker, subject);
    });
    if (!found) throw new AppError('NOT_FOUND');
    return found;
  };
  const { subject, title } = await allow();
  return { name: title, pieces: pages.statement.proof(db, subject, allow) };
}

function prepare(trx: Db, pages: SharedPages, maker: Actor, subject: ShareSubject) {
  switch (subject.kind) {
    case 'report':
      return pages.report.prepare(trx, maker, subject);
    case 'wall':
      return pages.wall.prepare(trx, maker, subject);
    case 'statement':
      return pages.statement.prepare(trx, maker, subject);
  }
}

function render(trx: Db, pages: SharedPages, maker: Actor, subject: ShareSubject, context: SharedPageContext) {
  switch (subject.kind) {
    case 'report':
      return pages.report.render(trx, maker, subject, context);
    case 'wall':
      return pages.wall.render(trx, maker, subject, context);
    case 'statement':
      return pages.statement.render(trx, maker, subject, context);
  }
}
