import { randomInt } from 'node:crypto';
import {
  AppError,
  EXPORT_MAX_ROWS,
  GivenTime,
  INVITATION_CODE_LENGTH,
  type Invitation,
  type Page,
  type PageQuery,
  type Role,
  type SelfRegisterBody,
  type User,
  type UserRef,
} from '@ams/contract';
import type { Messages } from '@ams/contract/messages/en';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs, findActor } from '../platform/auth/authority.ts';
import { type Db, iso, userRef } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { decodeCursor, toPage, timeKey, withTotal } from '../platform/database/page.ts';
import { inScope } from '../platform/auth/scope.ts';
import { sheetsOf, writeXls } from '../platform/spreadsheets/spreadsheet.ts';
import { webAddress } from '../platform/http/web-address.ts';
import { createAccount } from './users.service.ts';

/** No look-alikes: neither 0 and O, nor 1, I and L. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const ByTimeAndCode = z.tuple([GivenTime, z.string().max(50)]);

/** A random code of so many characters. */
export const newCode = (length: number): string =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

const state = sql<Invitation['state']>`case
  when i.used_at is not null then 'used'
  when i.revoked_at is not null then 'revoked'
  when i.expires_at <= now() then 'expired'
  else 'unused' end`;

const selectInvitations = (db: Db) =>
  db
    .selectFrom('invitations as i')
    .select(['i.code', 'i.role'])
    .select(state.as('state'))
    .select(userRef<UserRef>(sql`i.created_by`).as('createdBy'))
    .select(userRef<UserRef | null>(sql`i.used_by`).as('usedBy'))
    .select(iso(sql`i.created_at`).as('createdAt'))
    .select(iso(sql`i.expires_at`).as('expiresAt'));

export async function listInvitations(
  db: Db,
  viewer: Viewer,
  query: PageQuery & { state?: Invitation['state'] | undefined; owner?: string | undefined },
): Promise<Page<Invitation>> {
  const after = decodeCursor(query.cursor, ByTimeAndCode);
  let chosen = selectInvitations(db).where(inScope(viewer, sql`i.created_by`));
  if (query.state) chosen = chosen.where(sql<boolean>`${state} = ${query.state}`);
  if (query.owner) chosen = chosen.where('i.created_by', '=', query.owner);
  const rows = await chosen
    .where(after ? sql<boolean>`(i.created_at, i.code) < (${after[0]}::timestamptz, ${after[1]})` : sql<boolean>`true`)
    .select(timeKey(sql`i.created_at`).as('sortKey'))
    .orderBy('i.created_at', 'desc')
    .orderBy('i.code', 'desc')
    .limit(query.limit + 1)
    .execute();
  const page = toPage(rows, query, (row) => [row.sortKey, row.code]);
  return withTotal(page, query, chosen);
}

export async function createInvitations(
  db: Db,
  viewer: Viewer,
  wanted: { count: number; role: Role; days: number },
): Promise<Invitation[]> {
  const codes = Array.from({ length: wanted.count }, () => newCode(INVITATION_CODE_LENGTH));
  return actingAs(db, viewer, { role: 'leading' }, async (trx) => {
    await trx
      .insertInto('invitations')
      .values(
        codes.map((code) => ({
          code,
          role: wanted.role,
          created_by: viewer.id,
          expires_at: new Date(Date.now() + wanted.days * 86_400_000),
        })),
      )
      .execute();
    await audit(trx, viewer, { action: 'invitations.create', details: { count: wanted.count, role: wanted.role } });
    return selectInvitations(trx).where('i.code', 'in', codes).orderBy('i.code').execute();
  });
}

export const revokeInvitation = (db: Db, viewer: Viewer, code: string): Promise<void> =>
  actingAs(db, viewer, { role: 'leading' }, async (trx, actor) => {
    const { numUpdatedRows } = await trx
      .updateTable('invitations as i')
      .set({ revoked_at: new Date() })
      .where('i.code', '=', code.toUpperCase())
      .where('i.used_at', 'is', null)
      .where('i.revoked_at', 'is', null)
      .where(inScope(actor, sql`i.created_by`))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new AppError('NOT_FOUND');
    await audit(trx, viewer, { action: 'invitations.revoke', target: code });
  });

