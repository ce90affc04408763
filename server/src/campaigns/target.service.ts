import './campaigns.tables.ts';
import { AppError, type DeviceChoice } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { matches, resolveFilter } from '../devices/devices.service.ts';
import { findBookableSet } from '../groups/groups.service.ts';
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
const isOfOtherCustomer = (customerId: string) => sql<boolean>`exists (
  select from users o, users c where o.id = d.owner_id and c.id = ${customerId} and o.id <> c.id
    and o.role = 'member' and c.role = 'member')`;

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

/** The group on which a target depends, alone or with further conditions. */
export function groupOf(devices: DeviceChoice): string | undefined {
  if ('group' in devices) return devices.group;
  return 'filter' in devices ? devices.filter.group : undefined;
}

/** Throws `STANDING_FILTER` unless devices join and leave a target by changes of devices alone. */
async function requireStanding(db: Db, viewer: Scoped, devices: DeviceChoice): Promise<void> {
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
