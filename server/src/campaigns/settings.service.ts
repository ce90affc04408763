import './campaigns.tables.ts';
import type { CampaignSettings } from '@ams/contract';
import { sql } from 'kysely';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';

type Terms = Partial<Pick<CampaignSettings, 'sellable' | 'silentHours'>>;

/** What holds for campaigns on devices of a leading user and of users below. */
export async function getCampaignSettings(db: Db, { id }: Pick<Viewer, 'id'>): Promise<CampaignSettings> {
  const { rows } = await sql<CampaignSettings>`
    select t.sellable, sellable_share(u.id) as "inForce", t.silent_hours as "silentHours",
      silent_hours(u.id) as "silentHoursInForce"
    from (select ${id}::uuid as id) u left join campaign_terms t on t.user_id = u.id`.execute(db);
  const [settings] = rows;
  if (!settings) throw new Error('the settings query answers one row');
  return settings;
}

/** Changes the viewer's own terms; null: those of the user above, left out: unchanged. What is booked stays booked. */
export const updateCampaignSettings = (db: Db, viewer: Viewer, terms: Terms): Promise<CampaignSettings> =>
  actingAs(db, viewer, { role: 'leading' }, async (trx, actor) => {
    const set = {
      ...(terms.sellable !== undefined && { sellable: terms.sellable }),
      ...(terms.silentHours !== undefined && { silent_hours: terms.silentHours }),
    };
    await trx
      .insertInto('campaign_terms')
      .values({ user_id: actor.id, sellable: null, silent_hours: null, ...set })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: actor.id, ...set }))
      .execute();
    await audit(trx, actor, { action: 'campaigns.settings', details: { ...terms } });
    return getCampaignSettings(trx, actor);
  });
