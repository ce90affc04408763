import './devices.tables.ts';
import { sql } from 'kysely';
import { covers } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
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
    on conflict (device_id, command) do update set operator_id = excluded.operator_id`.execute(trx);
  await publish(trx, { topic: 'command', ids, command: name });
}

/**
 * Takes the stored commands of these connected devices, in the order of `connected`; each command is returned once. A
 * command is dropped if its user is disabled by now or no longer has the device in scope.
 */
export async function takeCommands(db: Db, connected: readonly string[]): Promise<DeviceCommand[][]> {
  const { rows } = await sql<{ device_id: string; command: DeviceCommand }>`
    with taken as (
      delete from device_commands where device_id = any(${connected}::uuid[]) returning device_id, command, operator_id
    )
    select t.device_id, t.command from taken t join devices d on d.id = t.device_id
      left join users u on u.id = t.operator_id
    where t.operator_id is null or (not u.disabled and ${covers(sql`u.id`, sql`d.owner_id`)})`.execute(db);
  const due = Map.groupBy(rows, (row) => row.device_id);
  return connected.map((id) => (due.get(id) ?? []).map(({ command: name }) => name));
}
