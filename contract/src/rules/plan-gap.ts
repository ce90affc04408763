import type { CampaignProgress } from '../campaign-delivery.ts';

/** Plays are reported every few minutes, so that a campaign is seldom exactly even with its plan. */
const EVEN_SHARE = 0.02;
const EVEN_PLAYS = 10;

/** By which part a campaign is ahead of its plan, or behind (less than 0); 0: even. */
export function gapOf({ delivered, due }: Pick<CampaignProgress, 'delivered' | 'due'>): number {
  const gap = delivered - due;
  return due === 0 || Math.abs(gap) <= Math.max(due * EVEN_SHARE, EVEN_PLAYS) ? 0 : gap / due;
}
