import { AppError, type DefaultContent, type DefaultContentBody } from '@ams/contract';
import { sql } from 'kysely';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs, holdUsers, ownerInScope } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { invalidField } from '../platform/http/errors.ts';
import type { Deps } from '../platform/process/deps.ts';
import { findDefaultContent, lockDefaults, nameDefault } from '../releases/default.service.ts';
import { frozenAd } from './ads.service.ts';

/** The ads that a user in scope named for devices that have nothing else to show. */
export async function getDefaultContent({ db }: Deps, viewer: Viewer, userId: string): Promise<DefaultContent> {
  await ownerInScope(db, viewer, userId);
  return findDefaultContent(db, userId);
}

/** An ad in the scope of the user in whose name it is going to play, and its frozen copy. */
async function frozenFor(
  deps: Deps,
  trx: Db,
  actor: Viewer & Actor,
  userId: string,
  { orientation, adId, updatedAt }: DefaultContentBody & { adId: string },
) {
  const { role } = await trx.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirstOrThrow();
  if (role !== 'leading') throw new AppError('LEADING_ONLY');
  const named = await frozenAd(deps, trx, actor, adId, updatedAt);
  await ownerInScope(trx, { id: userId, role }, named.ad.owner.id);
  if (named.ad.orientation !== orientation) throw invalidField('orientation', 'invalid');
  return named;
}

/** Names the default content of the own devices and those below, or of those at and below a user below. */
export const changeDefaultContent = (
  deps: Deps,
  viewer: Viewer,
  userId: string,
  { adId, ...body }: DefaultContentBody,
): Promise<DefaultContent> =>
  actingAs(deps.db, viewer, { role: 'leading', owners: [userId] }, async (trx, actor) => {
    await holdUsers(trx, sql`select owner_id from ads where id = ${adId}`);
    await lockDefaults(trx, userId, adId);
    const named = adId === null ? null : await frozenFor(deps, trx, actor, userId, { ...body, adId });
    const { orientation } = body;
    if (await nameDefault(trx, actor, userId, orientation, named)) {
      const user = await trx.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirstOrThrow();
      await audit(trx, actor, {
        action: 'ads.defaultContent',
        targetId: userId,
        target: user.username,
        details: { orientation, ad: named?.ad.name ?? null },
      });
    }
    return findDefaultContent(trx, userId);
  });
