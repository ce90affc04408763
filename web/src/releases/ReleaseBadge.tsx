import type { Release, ReleaseApproval } from '@ams/contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, type BadgeState, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { CheckIcon, GroupIcon, WithdrawIcon } from '../ui/layout/icons.ts';

/** How far a release is. */
type ReleaseState =
  | 'requested'
  | 'rejected'
  | 'withdrawn'
  | 'ended'
  | 'stopped'
  | 'paused'
  | Extract<BadgeState, 'failed' | 'done' | 'waiting'>;

function stateOf({ withdrawnAt, withdrawnBy, rollout, counts, approval }: Release): ReleaseState {
  if (approval?.state === 'requested') return 'requested';
  if (approval?.state === 'rejected') return 'rejected';
  if (withdrawnAt !== null) return withdrawnBy ? 'withdrawn' : 'ended';
  if (rollout?.state === 'stopped') return 'stopped';
  if (rollout?.state === 'paused') return 'paused';
  if (counts.failed > 0) return 'failed';
  return counts.done === counts.total ? 'done' : 'waiting';
}

/** Devices have a request only after it was approved: until then its counts are 0. */
export const isUnsent = (release: Release): release is Release & { approval: ReleaseApproval } =>
  release.approval !== null && release.approval.state !== 'approved';

/** How far a release is, in a word. */
export function useReleaseWord(): (release: Release) => string {
  const { t } = useTranslation('releases');
  const { t: campaigns } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  return useCallback(
    (release) => {
      const words: Record<ReleaseState, string> = {
        requested: campaigns('verdictWaiting'),
        rejected: campaigns('stateRejected'),
        withdrawn: t('withdrawn'),
        ended: t('ended'),
        stopped: t('rolloutStopped'),
        paused: t('rolloutPaused'),
        failed: common('stateFailed'),
        done: common('stateDone'),
        waiting: common('stateWaiting'),
      };
      return words[stateOf(release)];
    },
    [t, campaigns, common],
  );
}

const LOOKS: Record<Exclude<ReleaseState, 'withdrawn' | 'ended'>, BadgeState> = {
  requested: 'planned',
  rejected: 'failed',
  stopped: 'failed',
  paused: 'planned',
  failed: 'failed',
  done: 'done',
  waiting: 'waiting',
};

/** How far a release is, as a badge. */
export function ReleaseBadge({ release }: { release: Release }) {
  const word = useReleaseWord()(release);
  const state = stateOf(release);
  if (state === 'withdrawn' || state === 'ended') return <EndBadge withdrawnBy={release.withdrawnBy} />;
  return <StateBadge state={LOOKS[state]} text={word} />;
}

/** A release that somebody withdrew, or that ended by itself. */
function EndBadge({ withdrawnBy }: Pick<Release, 'withdrawnBy'>) {
  const { t } = useTranslation('releases');
  return withdrawnBy ? (
    <Badge icon={<WithdrawIcon />}>{t('withdrawn')}</Badge>
  ) : (
    <Badge icon={<CheckIcon />}>{t('ended')}</Badge>
  );
}

/** It goes to devices that match later, too. */
export function StandingBadge() {
  const { t } = useTranslation('releases');
  return (
    <Badge tone="primary" icon={<GroupIcon />}>
      {t('standingShort')}
    </Badge>
  );
}
