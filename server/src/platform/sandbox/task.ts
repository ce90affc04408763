import { z } from 'zod';
import type { Limits } from './limits.ts';

/** One kind of work that a sandbox does: what goes in and comes out, where it waits, what it may use. */
export interface TaskRule<Lane extends string = string> {
  lane: Lane;
  limits: Limits;
  input: z.ZodType;
  output: z.ZodType;
}

export type TaskTable<Lane extends string = string> = Record<string, TaskRule<Lane>>;

export type InputOf<Rule extends TaskRule> = z.input<Rule['input']>;
export type OutputOf<Rule extends TaskRule> = z.output<Rule['output']>;

/** Message from the server to a child. */
export const Order = z.object({ task: z.string(), input: z.unknown() });
export type Order = z.output<typeof Order>;

/** Message from a child to the server. */
export const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), output: z.unknown() }),
  z.object({ kind: z.literal('threw'), message: z.string() }),
]);
export type Answer = z.output<typeof Answer>;
