import pg from 'pg';
import { BackupError } from './archive.ts';

/** Runs `work` on a connection of its own. Throws `BackupError` when it fails because that was lost. */
export async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection);
  let lost: Error | undefined;
  // A connection may break while no statement waits for it. Without a listener, the process would end at once.
  client.on('error', (error) => (lost ??= error));
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw lost ? new BackupError(`The connection to the database was lost: ${lost.message}`) : error;
  } finally {
    await client.end();
  }
}
