import './devices.tables.ts';
import { sql } from 'kysely';
import type { Config } from '../platform/process/deps.ts';
import type { Db } from '../platform/database/database.ts';
import { expiryColumns, trialEnd } from './devices.service.ts';

/** The expiry of a MAC whose device was deleted. */
export interface DeletedMac {
  expiresOn: string | null;
  pairedAt: Date | null;
}

/** Notes what the MACs of these devices had; in the transaction that deletes them. */
export const rememberMacs = (trx: Db, ids: string[]): Promise<unknown> =>
  sql`
    insert into deleted_macs as m (mac, expires_on, paired_at)
    select mac, expires_on, paired_at from devices where id = any(${ids}::uuid[]) order by mac
    on conflict (mac) do update set expires_on = excluded.expires_on,
      paired_at = coalesce(excluded.paired_at, m.paired_at), deleted_at = now()`.execute(trx);

/** Stored expiries of these MACs; unknown MACs are omitted. */
export async function deletedMacs(db: Db, macs: string[]): Promise<Map<string, DeletedMac>> {
  const rows = await db
    .selectFrom('deleted_macs')
    .select(['mac', 'expires_on', 'paired_at'])
    .where(sql<boolean>`mac = any(${macs}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.mac, { expiresOn: row.expires_on, pairedAt: row.paired_at }]));
}

/** The expiry of a device that is added: what its MAC had before it was deleted, else a trial from today. */
export const firstExpiry = (config: Pick<Config, 'trialDays'>, timeZone: string, before: DeletedMac | undefined) =>
  expiryColumns(before === undefined ? trialEnd(config, timeZone) : before.expiresOn, timeZone);
