import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Config } from '../process/config.ts';
import { type LaneRule, Sandbox } from './sandbox.ts';
import { APP_TASKS, type AppLane, type AppTasks } from './tasks.ts';

const CHILDREN_MAX = 4;
const WAITING_MAX = 500;
/** Each holds its bytes in memory. */
const DOCUMENTS_WAITING_MAX = 50;
/** A lower priority than that of requests. */
const BESIDE = 5;
const LANES: Record<AppLane, LaneRule> = {
  media: {
    children: Math.min(CHILDREN_MAX, availableParallelism()),
    heapMb: 256,
    waitingMax: WAITING_MAX,
    niceness: BESIDE,
  },
  quick: { children: 1, heapMb: 128, waitingMax: WAITING_MAX, niceness: 0 },
  documents: { children: 2, heapMb: 1024, waitingMax: DOCUMENTS_WAITING_MAX, niceness: BESIDE },
  devices: { children: 1, heapMb: 128, waitingMax: WAITING_MAX, niceness: BESIDE },
  codes: { children: 1, heapMb: 128, waitingMax: WAITING_MAX, niceness: 0 },
};

/** Folders of the data folder that hold uploads, stored contents and copies to work on; the database is not among them. */
const READABLE = ['blobs', 'uploads', 'staging', 'processing'];
const IDLE_MS = 30_000;

/** The sandbox of a server process. */
export type AppSandbox = Sandbox<AppLane, AppTasks>;

export const openSandbox = ({ data }: Pick<Config, 'data'>): AppSandbox =>
  new Sandbox({
    tasks: APP_TASKS,
    lanes: LANES,
    entry: path.join(import.meta.dirname, 'entry.ts'),
    readable: READABLE.map((folder) => path.join(data, folder)),
    idleMs: IDLE_MS,
  });
