import './session.tables.ts';
import { AppError, LOGIN_LOCK_MINUTES, SESSION_DAYS, type UserRef } from '@ams/contract';
import { sql } from 'kysely';
import { hashToken, type IssuedToken, newToken, personOf, type Viewer } from '../platform/auth/auth.ts';
import { type Db, userRef } from '../platform/database/database.ts';
import type { Signer } from '../platform/auth/signing.ts';
import { compiledForms } from '../platform/database/forms.ts';
import { inBatches } from '../platform/database/loader.ts';
import { publish } from '../platform/events/events.ts';
import { prepared } from '../platform/database/prepared.ts';
import { holdColleagues } from '../users/colleagues.service.ts';
import { endChallenges } from './challenges.service.ts';
import { demandOn } from './demands.ts';

const SESSION_SECONDS = SESSION_DAYS * 86_400;
const OLD_TOKEN_SECONDS = 60;

/** Begins a session of seven days. */
export async function startSession(db: Db, personId: string, token = newToken()): Promise<IssuedToken> {
  await db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: personId,
      expires_at: new Date(Date.now() + SESSION_SECONDS * 1000),
    })
    .modifyEnd(prepared)
    .execute();
  return { token, expiresInSeconds: SESSION_SECONDS };
}

const selectSessions = (db: Db, tokenHashes: readonly Buffer[]) =>
  db
    .selectFrom('sessions as s')
    .innerJoin('users as p', 'p.id', 's.user_id')
    .innerJoin('users as x', (join) => join.on('x.id', '=', sql<string>`coalesce(p.colleague_of, p.id)`))
    .select(['p.id as personId', 'p.username as personUsername', 'p.name', 'p.access'])
    .select(['s.token_hash', 'x.id', 'x.username', 'x.phone', 'x.role', 's.expires_at', 's.renewed'])
    .select(userRef<UserRef | null>(sql`x.superior_id`).as('superior'))
    .where('s.expires_at', '>', sql<Date>`now()`)
    .where('x.disabled', '=', false)
    .where('p.disabled', '=', false)
    // Planned once, whatever the number of tokens is; `any($1)` is planned each time.
    .where('s.token_hash', '=', sql<Buffer>`any(array(select unnest(${tokenHashes}::bytea[])))`)
    .modifyEnd(prepared);

const runSessions = compiledForms();

type SessionRow = Awaited<ReturnType<ReturnType<typeof selectSessions>['execute']>>[number];

/** The session of a token's hash. Throws `UNAUTHENTICATED`. */
export type Sessions = (tokenHash: Buffer) => Promise<SessionRow>;

const BATCHES = { atOnce: 2, size: 500 };

/**
 * Requests that come while two look-ups are under way are looked up together by the next one. Nothing is kept: whoever was
 * logged out is out with the next request.
 */
export const sessionsIn = (db: Db): Sessions =>
  inBatches<Buffer, SessionRow>(async (tokenHashes) => {
    const rows = await runSessions(db, '', { tokenHashes }, (slots) => selectSessions(db, slots.tokenHashes));
    const found = new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
    return tokenHashes.map((tokenHash) => found.get(tokenHash.toString('hex')) ?? new AppError('UNAUTHENTICATED'));
  }, BATCHES);

/**
 * The token that a renewal replaces another one with. It is derived, so that a call whose answer was lost gets the same one
 * when it is repeated; only somebody who has the old token and the key of the installation can compute it.
 */
const successorOf = (signer: Signer, token: string): string =>
  signer.mac('session', Buffer.from(token)).toString('base64url');

/**
 * The user of a token. A session with less than half its time left is renewed on the way, and the call continues with the
 * new token: what it ends or keeps is that session. So does every call that still brings the old token. That of somebody
 * who lacks a second factor that is demanded is not renewed: it ends, and the next log-in asks for one. `admit` throws for
 * people whose call is refused: the answer could not bring them a new token.
 */
export async function resumeSession(
  { db, signer }: { db: Db; signer: Signer },
  sessions: Sessions,
  token: string,
  admit: (viewer: Viewer) => void,
): Promise<{ viewer: Viewer; renewed: IssuedToken | undefined }> {
  const tokenHash = hashToken(token);
  const row = await sessions(tokenHash);
  const viewer: Viewer = {
    kind: 'user',
    id: row.id,
    username: row.username,
    phone: row.phone,
    role: row.role,
    superior: row.superior,
    person: personOf({ ...row, id: row.personId, username: row.personUsername }),
    tokenHash,
  };
  admit(viewer);
  const isDue = row.expires_at.getTime() - Date.now() < (SESSION_SECONDS * 1000) / 2;
  if (!row.renewed && (!isDue || (await demandOn(db, viewer.person.id)).isLacking)) {
    return { viewer, renewed: undefined };
  }
  const successor = successorOf(signer, token);
  if (!row.renewed) await renewSession(db, viewer, successor);
  // Where the new session has ended, the old token is worth nothing either.
  const renewed = await sessions(hashToken(successor));
  const expiresInSeconds = Math.round((renewed.expires_at.getTime() - Date.now()) / 1000);
  return { viewer: { ...viewer, tokenHash: renewed.token_hash }, renewed: { token: successor, expiresInSeconds } };
}

/**
 * Begins the session of the new token; the old one serves calls under way a little longer. Only one of several calls at
 * once does so. The person's row is held, so that a session that is ended meanwhile is not renewed, or ends with its new
 * token.
 */
async function renewSession(db: Db, viewer: Viewer, successor: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select from users where id = ${viewer.person.id} for share`.execute(trx);
    const { numUpdatedRows } = await trx
      .updateTable('sessions')
      .set({
        renewed: true,
        expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${OLD_TOKEN_SECONDS}))`,
      })
      .where('token_hash', '=', viewer.tokenHash)
      .where('renewed', '=', false)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    await startSession(trx, viewer.person.id, successor);
    // A set-up in progress continues with the new token.
    await trx
      .updateTable('challenges')
      .set({ session_hash: hashToken(successor) })
      .where('session_hash', '=', viewer.tokenHash)
      .execute();
  });
}

/**
 * Ends the viewer's session, and what is open by it: streams of the same person that have a session come back. `token` is
 * that of the call, which may have been renewed on the way.
 */
export async function endSession(db: Db, viewer: Viewer, token: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom('sessions')
      .where('token_hash', 'in', [viewer.tokenHash, hashToken(token)])
      .execute();
    await endChallenges(trx, viewer.person.id);
    await publish(trx, { topic: 'users', ids: [viewer.person.id] });
  });
}

/** Ends all sessions of a person but one that may be kept, and every challenge. The person's row was changed before. */
export async function endSessions(trx: Db, personId: string, except?: Buffer): Promise<void> {
  let ended = trx.deleteFrom('sessions').where('user_id', '=', personId);
  if (except) ended = ended.where('token_hash', '!=', except);
  await ended.execute();
  await endChallenges(trx, personId);
}

/** Ends all sessions of an account: those of its holder and of its colleagues. The account's row was changed before. */
export async function endAccountSessions(trx: Db, accountId: string): Promise<void> {
  await endSessions(trx, accountId);
  for (const id of await holdColleagues(trx, accountId)) await endSessions(trx, id);
}

/** Removes what has run out: sessions, verification codes, old failures. */
export async function cleanSessions(db: Db): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(db);
  await sql`delete from captchas where expires_at < now()`.execute(db);
  await sql`delete from login_failures where last_at < now() - make_interval(mins => ${LOGIN_LOCK_MINUTES})`.execute(
    db,
  );
}
