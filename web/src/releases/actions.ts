import type { Envelope, Release, Rollout } from '@ams/contract';
import i18next from 'i18next';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { calls, releaseChanged, releasesChanged } from '../queries/releases.ts';

const texts = () => i18next.getFixedT(null, 'releases');

/** Takes over what a call answered; false when it was refused, which has been told. */
async function taken(answer: Envelope<Release>, told: string): Promise<boolean> {
  if (answer.error !== undefined) {
    await releasesChanged();
    return false;
  }
  toast.success(told);
  await releaseChanged(answer.data);
  return true;
}

export function withdraw(release: Release): Promise<boolean> {
  const t = texts();
  return confirm({
    title: t('withdrawTitle', { name: release.ad.name }),
    body: t('withdrawBody', { count: release.counts.total - release.counts.planned }),
    action: t('withdraw'),
    danger: true,
    run: async () => {
      const done = await taken(await calls.withdraw({ params: { id: release.id } }), t('withdrawDone'));
      await releasesChanged();
      return done;
    },
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
    run: async () => {
      const done = await taken(await calls.withdraw({ params: { id: release.id } }), t('rolledBack'));
      await releasesChanged();
      return done;
    },
  });
}

export const pause = async (release: Release): Promise<boolean> =>
  taken(await calls.pause({ params: { id: release.id } }), texts()('rolloutPaused'));

/** Goes on: after a pause as before; else the next step begins now, which is asked first. */
export async function goOn(release: Release, { state, stage, stages }: Rollout): Promise<boolean> {
  const t = texts();
  const send = async () => taken(await calls.resume({ params: { id: release.id }, body: { stage } }), t('resumed'));
  const next = stages[stage + 1];
  if (state === 'paused' || !next) return send();
  return confirm({
    title: t('startStepTitle', { step: stage + 2 }),
    body: t('startStepBody', { n: new Intl.NumberFormat(i18next.language).format(next.total) }),
    action: t('startNextStep'),
    run: send,
  });
}

/** Has devices that failed try again: one of them, or all. */
export async function tryAgain(release: string, device?: string): Promise<boolean> {
  const body = device === undefined ? {} : { ids: [device] };
  return taken(await calls.retry({ params: { id: release }, body }), texts()('retryRequested'));
}
