import { AppError, type LoginBody, type LoginChallenge, type User } from '@ams/contract';
import type { IssuedToken, Person } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { OneByOne } from '../platform/limits/one-by-one.ts';
import { recordLogin } from '../users/users.service.ts';
import { endChallenge, isOpen, tryChallenge } from './challenges.service.ts';
import { type HeldAccount, holdAccount, senderOf, takeCode } from './codes.ts';
import { rememberBrowser } from './known-browsers.service.ts';
import { type Attempted, countFailure, forgetFailures, lookUp, refuseLocked } from './locks.ts';
import { verifyPassword } from '../platform/auth/passwords.ts';
import { challengeOfLogin, turnOn } from './second-factor.service.ts';
import { startSession } from './session.service.ts';

/** A session, and the token that makes the browser a known one. */
export interface SignedIn {
  /** The account, and the person who acts for it. */
  user: User;
  person: Person;
  issued: IssuedToken;
  browser: string;
}

export type LoginOutcome = { signedIn: SignedIn } | { challenge: LoginChallenge };

/** Refusals that were counted are committed before they are thrown. */
interface Refused {
  refused: AppError;
}

function accepted<T extends object>(outcome: T | Refused): T {
  if ('refused' in outcome) throw outcome.refused;
  return outcome;
}

/** Begins a session in the transaction that holds the person's row. */
async function admit(trx: Db, personId: string, browser: string | undefined): Promise<SignedIn> {
  const signedIn = await recordLogin(trx, personId);
  const issued = await startSession(trx, personId);
  return { ...signedIn, issued, browser: await rememberBrowser(trx, personId, browser) };
}

/** A session for an account that has just been made or whose password was right, or what else is asked of it. */
export async function admitOrChallenge(
  trx: Db,
  deps: Deps,
  account: Pick<HeldAccount, 'id' | 'username' | 'secret'>,
  browser: string | undefined,
): Promise<LoginOutcome> {
  const challenge = await challengeOfLogin(trx, deps, account);
  return challenge ? { challenge } : { signedIn: await admit(trx, account.id, browser) };
}

const forbidden = ({ remark }: HeldAccount): AppError => new AppError('FORBIDDEN_USER', { remark: remark ?? '' });

/** Signing in by name and password, and by a code where one is asked for. */
export class Logins {
  readonly #deps: Deps;
  /** Tries of one name follow each other, so that the lock holds for tries at once. */
  readonly #tries = new OneByOne();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Five wrong passwords lock the name for a quarter of an hour. A browser that was signed in with before has its own
   * five, and a right code of the second factor besides the right password opens a locked name.
   * @throws `TOO_MANY`, `BAD_CREDENTIALS`, `FORBIDDEN_USER`, `BAD_CODE`
   */
  logIn({ username, password, code }: LoginBody, browser: string | undefined): Promise<LoginOutcome> {
    const key = username.toLowerCase();
    return this.#tries.take(key, async () => {
      const attempted = await lookUp(this.#deps.db, key, browser);
      const isLocked = attempted.lockedSeconds > 0;
      if (code === undefined) refuseLocked(attempted);
      const { id } = attempted;
      if (!(await verifyPassword(attempted.passwordHash, password)) || id === undefined) {
        refuseLocked(attempted);
        await countFailure(this.#deps.db, attempted);
        throw new AppError('BAD_CREDENTIALS');
      }
      if (!isLocked && !attempted.known && attempted.failures > 0) await forgetFailures(this.#deps.db, attempted);
      return this.#enter({ ...attempted, id }, { code, browser });
    });
  }

  async #enter(
    attempted: Attempted & { id: string },
    { code, browser }: { code: string | undefined; browser: string | undefined },
  ): Promise<LoginOutcome> {
    const { id, passwordHash } = attempted;
    const outcome = await this.#deps.db.transaction().execute(async (trx): Promise<LoginOutcome | Refused> => {
      const account = await holdAccount(trx, id);
      // Deleted, or given another password, since it was checked.
      if (!account || account.passwordHash !== passwordHash) return { refused: new AppError('BAD_CREDENTIALS') };
      if (account.disabled) return { refused: forbidden(account) };
      if (code !== undefined && account.secret !== null) {
        const refused = await takeCode(trx, account, code, await senderOf(trx, id, browser));
        return refused ? { refused } : { signedIn: await admit(trx, id, browser) };
      }
      refuseLocked(attempted);
      return admitOrChallenge(trx, this.#deps, account, browser);
    });
    // While the name is locked, every answer is the lock unless password and code are both right.
    if ('refused' in outcome) refuseLocked(attempted);
    return accepted(outcome);
  }

  /**
   * Answers the challenge of a login with a code; the recovery codes when that set the second factor up.
   * @throws `CHALLENGE_OVER`, `BAD_CODE`, `TOO_MANY`, `FORBIDDEN_USER`, `BAD_CREDENTIALS`
   */
  async answer(
    body: { challenge: string; code: string },
    browser: string | undefined,
  ): Promise<SignedIn & { recoveryCodes: string[] | null }> {
    const open = await tryChallenge(this.#deps, body.challenge);
    const outcome = await this.#deps.db.transaction().execute(async (trx) => {
      const account = await holdAccount(trx, open.userId);
      if (!account) return { refused: new AppError('BAD_CREDENTIALS') };
      if (account.disabled) return { refused: forbidden(account) };
      if (!(await isOpen(trx, open))) return { refused: new AppError('CHALLENGE_OVER') };
      const { secret } = open;
      // Set up, or taken away, by somebody else meanwhile.
      if ((secret === null) !== (account.secret !== null)) return { refused: new AppError('CHALLENGE_OVER') };
      let recoveryCodes: string[] | null = null;
      if (secret === null) {
        const refused = await takeCode(trx, account, body.code, await senderOf(trx, account.id, browser));
        if (refused) return { refused };
        await endChallenge(trx, open);
      } else recoveryCodes = await turnOn(trx, account, secret, body.code);
      return { ...(await admit(trx, account.id, browser)), recoveryCodes };
    });
    return accepted(outcome);
  }
}
