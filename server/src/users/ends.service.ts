import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { endColleagueInvitations } from './colleague-invitations.queries.ts';
import type { Loss, UserLinks } from './links.ts';

/**
 * Ends the unfinished work of a user: unused invitations, and the work of other features on its behalf. Other
 * delayed effects call `requireActor` when they take effect. The account is locked already.
 */
export async function endAuthority(trx: Db, links: UserLinks, viewer: Viewer, id: string, loss: Loss): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ revoked_at: new Date() })
    .where('created_by', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  if (loss !== 'demoted') await endColleagueInvitations(trx, id);
  await links.authorityEnded(trx, viewer, id, loss);
}
