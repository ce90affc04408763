import { type Ad, AD_NAME_MAX, AdName, type Release } from '@ams/contract';
import i18next from 'i18next';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { copyAd, deleteAd, updateDevices } from '../queries/ads.ts';
import { liveReleases, type Occasion, occasionOf, undoOfWithdrawal, withdrawReleases } from '../queries/releases.ts';
import { beginningOf } from '../ui/format/beginning.ts';
import { offerUndo, succeeded } from '../ui/feedback/outcome.ts';
import { doubtsAbout } from './editor/doubts.ts';
import { draftOfAd } from './editor/draft.ts';

const CONTINUES_TEXT = {
  campaign: 'campaignsContinue',
  takeover: 'takeoverContinues',
  default: 'staysDefault',
} as const satisfies Record<Occasion, string>;

/** Withdraws an ad from all devices, after asking; what ends on a page of its own is named and left. */
export async function askToWithdraw(ad: Ad): Promise<boolean> {
  const t = i18next.getFixedT(null, 'ads');
  const live = await liveReleases(ad.id);
  if (!live) return false;
  const kept = new Set(live.flatMap((release) => occasionOf(release) ?? []));
  const continues = [...kept].map((occasion) => t(CONTINUES_TEXT[occasion]));
  const left = live.filter((release) => !occasionOf(release));
  if (left.length === 0 && kept.size > 0) {
    toast.info(continues.join(' '));
    return false;
  }
  const withdrawn: Release[] = [];
  const done = await confirm({
    title: t('withdrawTitle', { name: ad.name }),
    body:
      kept.size === 0
        ? t('withdrawBody', { count: ad.devices })
        : [t('withdrawSome', { count: left.length }), ...continues].join(' '),
    action: t('withdraw'),
    danger: true,
    run: async () => {
      withdrawn.push(...(await withdrawReleases(left.slice(withdrawn.length))));
      return withdrawn.length === left.length;
    },
  });
  if (withdrawn.length > 0) {
    const text = done ? t('withdrawn') : t('withdrawnPartly', { count: withdrawn.length });
    offerUndo(text, undoOfWithdrawal(withdrawn));
  }
  return done;
}

/** Sends the stored version of an ad to the devices that have an earlier one, after asking. */
export async function askToUpdateDevices(ad: Ad): Promise<boolean> {
  const t = i18next.getFixedT(null, 'ads');
  const doubts = await doubtsAbout(draftOfAd(ad), { filter: { ad: ad.id } });
  return confirm({
    title: t('updateTitle', { name: ad.name }),
    body: [t('updateBody'), ...doubts].join(' '),
    action: t('updateDevices', { count: ad.outdatedDevices }),
    run: async () => {
      const answer = await updateDevices(ad);
      const isWaiting = answer.error === undefined && answer.data.releases.some(({ approval }) => approval);
      return succeeded(answer, isWaiting ? i18next.t('verdictWaiting', { ns: 'campaigns' }) : t('updated'));
    },
  });
}

/** Makes an ad of its own with the same content; asks for its name. */
export function askToCopy(ad: Ad): Promise<boolean> {
  const t = i18next.getFixedT(null, 'ads');
  return confirm({
    title: t('copyTitle', { name: ad.name }),
    action: t('copy'),
    input: { about: ad.id, label: t('name'), schema: AdName, initial: copyName(ad.name) },
    run: async (name) => succeeded(await copyAd(ad.id, name), i18next.t('copied')),
  });
}

/** The name of a copy: of a long name its beginning, so that it is no second ad of the same name. */
function copyName(name: string): string {
  const t = i18next.getFixedT(null, 'ads');
  return t('copyOf', { name: beginningOf(name, AD_NAME_MAX - t('copyOf', { name: '' }).length) });
}

export async function askToDelete(ad: Ad): Promise<boolean> {
  const t = i18next.getFixedT(null, 'ads');
  const live = await liveReleases(ad.id);
  if (!live) return false;
  const body = ad.devices > 0 ? t('deleteReleasedBody', { count: ad.devices }) : t('deleteBody');
  const endsCampaign = live.some((release) => occasionOf(release) === 'campaign');
  return confirm({
    title: t('deleteTitle', { name: ad.name }),
    body: endsCampaign ? `${t('endsCampaigns')} ${body}` : body,
    action: i18next.t('delete'),
    danger: true,
    run: async () => succeeded(await deleteAd(ad.id), i18next.t('deleted')),
  });
}
