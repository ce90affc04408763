import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often an idle process looks whether it can give back memory. */
const LOOK_MS = 20_000;
/** Share of the time since the last look that the event loop worked at most. */
const IDLE = 0.02;
/** Room for new objects that a process with little to do does not need. */
const SPARE_BYTES = 16 * 2 ** 20;
/** A collection is worth its time when the heap has grown by so much since the last one; the first removes the garbage of the start. */
const GROWN_BYTES = 8 * 2 ** 20;

type Collect = (options: { type: 'major'; execution: 'async'; flavor: 'last-resort' }) => Promise<void>;

/** V8's own function (`--expose-gc`), for this module alone. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collect;
}

const roomForNew = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

const heapBytes = (): number => getHeapStatistics().used_heap_size;

/**
 * Gives the system the memory back that the start and busy times needed: V8 keeps its room for new objects (64 MiB) and old
 * garbage until somebody asks, and nobody does in a process that allocates little. The collection takes a tenth of a second, so only idle ones do it.
 */
export function giveBackWhenIdle({ lookMs = LOOK_MS, idle = IDLE } = {}): void {
  const collect = collector();
  let before = performance.eventLoopUtilization();
  let leftBytes = 0;
  const giveBack = async (): Promise<void> => {
    await collect({ type: 'major', execution: 'async', flavor: 'last-resort' });
    leftBytes = heapBytes();
  };
  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization < idle && (roomForNew() > SPARE_BYTES || heapBytes() - leftBytes > GROWN_BYTES)) void giveBack();
  };
  setInterval(look, lookMs).unref();
}
