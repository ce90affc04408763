import { type Campaign, gapOf } from '@ams/contract';

/** Where a campaign stands, and with it what there is to do. Days are `YYYY-MM-DD`, instants ISO 8601. */
export type Verdict =
  | { kind: 'draft' }
  /** `decide`: the viewer may. */
  | { kind: 'waiting'; decide: boolean; by: string | undefined }
  | { kind: 'changed' }
  | { kind: 'rejected'; remark: string }
  | { kind: 'upcoming'; from: string }
  | { kind: 'running'; to: string }
  /** Plays due and delivered; `gap`: the part by which they differ, less than 0 when it is behind; `end`: of the order. */
  | { kind: 'delivering'; delivered: number; due: number; gap: number; end: number }
  /** Plays that will be missing. */
  | { kind: 'short'; plays: number; ordered: number }
  | { kind: 'completed'; to: string }
  | { kind: 'delivered'; to: string; delivered: number; ordered: number; end: number }
  | { kind: 'cancelled'; at: string | null };

export function verdictOf(campaign: Campaign): Verdict {
  const { state, phase, schedule, actions, changed } = campaign;
  switch (state) {
    case 'draft':
      return changed ? { kind: 'changed' } : { kind: 'draft' };
    case 'requested':
      if (changed) return { kind: 'changed' };
      return { kind: 'waiting', decide: actions.includes('approve'), by: campaign.requestedBy?.username };
    case 'rejected':
      return { kind: 'rejected', remark: campaign.remark ?? '' };
    case 'cancelled':
      return { kind: 'cancelled', at: campaign.cancelledAt };
    case 'booked':
      if (phase === 'upcoming' && !campaign.progress?.short) return { kind: 'upcoming', from: schedule.from };
      return standing(campaign);
  }
}

/** Where a campaign is that began, or is known to fall short. */
function standing({ phase, schedule: { to }, progress, ordered }: Campaign): Verdict {
  const isOver = phase === 'completed';
  if (progress === null || ordered === null || ordered === 0) return { kind: isOver ? 'completed' : 'running', to };
  const { delivered, due, forecast, short } = progress;
  if (isOver) return { kind: 'delivered', to, delivered, ordered, end: delivered / ordered };
  if (short > 0) return { kind: 'short', plays: short, ordered };
  if (due === 0) return { kind: 'running', to };
  return { kind: 'delivering', delivered, due, gap: gapOf(progress), end: forecast / ordered };
}

/** How the delivery of a campaign stands: it lacks plays for good, it is behind its plan, or neither. */
export function toneOf({ phase, ordered, progress }: Campaign): 'bad' | 'warning' | 'good' {
  if (progress === null) return 'good';
  const { delivered, short } = progress;
  if (short > 0 || (phase === 'completed' && gapOf({ delivered, due: ordered ?? 0 }) < 0)) return 'bad';
  return gapOf(progress) < 0 ? 'warning' : 'good';
}
