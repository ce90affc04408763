import { AppError, type LoginChallenge, type LoginCodeBody, type User } from '@ams/contract';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidField } from '../platform/http/errors.ts';
import { publish } from '../platform/events/events.ts';
import { changeable, getUser, requireAbove, updateCredentials } from '../users/users.service.ts';
import { endChallenges, isOpen, makeChallenge, tryChallenge } from './challenges.service.ts';
import { type CodeSender, type HeldAccount, holdAccount, makeRecoveryCodes, stepOf, takeCode } from './codes.ts';
import { demandOn } from './demands.ts';
import { checkOwnPassword, forgetOwnTries } from './own-password.service.ts';
import { forgetBrowsers } from './known-browsers.service.ts';
import { endSessions } from './session.service.ts';

const ISSUER = 'Advertising Management System';

/** Proof of identity required to set up or remove a second factor. */
interface Proof {
  password: string;
  code?: string | undefined;
}

type Account = Pick<HeldAccount, 'id' | 'username' | 'secret'>;
type Owned = Pick<HeldAccount, 'id' | 'accountId' | 'username'>;

/** The challenge required after the password, or undefined. The transaction locks the account's row. */
export async function challengeOfLogin(trx: Db, deps: Deps, account: Account): Promise<LoginChallenge | undefined> {
  if (account.secret !== null) {
    return { token: await makeChallenge(trx, deps, { userId: account.id, secret: null }), setup: null };
  }
  const { isDemanded } = await demandOn(trx, account.id);
  return isDemanded ? beginSetup(trx, deps, account) : undefined;
}

/** A new secret for an authenticator app, which counts once a code of it was given: for a login, or in a session. */
async function beginSetup(
  trx: Db,
  deps: Deps,
  { id, username }: Pick<Account, 'id' | 'username'>,
  session?: Buffer,
): Promise<LoginChallenge> {
  // Loaded when needed, as they take memory.
  const [{ generateSecret, generateURI }, { toDataURL }] = await Promise.all([import('otplib'), import('qrcode')]);
  const secret = generateSecret();
  const token = await makeChallenge(trx, deps, { userId: id, secret, ...(session && { session }) });
  const qr = await toDataURL(generateURI({ issuer: ISSUER, label: username, secret }), { margin: 2, scale: 6 });
  return { token, setup: { secret, qr } };
}

/** Makes a secret the account's own, by a first code of it; ends every challenge. */
export async function turnOn(
  trx: Db,
  { id, accountId, username }: Owned,
  secret: string,
  code: string,
): Promise<string[]> {
  const step = await stepOf(secret, code.replace(/\s/g, ''), 0);
  if (step === undefined) throw new AppError('BAD_CODE');
  await updateCredentials(trx, id, { totp_secret: secret, totp_step: step, code_failures: 0 });
  await endChallenges(trx, id);
  const target = { targetId: id, target: username };
  await audit(trx, { id: accountId, person: { id } }, { action: 'users.secondFactorOn', ...target });
  return makeRecoveryCodes(trx, id);
}

/** Does something in one transaction with a held account, whose code is taken first where the second factor is on. */
async function actWithCode<T>(
  db: Db,
  viewer: Viewer,
  { code, sender }: { code: string | undefined; sender: CodeSender },
  act: (trx: Db, account: HeldAccount) => Promise<T>,
): Promise<T> {
  const outcome = await db.transaction().execute(async (trx) => {
    const account = await holdAccount(trx, viewer.person.id);
    if (!account) throw new AppError('UNAUTHENTICATED');
    if (account.secret !== null) {
      if (code === undefined) throw invalidField('code', 'code.required');
      const refused = await takeCode(trx, account, code, sender);
      if (refused) return { refused };
    }
    return { done: await act(trx, account) };
  });
  if (outcome.refused) throw outcome.refused;
  return outcome.done;
}

/**
 * Does what needs a code of the viewer's second factor where that is on. Wrong codes count like those of a sign-in.
 * @throws `BAD_CODE`, `TOO_MANY`
 */
export const withCode = <T>(
  db: Db,
  viewer: Viewer,
  code: string | undefined,
  act: (trx: Db) => Promise<T>,
): Promise<T> => actWithCode(db, viewer, { code, sender: { kind: 'stranger' } }, act);

/**
 * Does what needs the viewer's password and, where the second factor is on, a code of it: a session alone may be stolen.
 * @throws `WRONG_PASSWORD`, `BAD_CODE`, `TOO_MANY`
 */
async function proven<T>(
  db: Db,
  viewer: Viewer,
  { password, code }: Proof,
  act: (trx: Db, account: HeldAccount) => Promise<T>,
): Promise<T> {
  const passwordHash = await checkOwnPassword(db, viewer, password);
  return actWithCode(db, viewer, { code, sender: { kind: 'session' } }, async (trx, account) => {
    if (account.passwordHash !== passwordHash) throw new AppError('UNAUTHENTICATED');
    await forgetOwnTries(trx, viewer);
    return act(trx, account);
  });
}

/** Starts to set up or replace the viewer's second factor. */
export const beginSecondFactor = (deps: Deps, viewer: Viewer, proof: Proof): Promise<LoginChallenge> =>
  proven(deps.db, viewer, proof, (trx, account) => beginSetup(trx, deps, account, viewer.tokenHash));

/** Turns the viewer's second factor on by a first code; the other sessions end. */
export async function confirmSecondFactor(
  deps: Deps,
  viewer: Viewer,
  { challenge, code }: LoginCodeBody,
): Promise<{ recoveryCodes: string[] }> {
  const open = await tryChallenge(deps, challenge, viewer.tokenHash);
  return deps.db.transaction().execute(async (trx) => {
    const account = await holdAccount(trx, viewer.person.id);
    if (!account || open.secret === null || !(await isOpen(trx, open))) throw new AppError('CHALLENGE_OVER');
    const recoveryCodes = await turnOn(trx, account, open.secret, code);
    await endSessions(trx, viewer.person.id, viewer.tokenHash);
    await publish(trx, { topic: 'users', ids: [viewer.person.id] });
    return { recoveryCodes };
  });
}

/** Turns the viewer's second factor off, unless somebody above demands one. */
export async function endSecondFactor(db: Db, viewer: Viewer, proof: Proof): Promise<void> {
  const { isDemanded } = await demandOn(db, viewer.person.id);
  if (isDemanded) throw new AppError('SECOND_FACTOR_DEMANDED');
  await proven(db, viewer, proof, async (trx) => {
    const { id, username } = viewer.person;
    await removeSecondFactor(trx, id);
    await audit(trx, viewer, { action: 'users.secondFactorOff', targetId: id, target: username });
  });
}

/** The password alone is enough again. */
async function removeSecondFactor(trx: Db, userId: string): Promise<void> {
  await updateCredentials(trx, userId, { totp_secret: null, totp_step: 0, code_failures: 0 });
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await endChallenges(trx, userId);
}

/** Removes the second factor of a user below that lost it, and ends that user's sessions. */
export async function resetSecondFactor(db: Db, viewer: Viewer, id: string): Promise<User> {
  const { username } = await changeable(db, viewer, id);
  return db.transaction().execute(async (trx) => {
    await requireAbove(trx, viewer, id);
    await removeSecondFactor(trx, id);
    await endSessions(trx, id);
    await forgetBrowsers(trx, id);
    await audit(trx, viewer, { action: 'users.resetSecondFactor', targetId: id, target: username });
    await publish(trx, { topic: 'users', ids: [id] });
    return getUser(trx, viewer, id);
  });
}
