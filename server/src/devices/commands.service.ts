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

interface Due {
  device_id: string;
  command: DeviceCommand;
}

/** What these connected machines have to do, handed out once. */
export async function takeCommands(db: Db, connected: string[]): Promise<Due[]> {
  if (connected.length === 0) return [];
  const { rows } = await sql<Due>`
    delete from device_commands where device_id = any(${connected}::uuid[]) returning device_id, command`.execute(db);
  return rows;
}
