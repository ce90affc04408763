import './devices.tables.ts';
import { addDays, type DeviceFilter, expiryInstant, localTime, macSearch } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../config.ts';
import type { Viewer } from '../platform/auth.ts';
import { contains, type Db } from '../platform/database.ts';
import { changed, publish } from '../platform/events.ts';
import { inScope } from '../platform/scope.ts';

/** The condition that a row `d` of `devices_now` is in scope and shown by the filter. */
export function matches(viewer: Viewer, filter: DeviceFilter): RawBuilder<boolean> {
  const all = [inScope(viewer, sql`d.owner_id`)];
  if (filter.owner) all.push(sql<boolean>`d.owner_id = ${filter.owner}`);
  if (filter.online !== undefined) all.push(sql<boolean>`d.online = ${filter.online}`);
  if (filter.download) all.push(sql<boolean>`d.done = ${filter.download === 'done'}`);
  if (filter.expiry === 'expired') all.push(sql<boolean>`d.expired`);
  if (filter.expiry === 'expiring') all.push(sql<boolean>`d.expiring`);
  if (filter.expiry === 'valid') all.push(sql<boolean>`not d.expired and not d.expiring`);
  if (filter.q) all.push(found(filter.q));
  return sql<boolean>`(${sql.join(all, sql` and `)})`;
}

function found(q: string): RawBuilder<boolean> {
  const text = contains(q);
  const hex = macSearch(q);
  const byMac = hex ? sql`or replace(d.mac, ':', '') like ${contains(hex)}` : sql``;
  return sql<boolean>`(d.name ilike ${text} or exists (
    select from users u where u.id = d.owner_id and u.username_key like ${contains(q.toLowerCase())}) ${byMac})`;
}

export interface Touched {
  id: string;
  owner_id: string;
}

/** Tells operators that look at these machines; nobody hears of machines that are not in its scope. */
export const tellOperators = (db: Db, touched: Touched[]): Promise<void> => publish(db, ...changed('device', touched));

/** Tells the machines to ask for their manifest and operators to look again. */
export async function tellMachines(db: Db, touched: Touched[]): Promise<void> {
  if (touched.length === 0) return;
  await publish(db, { topic: 'manifest', ids: [...new Set(touched.map((device) => device.id))] });
  await tellOperators(db, touched);
}

/**
 * What these machines should hold has changed: their content is waiting from now on, until they report
 * the new version themselves. `chosen` is a condition on `d` (devices).
 */
export async function touchDevices(db: Db, chosen: RawBuilder<boolean>, operatorId?: string): Promise<Touched[]> {
  const { rows } = await sql<Touched>`
    update devices d set revision = revision + 1, operator_id = coalesce(${operatorId ?? null}::uuid, operator_id)
    where ${chosen} returning d.id, d.owner_id`.execute(db);
  await tellMachines(db, rows);
  return rows;
}

/**
 * Who these users' machines name as their merchant has changed, or its phone: the machines look again. What they
 * should hold stays the same, so no content waits for it.
 */
export async function tellMerchant(db: Db, owners: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<Touched>`select id, owner_id from devices where owner_id in (${owners})`.execute(db);
  await tellMachines(db, rows);
}

/** Machines that an expiry date has put out or brought back since they were last told: all, or those among `ids`. */
export const tellExpired = (db: Db, ids?: string[]): Promise<unknown> =>
  sql<Touched>`
    update devices set revision = revision + 1, expired_told = coalesce(expires_at <= now(), false)
    where ((not expired_told and expires_at <= now()) or (expired_told and (expires_at > now() or expires_at is null)))
      and ${ids ? sql`id = any(${ids}::uuid[])` : sql`true`}
    returning id, owner_id`
    .execute(db)
    .then(({ rows }) => tellMachines(db, rows));

/** The columns of an expiry date: the day, and the first instant after it in the machine's time zone. */
export const expiryColumns = (expiresOn: string | null, timeZone: string) => ({
  expires_on: expiresOn,
  expires_at: expiresOn === null ? null : new Date(expiryInstant(expiresOn, timeZone)),
});

/** The expiry date of a machine that is new today. */
export const trialEnd = ({ trialDays }: Pick<Config, 'trialDays'>, timeZone: string): string =>
  addDays(localTime(Date.now(), timeZone).date, trialDays);
