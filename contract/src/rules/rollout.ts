import type { RolloutState } from '../releases.ts';

/** Progress of the devices of one step: those neither done nor failed are pending. */
export interface StageCounts {
  total: number;
  done: number;
  failed: number;
  /** Devices that had it, and from which it was withdrawn; none of the others. */
  withdrawn: number;
}

export interface RolloutPlan {
  state: RolloutState;
  /** Place of the step under way, from 0, of `stages` steps. */
  stage: number;
  stages: number;
  /** Percent of a step's devices that are done before the next begins. */
  goOnAt: number;
  /** Percent of a step's devices that may fail; one more stops the release. */
  stopAbove: number;
}

/** `begin`: the next step. `pause`: nothing shows whether it may begin. `complete`: the last step is done on its share. */
export type RolloutMove = 'wait' | 'begin' | 'stop' | 'pause' | 'complete';

/**
 * The next action of a release in steps, according to the devices of the current step. Too many failures take precedence;
 * a step without devices (if there are more steps than devices) is done at once, but not one whose devices were all
 * withdrawn: somebody may have seen there that the content is bad.
 */
export function rolloutMove(plan: RolloutPlan, { total, done, failed, withdrawn }: StageCounts): RolloutMove {
  if (plan.state !== 'running') return 'wait';
  if (failed * 100 > plan.stopAbove * total) return 'stop';
  if (done * 100 < plan.goOnAt * total) return 'wait';
  if (plan.stage + 1 === plan.stages) return 'complete';
  return total === 0 && withdrawn > 0 ? 'pause' : 'begin';
}

/** How many of `total` devices each step adds; a step reaches its share rounded up. */
export function stageSizes(stages: readonly { percent: number }[], total: number): number[] {
  const reached = stages.map(({ percent }) => Math.ceil((percent * total) / 100));
  return reached.map((count, index) => count - (reached[index - 1] ?? 0));
}
