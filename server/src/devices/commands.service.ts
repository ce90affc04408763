import './devices.tables.ts';
import { sql } from 'kysely';
import { covers } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { oneOf, prepared } from '../platform/database/prepared.ts';
import { publish } from '../platform/events/events.ts';
import type { DeviceCommand } from './devices.tables.ts';

/**
 * Has devices do something, at once where they are connected and otherwise when they are back. Devices that were
 * never paired have nothing to do.
 */
export async function command(trx: Db, operatorId: string, ids: string[], name: DeviceCommand): Promise<void> {
  await sql`
    insert into device_commands (device_id, command, operator_id)
    select d.id, ${name}, ${operatorId}::uuid from devices d
    where d.id = any(${ids}::uuid[]) and d.secret_hash is not null
    on conflict (device_id, command) do update set operator_id = excluded.operator_id, id = excluded.id`.execute(trx);
  await publish(trx, { topic: 'command', ids, command: name });
}

/** A stored command; one that is given again gets another id. */
export interface StoredCommand {
  id: string;
  name: DeviceCommand;
}

/**
 * The stored commands of these connected devices, in the order of `connected`. A command is dropped if its user is disabled
 * by now or no longer has the device in scope.
 */
export async function findCommands(db: Db, connected: readonly string[]): Promise<StoredCommand[][]> {
  const { rows } = await sql<StoredCommand & { deviceId: string }>`
    with stored as (
      select c.device_id, c.id, c.command,
        c.operator_id is null or (not u.disabled and ${covers(sql`u.id`, sql`d.owner_id`)}) as is_valid
      from device_commands c join devices d on d.id = c.device_id left join users u on u.id = c.operator_id
      where ${oneOf(sql`c.device_id`, connected)}
    ), dropped as (
      delete from device_commands where id in (select id from stored where not is_valid)
    )
    select device_id as "deviceId", id, command as name from stored where is_valid ${prepared}`.execute(db);
  const due = Map.groupBy(rows, ({ deviceId }) => deviceId);
  return connected.map((deviceId) => due.get(deviceId) ?? []);
}

/** Forgets commands, by their ids, that their devices have received. */
export const forgetCommands = (db: Db, ids: readonly string[]): Promise<unknown> =>
  sql`delete from device_commands where id = any(${ids}::uuid[])`.execute(db);
