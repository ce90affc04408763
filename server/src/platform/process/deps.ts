import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { Identities } from '../auth/auth.ts';
import type { Db } from '../database/database.ts';
import type { Events } from '../events/events.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Metrics } from './metrics.ts';
import type { AppSandbox } from '../sandbox/open.ts';
import type { DiskSpace } from './disk-space.ts';
import type { Signer } from '../auth/signing.ts';

export type { Config };

/** Dependencies of all features: the running parts of one server process. */
export interface Deps {
  config: Config;
  db: Db;
  events: Events;
  jobs: Jobs;
  signer: Signer;
  identities: Identities;
  /** The only place where uploaded content is parsed. */
  sandbox: AppSandbox;
  /** Whether ffmpeg is there to convert what browsers cannot play. */
  conversion: boolean;
  log: FastifyBaseLogger;
  metrics: Metrics;
  /** Aborts when this process stops: long work ends here and continues at another process. */
  stopping: AbortSignal;
  /** Whether there is any on the disk. */
  diskSpace: DiskSpace;
  /** This server process, as devices' leases name it. */
  processId: string;
}
