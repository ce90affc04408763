import './devices.tables.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database.ts';
import { publish } from '../platform/events.ts';
import type { DeviceCommand } from './devices.tables.ts';

/**
 * Has machines do something, at once where they are connected and otherwise when they are back. Machines that were
 * never paired have nothing to do.
 */
export async function command(trx: Db, ids: string[], name: DeviceCommand): Promise<void> {
  await sql`
    insert into device_commands (device_id, command)
    select d.id, ${name} from devices d where d.id = any(${ids}::uuid[]) and d.secret_hash is not null
    on conflict do nothing`.execute(trx);
  await publish(trx, { topic: 'command', ids, command: name });
}

/** What these connected machines have to do, each machine's in its place, handed out once. */
export async function takeCommands(db: Db, connected: readonly string[]): Promise<DeviceCommand[][]> {
  const { rows } = await sql<{ device_id: string; command: DeviceCommand }>`
    delete from device_commands where device_id = any(${connected}::uuid[]) returning device_id, command`.execute(db);
  const due = Map.groupBy(rows, (row) => row.device_id);
  return connected.map((id) => (due.get(id) ?? []).map(({ command: name }) => name));
}
