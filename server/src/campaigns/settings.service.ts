import './campaigns.tables.ts';
import type { CampaignSettings } from '@ams/contract';
import { sql } from 'kysely';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';

/** The share of an hour, in percent, that may be sold on devices of a leading user and of users below. */
export async function getCampaignSettings(db: Db, { id }: Pick<Viewer, 'id'>): Promise<CampaignSettings> {
  const { rows } = await sql<CampaignSettings>`
    select (select t.sellable from campaign_terms t where t.user_id = ${id}) as sellable,
      sellable_share(${id}) as "inForce"`.execute(db);
  return rows[0] ?? { sellable: null, inForce: 0 };
}

/** Changes the viewer's own share; null: that of the user above. What is booked stays booked. */
export const updateCampaignSettings = (db: Db, viewer: Viewer, sellable: number | null): Promise<CampaignSettings> =>
  actingAs(db, viewer, { role: 'leading' }, async (trx, actor) => {
    if (sellable === null) await trx.deleteFrom('campaign_terms').where('user_id', '=', actor.id).execute();
    else {
      await trx
        .insertInto('campaign_terms')
        .values({ user_id: actor.id, sellable })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sellable }))
        .execute();
    }
    await audit(trx, actor, { action: 'campaigns.settings', details: { sellable } });
    return getCampaignSettings(trx, actor);
  });
