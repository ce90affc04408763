import { addDays, flightLeft, flightMinutes, type Schedule } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../../server/src/platform/database/database.ts';
import { AD, rowId } from '../rows.ts';

const MINUTE_MS = 60_000;
export const DAYS = 60;
export const TODAY = new Date().toISOString().slice(0, 10);

/** A campaign that is not booked yet. */
export interface Draft {
  schedule: Schedule;
  devices: readonly string[];
  /** A share, in percent. */
  value: number;
}

/**
 * Campaigns of 1–8 devices next to each other, on random days from `first` on, and hours, with a share of 2–12 percent.
 */
export function draft(ids: readonly string[], random: () => number, first = addDays(TODAY, 1)): Draft {
  const below = (limit: number) => Math.floor(random() * limit);
  const from = addDays(first, below(DAYS / 2));
  const start = below(ids.length);
  const hour = below(20);
  return {
    schedule: {
      from,
      to: addDays(from, below(DAYS / 2)),
      weekdays: random() < 0.5 ? null : [1 + below(7), 1 + below(7)],
      hours:
        random() < 0.5
          ? null
          : [{ from: `${String(hour).padStart(2, '0')}:00`, to: `${hour + 4}`.padStart(2, '0') + ':00' }],
    },
    devices: ids.slice(start, start + 1 + below(8)),
    value: 2 + below(11),
  };
}

/** The campaigns of an earlier run are gone. */
export async function clearCampaigns(db: Db): Promise<void> {
  await sql`delete from releases where campaign_id is not null`.execute(db);
  await sql`delete from campaigns`.execute(db);
}

/** Adds drafts of the first account, each with the ad of `fillAd`. Answers their ids. */
export async function insertDrafts(db: Db, drafts: readonly Draft[]): Promise<string[]> {
  const rows = drafts.map(({ schedule, devices, value }, n) => ({ n: n + 1, schedule, ids: { ids: devices }, value }));
  await sql`
    insert into campaigns (id, name, customer_id, created_by, target_by, orientation, target, schedule, starts_on, ends_on,
      goal_kind, goal_value, price_kind, price_amount, price_currency)
    select ${rowId('0011', 'n')}, 'Campaign ' || n, u.id, u.id, u.id, 'vertical', ids, schedule, (schedule ->> 'from')::date,
      (schedule ->> 'to')::date, 'share', value, 'perPlay', 0.05, 'EUR'
    from users u, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(n int, schedule jsonb, ids jsonb, value numeric)
    where u.superior_id is null`.execute(db);
  const { rows: added } = await sql<{ id: string }>`
    insert into campaign_creatives (campaign_id, position, ad_id, ad_name)
    select id, 0, ${AD}::uuid, 'ad' from campaigns returning campaign_id as id`.execute(db);
  await sql`analyze`.execute(db);
  return added.map(({ id }) => id).toSorted();
}

/**
 * Books all drafts as they are, without asking whether there is room: one release and one pace on each of their devices,
 * which have just been online.
 */
export async function insertBooked(db: Db, drafts: readonly Draft[], everyMs: number, spotMs: number): Promise<void> {
  const ordered = drafts.map(({ schedule, devices }) => {
    const { from, to } = schedule;
    if (!from || !to) return 0;
    const { flight, passed } = flightLeft({ ...schedule, from, to }, Date.now(), 'UTC');
    const minutes = flightMinutes(flight, passed);
    return Math.floor((minutes * MINUTE_MS) / everyMs) * devices.length;
  });
  await sql`
    insert into releases (id, ad_id, ad_name, owner_id, replace, priority, schedule, programme, campaign_id, screen)
    select ${rowId('0012', 'row_number() over (order by c.id)')}, ${AD}::uuid, 'ad', c.customer_id, false, 'normal', c.schedule,
      '{"orientation": "vertical", "split": "full", "playMode": "sequence", "showClock": false, "fit": "contain", "regions": {}}',
      c.id, 'main'
    from campaigns c`.execute(db);
  await sql`
    update campaign_creatives k set release_id = r.id, spot_ms = ${spotMs} from releases r
    where r.campaign_id = k.campaign_id`.execute(db);
  await sql`
    insert into release_devices (release_id, device_id, revision, started_at)
    select r.id, d::uuid, 1, now() from releases r join campaigns c on c.id = r.campaign_id,
      jsonb_array_elements_text(c.target -> 'ids') d`.execute(db);
  await sql`
    insert into campaign_devices (campaign_id, device_id, every_ms, spot_ms)
    select c.id, d::uuid, ${everyMs}, ${spotMs} from campaigns c, jsonb_array_elements_text(c.target -> 'ids') d`.execute(
    db,
  );
  await sql`
    update campaigns c set state = 'booked', decided_at = now(), ordered = o.plays
    from unnest(${ordered}::bigint[]) with ordinality o(plays, n) where c.id = ${rowId('0011', 'o.n::int')}`.execute(
    db,
  );
  await sql`update devices set last_seen_at = now()`.execute(db);
  await sql`vacuum analyze`.execute(db);
}
