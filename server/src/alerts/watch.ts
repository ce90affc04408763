import './alerts.tables.ts';
import { AlertWay } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { areBack, matches } from '../devices/devices.service.ts';
import { defaultHours } from '../devices/hours.service.ts';
import { readDeviceSets } from '../groups/groups.service.ts';
import { covers } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { oneOf } from '../platform/database/prepared.ts';
import { addJob } from '../platform/jobs/jobs.ts';
import type { Occasion } from './alerts.tables.ts';
import { workedMinutes } from './working-time.ts';

/** Since when a device `d` is silent, if it is offline. One that never connected is silent since it was paired. */
export const silentSince = sql`coalesce(d.last_seen_at, d.paired_at)`;

/**
 * SQL condition on a device `d` for an occasion, with the alert settings `a` of the recipient. `c`: since when the device
 * has worked for long enough, if it has working hours; only these count.
 */
const OCCASIONS: Record<Occasion, { holds: RawBuilder<unknown>; over: RawBuilder<unknown> }> = {
  offline: {
    holds: sql`a.offline_minutes is not null and not d.online and not d.expired and ${areBack}
      -- Hours that changed since they were read are judged the next time.
      and (c.since is not null or c.owner_id is null and d.working_hours is null and ${defaultHours} is null)
      and (${silentSince} < coalesce(c.since, now() - make_interval(mins => a.offline_minutes))
        -- The clock was taken back since: nobody knows how long it has been.
        or ${silentSince} > now() + make_interval(mins => a.offline_minutes))`,
    over: sql`a.offline_minutes is null or d.online or d.expired`,
  },
  expiring: {
    holds: sql`a.expiring_days is not null and d.expires_at > now()
      and d.expires_at < now() + make_interval(hours => a.expiring_days * 24)`,
    over: sql`a.expiring_days is null or d.expires_at is null
      or d.expires_at >= now() + make_interval(hours => a.expiring_days * 24)`,
  },
};

/** The condition that a message about a device `d` (`devices_now`) still applies, for a person with the alert settings `a`. */
export function stillHolds(occasion: DueDevices['occasion']): RawBuilder<boolean> {
  switch (occasion) {
    case 'replaced':
      return sql<boolean>`true`;
    case 'offline':
      return sql<boolean>`(${OCCASIONS.offline.over}) is not true`;
    case 'expiring':
      // One that has expired by now expires no more.
      return sql<boolean>`((${OCCASIONS.expiring.over}) is not true and d.expires_at > now())`;
  }
}

/** The condition that alerts `a` are about a device `d` (`devices_now`), as far as their group decides: one that is gone has none. */
export async function isWatched(db: Db): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ id: string }>`
    select distinct group_id as id from alerts where group_id is not null`.execute(db);
  const sets = await readDeviceSets(
    db,
    rows.map(({ id }) => id),
  );
  const groups = [...sets].map(
    ([id, { owner, filter }]) => sql`when a.group_id = ${id}::uuid then ${matches(owner, filter)}`,
  );
  return sql<boolean>`(case when a.group_id is null then true ${sql.join(groups, sql` `)} else false end)`;
}

/**
 * `id`: the same at each try; messages that an earlier version queued have none. `until`: a message that did not arrive at all tries
 * of a job is sent later, and given up then.
 */
const Sent = { id: z.uuid().default(() => uuidv7()), until: z.iso.datetime().optional() };
/** A message about devices or campaigns to one person by one channel. */
const DueDevices = z.object({
  ...Sent,
  userId: z.uuid(),
  occasion: z.enum(['offline', 'expiring', 'replaced']),
  deviceIds: z.array(z.uuid()),
  way: AlertWay,
});
const DueCampaigns = z.object({
  ...Sent,
  userId: z.uuid(),
  occasion: z.literal('short'),
  campaignIds: z.array(z.uuid()),
  way: AlertWay,
});
export const Due = z.discriminatedUnion('occasion', [DueDevices, DueCampaigns]);
export type DueDevices = z.output<typeof DueDevices>;
export type DueCampaigns = z.output<typeof DueCampaigns>;
export type Due = z.output<typeof Due>;

/** Of messages in their lane: those to a receiver that took none lately come after all others. */
const PRIORITY = { taken: 0, refused: 1 };

