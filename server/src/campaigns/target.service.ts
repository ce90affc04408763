import './campaigns.tables.ts';
import { AppError, type DeviceChoice } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { matches, resolveFilter } from '../devices/devices.service.ts';
import { findBookableSet, sideOfGroup } from '../groups/groups.service.ts';
import { covers } from '../platform/auth/authority.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { invalidField } from '../platform/http/errors.ts';
import { requireLasting } from '../releases/standing.service.ts';

/** What a campaign is meant for. `by`: its ids and filters mean devices in the scope of this user. */
export interface Target {
  devices: DeviceChoice;
  by: Scoped;
  customerId: string;
}

/** The devices of a target. `isSeen`: the viewer may know which they are. */
export interface Reached {
  /** A condition on `d` (`devices_now`). */
  chosen: RawBuilder<boolean>;
  isSeen: boolean;
}

/** The devices of a customer carry campaigns of others only as members of a bookable group. */
const isOfOtherCustomer = (customerId: string | RawBuilder<unknown>) => sql<boolean>`exists (
  select from users owner, users customer where owner.id = d.owner_id and customer.id = ${customerId}
    and owner.id <> customer.id and owner.role = 'member' and customer.role = 'member')`;

const both = (by: Scoped, viewer: Scoped): RawBuilder<boolean> =>
  by.id === viewer.id
    ? inScope(viewer, sql`d.owner_id`)
    : sql<boolean>`(${inScope(by, sql`d.owner_id`)} and ${inScope(viewer, sql`d.owner_id`)})`;

/**
 * The devices that a viewer can request or book for a target: a bookable group of a superior is one.
 * @throws `NOT_FOUND` (the group)
 */
export async function reach(db: Db, viewer: Scoped, { devices, by, customerId }: Target): Promise<Reached> {
  const allowed = sql<boolean>`not ${isOfOtherCustomer(customerId)}`;
  if ('ids' in devices) {
    return {
      chosen: sql<boolean>`(d.id = any(${devices.ids}::uuid[]) and ${both(by, viewer)} and ${allowed})`,
      isSeen: true,
    };
  }
  if ('filter' in devices) {
    const filter = await resolveFilter(db, by, devices.filter);
    return { chosen: sql<boolean>`(${matches(by, filter)} and ${both(by, viewer)} and ${allowed})`, isSeen: true };
  }
  const { owner, filter, isMine, bookable } = await findBookableSet(db, viewer, devices.group);
  const inGroup = matches(owner, filter);
  return { chosen: bookable ? inGroup : sql<boolean>`(${inGroup} and ${allowed})`, isSeen: isMine };
}

/** The writer of a target with the scope of now, if the condition on them, `u`, holds: they may have been demoted meanwhile. */
async function findWriter(db: Db, condition: RawBuilder<boolean>): Promise<Scoped | undefined> {
  const { rows } = await sql<Scoped & { isRoot: boolean }>`
    select u.id, u.role, u.superior_id is null as "isRoot" from users u where ${condition}`.execute(db);
  return rows.map(({ id, role, isRoot }): Scoped => ({ id, role, ...(isRoot && { superior: null }) }))[0];
}

/** The target of a campaign. Throws `NOT_FOUND` if nobody has written it any more. */
export async function targetOf(
  db: Db,
  campaign: { target: DeviceChoice; target_by: string | null; customer_id: string },
): Promise<Target> {
  const by = await findWriter(db, sql<boolean>`u.id = ${campaign.target_by}`);
  if (!by) throw new AppError('NOT_FOUND');
  return { devices: campaign.target, by, customerId: campaign.customer_id };
}

/**
 * The writer of these devices of a campaign that a viewer changes: the one before, if the devices are the same, the viewer
 * has that writer in scope, and the writer still has each device that is named by its id. Otherwise it is the viewer.
 */
export async function writerOf<T extends Scoped>(
  db: Db,
  viewer: T,
  campaignId: string,
  devices: DeviceChoice,
): Promise<T | Scoped> {
  const hasLost = sql<boolean>`exists (
    select from jsonb_array_elements_text(c.target -> 'ids') named(id) left join devices d on d.id = named.id::uuid
    where d.id is null or not ${covers(sql`u.id`, sql`d.owner_id`)})`;
  const before = await findWriter(
    db,
    sql<boolean>`${inScope(viewer, sql`u.id`)} and u.id = (
      select c.target_by from campaigns c
      where c.id = ${campaignId} and ${inScope(viewer, sql`c.customer_id`)}
        and c.target = ${JSON.stringify(devices)}::jsonb and not ${hasLost})`,
  );
  return before ?? viewer;
}

/**
 * Whether a viewer can book the target of a campaign `c` (`own`), request it (`above`: a superior has to book it), or neither
 * (null), as once it was booked. Devices that are named are looked up: each may be gone, or have another owner
 * since.
 */
export const sideOfTarget = (viewer: Scoped): RawBuilder<'own' | 'above' | null> => sql`case
  when c.state in ('booked', 'cancelled') then null
  when c.target ? 'group' then ${sideOfGroup(viewer, sql`c.group_id`)}
  when c.target_by is null or c.target -> 'filter' ? 'group' and c.group_id is null then null
  when c.target ? 'filter' then 'own'
  else (
    select case when every(named.mine) then 'own' when bool_or(named.mine) then 'above' end from (
      select d.id is not null as mine from jsonb_array_elements_text(c.target -> 'ids') t(id)
        left join devices d on d.id = t.id::uuid and ${inScope(viewer, sql`d.owner_id`)}
          and ${covers(sql`c.target_by`, sql`d.owner_id`)} and not ${isOfOtherCustomer(sql`c.customer_id`)}) named)
  end`;

/** The group on which a target depends, alone or with further conditions. */
export function groupOf(devices: DeviceChoice): string | undefined {
  if ('group' in devices) return devices.group;
  return 'filter' in devices ? devices.filter.group : undefined;
}

/** Throws `STANDING_FILTER` unless devices join and leave a target by changes of devices alone. */
export async function requireStanding(db: Db, viewer: Scoped, devices: DeviceChoice): Promise<void> {
  const group = groupOf(devices);
  const ofGroup = group === undefined ? {} : (await findBookableSet(db, viewer, group)).filter;
  requireLasting(ofGroup, 'filter' in devices ? devices.filter : {});
}

/**
 * Refuses a target that its writer cannot choose.
 * @throws `NOT_FOUND` (a device or the group), `STANDING_FILTER`, `INVALID` (devices of other customers)
 */
export async function checkTarget(db: Db, viewer: Scoped, target: Target, isStanding: boolean): Promise<void> {
  if (isStanding) await requireStanding(db, viewer, target.devices);
  const { devices, customerId } = target;
  if (!('ids' in devices)) {
    await reach(db, viewer, target);
    return;
  }
  const ids = [...new Set(devices.ids)];
  const { rows } = await sql<{ isForeign: boolean }>`
    select ${isOfOtherCustomer(customerId)} as "isForeign" from devices d
    where d.id = any(${ids}::uuid[]) and ${inScope(viewer, sql`d.owner_id`)}`.execute(db);
  if (rows.length !== ids.length) throw new AppError('NOT_FOUND');
  if (rows.some(({ isForeign }) => isForeign)) throw invalidField('devices', 'campaign.foreignDevices');
}
