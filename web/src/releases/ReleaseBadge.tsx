import type { Release } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Badge, StateBadge } from '../ui/feedback/StateBadge.tsx';
import { CheckIcon, GroupIcon, WithdrawIcon } from '../ui/layout/icons.ts';

/** How far a release is, in a word. */
export function ReleaseBadge({
  release: { withdrawnAt, withdrawnBy, rollout, counts, approval },
}: {
  release: Release;
}) {
  const { t } = useTranslation('releases');
  const { t: campaigns } = useTranslation('campaigns');
  if (approval?.state === 'requested') return <StateBadge state="planned" text={campaigns('verdictWaiting')} />;
  if (approval?.state === 'rejected') return <StateBadge state="failed" text={campaigns('stateRejected')} />;
  if (withdrawnAt !== null) return <EndBadge withdrawnBy={withdrawnBy} />;
  if (rollout?.state === 'stopped') return <StateBadge state="failed" text={t('rolloutStopped')} />;
  if (rollout?.state === 'paused') return <StateBadge state="planned" text={t('rolloutPaused')} />;
  if (counts.failed > 0) return <StateBadge state="failed" />;
  return <StateBadge state={counts.done === counts.total ? 'done' : 'waiting'} />;
}

/** A release that somebody withdrew, or that ended by itself. */
export function EndBadge({ withdrawnBy }: Pick<Release, 'withdrawnBy'>) {
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
