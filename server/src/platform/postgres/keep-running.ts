import type { FastifyBaseLogger } from 'fastify';
import type { DiskSpace } from '../process/disk-space.ts';
import { PostgresError } from './error.ts';
import { type EmbeddedPostgres, type PostgresConnection, startPostgres } from './postgres.ts';

export interface KeptPostgres {
  connection: PostgresConnection;
  stop(): Promise<void>;
  /** Rejects when PostgreSQL ended for another reason than a full disk. */
  lost: Promise<never>;
}

/** Starts PostgreSQL; on a full disk with the space that the ballast takes. */
async function startWithin(data: string, diskSpace: DiskSpace, log: FastifyBaseLogger): Promise<EmbeddedPostgres> {
  try {
    return await startPostgres(data, log);
  } catch (error) {
    if (!(await diskSpace.release())) throw error;
    log.warn({ err: error }, 'PostgreSQL did not start because the disk is full; starting it again');
    return startPostgres(data, log);
  }
}

/** Runs PostgreSQL, and restarts it at the same address when it ended because the disk was full. */
export async function keepPostgres(data: string, diskSpace: DiskSpace, log: FastifyBaseLogger): Promise<KeptPostgres> {
  let running = await startWithin(data, diskSpace, log);
  const watch = async (): Promise<never> => {
    const message = await running.lost;
    const ended = new PostgresError(`PostgreSQL ended: ${message}`);
    await diskSpace.look();
    if (!diskSpace.isFull) throw ended;
    log.warn({ message }, 'PostgreSQL stopped because the disk is full; starting it again');
    await running.stop();
    running = await startWithin(data, diskSpace, log);
    return watch();
  };
  return { connection: running.connection, stop: () => running.stop(), lost: watch() };
}
