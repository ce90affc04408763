import type { PauseReason } from '@ams/contract';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { pauseRolloutsOf } from '../releases/rollout.service.ts';
import { endSessions } from '../session/session.service.ts';
import { cleanUploadsSoon } from '../uploads/uploads.tasks.ts';

/** How a user loses the right to act. */
type Loss = 'disabled' | 'demoted' | 'deleted';

const PAUSE_REASONS: Record<Loss, PauseReason> = {
  disabled: 'operatorDisabled',
  demoted: 'operatorDemoted',
  deleted: 'operatorDeleted',
};

/**
 * Ends what a user has begun and is not done: invitation codes that nobody used die, rollouts pause and say why, and
 * somebody who may not sign in any more is out. Whatever else takes effect later asks `requireActor` when it does.
 * The account is locked already.
 */
export async function endAuthority(trx: Db, viewer: Viewer, id: string, loss: Loss): Promise<void> {
  if (loss !== 'demoted') await endSessions(trx, id);
  await trx
    .updateTable('invitations')
    .set({ revoked_at: new Date() })
    .where('created_by', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  // Bytes that nobody can complete any more.
  if (loss === 'deleted') await cleanUploadsSoon(trx);
  await pauseRolloutsOf(trx, viewer, id, PAUSE_REASONS[loss]);
}