/** The maker of a usable code, held until the transaction ends; throws `INVALID_INVITATION` for any other. */
async function makerOf(trx: Db, code: string): Promise<UserRef> {
  const row = await selectInvitations(trx).where('i.code', '=', code.toUpperCase()).executeTakeFirst();
  const isUsable = row?.state === 'unused' && (await findActor(trx, row.createdBy.id, { role: 'leading' }));
  if (!isUsable) throw new AppError('INVALID_INVITATION');
  return row.createdBy;
}

/**
 * The superior of a user that registers with this code. Throws if the code is unknown, used, revoked or expired, or if its
 * creator may no longer invite.
 */
export const findInvitation = (db: Db, code: string): Promise<UserRef> =>
  db.transaction().execute((trx) => makerOf(trx, code));

/** Takes a code for good; of several at the same instant exactly one gets it. */
export async function useInvitation(trx: Db, code: string): Promise<{ code: string; role: Role; created_by: string }> {
  await makerOf(trx, code);
  const taken = await trx
    .updateTable('invitations')
    .set({ used_at: new Date() })
    .where('code', '=', code.toUpperCase())
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['code', 'role', 'created_by'])
    .executeTakeFirst();
  if (!taken) throw new AppError('INVALID_INVITATION');
  return taken;
}

/** Creates the account of a person that registers; `code` is the invitation used. */
export async function registerUser(
  trx: Db,
  body: Pick<SelfRegisterBody, 'username' | 'password' | 'confirm'>,
  place: { role: Role; superiorId: string; code?: string },
): Promise<User> {
  const id = uuidv7();
  const user = await createAccount(trx, { id, ...body, role: place.role, superiorId: place.superiorId });
  if (place.code) await trx.updateTable('invitations').set({ used_by: id }).where('code', '=', place.code).execute();
  await audit(trx, { id }, { action: 'users.register', targetId: id, target: user.username });
  return user;
}

/**
 * All unused codes in scope as a spreadsheet.
 * @throws {AppError} `EXPORT_TOO_LARGE`
 */
export async function exportInvitations(
  { db, sandbox }: Pick<Deps, 'db' | 'sandbox'>,
  viewer: Viewer,
  { timeZone, messages }: { timeZone: string; messages: Messages },
): Promise<Buffer> {
  const rows = await actingAs(db, viewer, { role: 'leading' }, (trx, actor) =>
    selectInvitations(trx)
      .where(inScope(actor, sql`i.created_by`))
      .where(sql<boolean>`${state} = 'unused'`)
      .orderBy('i.created_at', 'desc')
      .limit(EXPORT_MAX_ROWS + 1)
      .execute(),
  );
  if (rows.length > EXPORT_MAX_ROWS) throw new AppError('EXPORT_TOO_LARGE', { max: EXPORT_MAX_ROWS });
  const { title, code, role, createdBy, createdAt, expiresAt, ...roles } = messages.invitations;
  const heads = [code, role, createdBy, `${createdAt} (${timeZone})`, `${expiresAt} (${timeZone})`];
  // ISO 8601 without its letters, which is how Swedish writes times.
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const local = (time: string) => ({ at: clock.format(new Date(time)) });
  const cells = rows.map((row) => [
    ...[row.code, roles[row.role], row.createdBy.username],
    ...[local(row.createdAt), local(row.expiresAt)],
  ]);
  return writeXls(sandbox, sheetsOf(title, heads, cells));
}

/** PNG of a QR code that holds the registration address of one code in scope. */
export async function invitationQr(deps: Deps, viewer: Viewer, code: string, request: FastifyRequest): Promise<Buffer> {
  const row = await selectInvitations(deps.db)
    .where('i.code', '=', code.toUpperCase())
    .where(inScope(viewer, sql`i.created_by`))
    .executeTakeFirst();
  if (!row) throw new AppError('NOT_FOUND');
  const { toBuffer } = await import('qrcode');
  return toBuffer(`${webAddress(deps.config, request)}/register/${row.code}`, { width: 480, margin: 2 });
}
