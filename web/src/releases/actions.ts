import type { Release, Rollout } from '@ams/contract';
import i18next from 'i18next';
import { succeeded, succeededUndoably } from '../ui/feedback/outcome.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { pauseRollout, resumeRollout, retryRelease, undoOfWithdrawal, withdrawRelease } from '../queries/releases.ts';
import { numberFormat } from '../platform/intl.ts';

const texts = () => i18next.getFixedT(null, 'releases');

export function withdraw(release: Release): Promise<boolean> {
  const t = texts();
  const body = t('withdrawBody', { count: release.counts.total - release.counts.planned });
  return confirm({
    title: t('withdrawTitle', { name: release.ad.name }),
    body: release.campaignId === null ? body : `${body} ${t('campaignEnds')}`,
    action: t('withdraw'),
    danger: true,
    run: async () =>
      succeededUndoably(await withdrawRelease(release.id), t('withdrawDone'), undoOfWithdrawal([release])),
  });
}

/** A release in steps taken back from the devices that it has reached; the others never get it. */
export function rollBack(release: Release): Promise<boolean> {
  const t = texts();
  return confirm({
    title: t('rollBackTitle', { name: release.ad.name }),
    body: t('withdrawBody', { count: release.counts.total - release.counts.planned }),
    action: t('rollBack'),
    danger: true,
    run: async () => succeededUndoably(await withdrawRelease(release.id), t('rolledBack'), undoOfWithdrawal([release])),
  });
}

export const pause = async (release: Release): Promise<boolean> =>
  succeeded(await pauseRollout(release.id), texts()('rolloutPaused'));

/** Goes on: after a pause as before; else the next step begins now, which is asked first. */
export async function goOn(release: Release, { state, reason, stage, stages }: Rollout): Promise<boolean> {
  const t = texts();
  const send = async () => {
    const answer = await resumeRollout(release.id, stage);
    // The card says why it paused again.
    const isPausedAgain = answer.error === undefined && answer.data.rollout?.state === 'paused';
    return isPausedAgain || succeeded(answer, t('resumed'));
  };
  const next = stages[stage + 1];
  if ((state === 'paused' && reason !== 'stepWithdrawn') || !next) return send();
  return confirm({
    title: t('startStepTitle', { step: stage + 2 }),
    body: t('startStepBody', { n: numberFormat(i18next.language).format(next.total) }),
    action: t('startNextStep'),
    run: send,
  });
}

/** Has devices that failed try again: one of them, or all. */
export async function tryAgain(release: string, device?: string): Promise<boolean> {
  return succeeded(await retryRelease(release, device === undefined ? undefined : [device]), texts()('retryRequested'));
}
