import type { Campaign } from '@ams/contract';

/** Where a campaign stands, and with it what there is to do. Days are `YYYY-MM-DD`, instants ISO 8601. */
export type Verdict =
  | { kind: 'draft' }
  /** `decide`: the viewer may. */
  | { kind: 'waiting'; decide: boolean; by: string | undefined }
  | { kind: 'changed' }
  | { kind: 'rejected'; remark: string }
  | { kind: 'upcoming'; from: string }
  | { kind: 'running'; to: string }
  | { kind: 'completed'; to: string }
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
      if (phase === 'completed') return { kind: 'completed', to: schedule.to };
      return phase === 'running' ? { kind: 'running', to: schedule.to } : { kind: 'upcoming', from: schedule.from };
  }
}