/**
 * Has messages sent. A receiver that does not answer takes the time limit of each message, and there may be hundreds on
 * their way to it: those to others do not wait for them.
 */
export async function queueMessages(db: Db, dues: readonly z.input<typeof Due>[], runAt?: Date): Promise<void> {
  if (dues.length === 0) return;
  const userIds = dues.map(({ userId }) => userId);
  const settings = await db
    .selectFrom('alerts')
    .select(['user_id', 'email_trouble', 'webhook_trouble'])
    .where(oneOf(sql`user_id`, userIds))
    .execute();
  const byUser = new Map(settings.map((setting) => [setting.user_id, setting]));
  for (const due of dues) {
    const isRefused = (byUser.get(due.userId)?.[`${due.way}_trouble`] ?? null) !== null;
    const priority = isRefused ? PRIORITY.refused : PRIORITY.taken;
    await addJob(db, 'alerts_send', Due.parse(due), { priority, ...(runAt && { runAt }) });
  }
}

/** One message by each way. */
export const byEachWay = <D extends object>(due: D): (D & { way: AlertWay })[] =>
  AlertWay.options.map((way) => ({ ...due, way }));

/** Whether alerts `a` of a user `u` reach anybody now. */
export const isReached = sql<boolean>`(not u.disabled
  and (coalesce(a.email = a.email_confirmed, false) or a.webhook is not null))`;

/**
 * Forgets the alerts (rows `t`) of devices whose occasion is over, so that the next occasion causes one again, and all of
 * them while no message reaches their people: a message that was still on its way is lost.
 */
export const forgetOver = (trx: Db, occasion: Occasion, among = sql<boolean>`true`): Promise<unknown> =>
  sql`
    delete from alerts_told t using alerts a, users u, devices_now d
    where t.occasion = ${occasion} and a.user_id = t.user_id and u.id = t.user_id and d.id = t.device_id and ${among}
      and (not ${isReached} or (${OCCASIONS[occasion].over}) or not ${covers(sql`t.user_id`, sql`d.owner_id`)})`.execute(
    trx,
  );

/**
 * Finds devices whose users have not been alerted yet: one message for each person and occasion,
 * for any number of devices. The jobs and the note of the alert are committed together.
 */
export async function watch(db: Db): Promise<void> {
  const worked = await workedMinutes(db);
  const watched = await isWatched(db);
  for (const occasion of ['offline', 'expiring'] as const) {
    const { holds } = OCCASIONS[occasion];
    await db.transaction().execute(async (trx) => {
      await forgetOver(trx, occasion);
      const { rows } = await sql<Omit<DueDevices, 'id' | 'way'>>`
        with due as (
          insert into alerts_told (user_id, device_id, occasion)
          select a.user_id, d.id, ${occasion}::text
          from alerts a
          join users u on u.id = a.user_id
          join user_scopes s on s.ancestor_id = a.user_id and (u.role = 'leading' or s.user_id = a.user_id)
          join devices_now d on d.owner_id = s.user_id and d.paired_at is not null
          left join ${worked} on c.owner_id = d.owner_id and c.time_zone = d.time_zone
            and c.own is not distinct from md5(d.working_hours::text) and c.minutes = a.offline_minutes
          where ${isReached} and ${holds} and ${watched}
            and not exists (
              select from alerts_told t
              where t.user_id = a.user_id and t.device_id = d.id and t.occasion = ${occasion})
          on conflict do nothing
          returning user_id, device_id
        )
        select user_id as "userId", ${occasion} as occasion, array_agg(device_id) as "deviceIds"
        from due group by user_id`.execute(trx);
      await queueMessages(trx, rows.flatMap(byEachWay));
    });
  }
}

/** Tells a user, by each way that is set, that a device was paired in place of another one with its MAC. */
export async function announceReplaced(trx: Db, userId: string, deviceId: string): Promise<void> {
  const watched = await isWatched(trx);
  const setting = await trx
    .selectFrom('alerts as a')
    .innerJoin('devices_now as d', (join) => join.on('d.id', '=', deviceId))
    .select(['a.email', 'a.webhook'])
    .where('a.user_id', '=', userId)
    .where(watched)
    .executeTakeFirst();
  const dues = byEachWay({ userId, occasion: 'replaced' as const, deviceIds: [deviceId] });
  await queueMessages(
    trx,
    dues.filter(({ way }) => setting?.[way]),
  );
}
