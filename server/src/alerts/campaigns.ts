import './alerts.tables.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import type { AlertLinks } from './links.ts';
import { byEachWay, type DueCampaigns, isReached, isWatched, queueMessages } from './watch.ts';

/**
 * Finds campaigns that cannot be delivered in full any more and whose leading users have not been alerted: one message for
 * each person, for any number of campaigns, and another one only after a campaign recovered and failed anew.
 */
export async function watchCampaigns(db: Db, { shortCampaigns, carriersOf }: AlertLinks): Promise<void> {
  const watched = await isWatched(db);
  await db.transaction().execute(async (trx) => {
    await sql`
      delete from alerts_told_campaigns t using alerts a, users u
      where a.user_id = t.user_id and u.id = t.user_id
        and (not ${isReached} or t.campaign_id not in (select c.id from (${shortCampaigns}) c))`.execute(trx);
    const { rows } = await sql<Omit<DueCampaigns, 'id' | 'way'>>`
      with due as (
        insert into alerts_told_campaigns as told (user_id, campaign_id, since)
        select a.user_id, c.id, c.since
        from (${shortCampaigns}) c
          join user_scopes s on s.user_id = c.customer_id
          join alerts a on a.user_id = s.ancestor_id
          join users u on u.id = a.user_id and u.role = 'leading'
        where ${isReached}
          and (a.group_id is null or exists (
            select from devices_now d where d.id in (${carriersOf(sql`c.id`)}) and ${watched}))
        on conflict (user_id, campaign_id) do update set since = excluded.since where told.since <> excluded.since
        returning user_id, campaign_id
      )
      select user_id as "userId", 'short' as occasion, array_agg(campaign_id) as "campaignIds"
      from due group by user_id`.execute(trx);
    await queueMessages(trx, rows.flatMap(byEachWay));
  });
}
