import { type CreateReleaseBody, type DeviceChoice, type Priority, Schedule, type Screen } from '@ams/contract';
import type { z } from 'zod';
import { type RolloutDraft, rolloutBody } from './rollout.ts';

/** All devices of a user, or those ticked. */
export type Target = { kind: 'all' } | { kind: 'chosen'; ids: readonly string[] };

export interface Span {
  /** Tells spans apart while they are edited. */
  id: number;
  from: string;
  to: string;
}

/** A schedule as it is typed: empty fields say nothing. */
export interface ScheduleDraft {
  from: string;
  to: string;
  weekdays: readonly number[];
  hours: readonly Span[];
}

/** How an ad is sent: to which devices, when it plays, and beside or instead of what. */
export interface Order {
  target: Target;
  /** Which screen; counts for ads made for dual screens. */
  screen: Screen;
  replace: boolean;
  priority: Priority;
  schedule: ScheduleDraft;
  rollout: RolloutDraft;
}

export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

export const newOrder = (): Order => ({
  target: { kind: 'all' },
  screen: 'main',
  replace: true,
  priority: 'normal',
  schedule: { from: '', to: '', weekdays: [], hours: [] },
  rollout: { kind: 'atOnce' },
});

export const toggled = <T>(list: readonly T[], value: T): T[] =>
  list.includes(value) ? list.filter((each) => each !== value) : [...list, value];

/** The schedule to send: null when it says nothing. All seven weekdays are every day. */
export function scheduleOf({ from, to, weekdays, hours }: ScheduleDraft): Schedule | null {
  const some = weekdays.length > 0 && weekdays.length < WEEKDAYS.length;
  if (!from && !to && !some && hours.length === 0) return null;
  return {
    ...(from && { from }),
    ...(to && { to }),
    ...(some && { weekdays: weekdays.toSorted((a, b) => a - b) }),
    ...(hours.length > 0 && { hours: hours.map(({ from: begin, to: end }) => ({ from: begin, to: end })) }),
  };
}

/** Problems of a schedule according to the contract. */
export const scheduleIssues = (draft: ScheduleDraft): z.core.$ZodIssue[] =>
  Schedule.nullable().safeParse(scheduleOf(draft)).error?.issues ?? [];

const devicesOf = (target: Target, owner: string): DeviceChoice =>
  target.kind === 'all' ? { filter: { owner } } : { ids: [...target.ids] };

export const releaseBody = (order: Order, owner: string, dual: boolean): CreateReleaseBody => ({
  devices: devicesOf(order.target, owner),
  screen: dual ? order.screen : null,
  replace: order.replace,
  priority: order.priority,
  schedule: scheduleOf(order.schedule),
  ...rolloutBody(order.rollout),
});
