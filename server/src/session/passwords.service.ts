import { AppError, type User } from '@ams/contract';
import { audit } from '../platform/auth/audit.ts';
import { requirePerson, type Viewer } from '../platform/auth/auth.ts';
import { hashPassword } from '../platform/auth/passwords.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { invalidField } from '../platform/http/errors.ts';
import { getUser, requireAbove, updateCredentials } from '../users/users.service.ts';
import { holdAccount } from './codes.ts';
import { forgetBrowsers } from './known-browsers.service.ts';
import { checkOwnPassword, forgetOwnTries } from './own-password.service.ts';
import { endSessions } from './session.service.ts';

/** Refuses somebody who was disabled, or got another password from above, since the own one was checked. */
async function requireSame(trx: Db, id: string, passwordHash: string): Promise<void> {
  const held = await holdAccount(trx, id);
  if (held?.passwordHash !== passwordHash) throw new AppError('UNAUTHENTICATED');
  if (held.disabled) throw new AppError('FORBIDDEN_USER');
}

/**
 * Sets the password of a user, or of the person who is signed in, which needs the current one. The other sessions end, and its browsers are strangers
 * again but the one that changes the own password.
 */
export async function changePassword(
  db: Db,
  viewer: Viewer,
  id: string,
  body: { password: string; confirm: string; current?: string | undefined; browser: string | undefined },
): Promise<User> {
  const own = id === viewer.person.id;
  if (!own) requirePerson(id === viewer.id ? 'holder' : 'operators', viewer.person);
  const user = await getUser(db, viewer, own ? viewer.id : id);
  if (body.confirm !== body.password) throw new AppError('PASSWORD_DIFFERENT');
  if (own && !body.current) throw invalidField('current', 'password.required');
  const checked = own ? await checkOwnPassword(db, viewer, body.current ?? '') : undefined;
  const passwordHash = await hashPassword(body.password);
  return db.transaction().execute(async (trx) => {
    if (checked === undefined) await requireAbove(trx, viewer, id);
    else await requireSame(trx, id, checked);
    await updateCredentials(trx, id, { password_hash: passwordHash });
    await endSessions(trx, id, own ? viewer.tokenHash : undefined);
    await forgetBrowsers(trx, id, own ? body.browser : undefined);
    if (own) await forgetOwnTries(trx, viewer);
    await audit(trx, viewer, {
      action: 'users.password',
      targetId: id,
      target: own ? viewer.person.username : user.username,
    });
    await publish(trx, { topic: 'users', ids: [id] });
    return user;
  });
}
