import { type CreateReleaseBody, GO_ON_AT_DEFAULT, STAGES_MAX, STOP_ABOVE_DEFAULT, Stages } from '@ams/contract';
import type { z } from 'zod';

/** All devices at once, or in steps with the shares, in percent, that advance and stop it. */
export type RolloutDraft =
  | { kind: 'atOnce' }
  | { kind: 'inSteps'; percents: readonly number[]; goOnAt: number; stopAbove: number };

const USUAL = [5, 25, 100] as const;

export const inSteps = (): RolloutDraft => ({
  kind: 'inSteps',
  percents: USUAL,
  goOnAt: GO_ON_AT_DEFAULT,
  stopAbove: STOP_ABOVE_DEFAULT,
});

const stagesOf = (percents: readonly number[]): { percent: number }[] => percents.map((percent) => ({ percent }));

/** Problems of the steps according to the contract. */
export const rolloutIssues = (draft: RolloutDraft): z.core.$ZodIssue[] =>
  draft.kind === 'atOnce' ? [] : (Stages.safeParse(stagesOf(draft.percents)).error?.issues ?? []);

export const rolloutBody = (draft: RolloutDraft): Pick<CreateReleaseBody, 'stages' | 'goOnAt' | 'stopAbove'> =>
  draft.kind === 'atOnce' ? {} : { stages: stagesOf(draft.percents), goOnAt: draft.goOnAt, stopAbove: draft.stopAbove };

/** The steps with one more before the last, half-way between its neighbours; none where there is no room. */
export function withStep(percents: readonly number[]): readonly number[] | undefined {
  const last = percents.at(-1) ?? 100;
  const before = percents.at(-2) ?? 0;
  const middle = Math.round((before + last) / 2);
  if (percents.length >= STAGES_MAX || middle <= before || middle >= last) return undefined;
  return percents.toSpliced(-1, 0, middle);
}
