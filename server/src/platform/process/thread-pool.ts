import { readdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';

/** As Linux shows the threads of libuv, which hash, read and write files. */
const NAME = 'libuv-worker';
/** Added to the niceness of the process: a third of its weight while the processor is short. */
const NICENESS = 5;
const TASKS = '/proc/self/task';

/**
 * Gives the threads of libuv a lower priority than the event loop, so that passwords may be hashed on every core while
 * requests are answered. Without Linux they keep the priority of the process.
 */
export async function lowerThreadPool(): Promise<void> {
  // libuv starts its threads with the first work, all of them at once.
  await stat('.');
  try {
    const lower = Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW);
    for (const thread of readdirSync(TASKS)) {
      if (readFileSync(`${TASKS}/${thread}/comm`, 'utf8').trim() === NAME) setPriority(Number(thread), lower);
    }
  } catch {
    // Another system, or one that does not let a process change its priority.
  }
}
