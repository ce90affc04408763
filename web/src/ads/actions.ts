import { type Ad, AD_NAME_MAX, AdName, type Release } from '@ams/contract';
import i18next from 'i18next';
import { toast } from '../platform/toast.ts';
import { confirm } from '../ui/feedback/confirm.ts';
import { adsChanged, calls, releaseCalls } from '../queries/ads.ts';

const AT_ONCE = 100;

/** The releases of an ad that are not withdrawn; undefined when they could not be asked for. */
async function liveReleases(ad: Ad): Promise<Release[] | undefined> {
  const found: Release[] = [];
  let cursor: string | undefined;
  do {
    const answer = await releaseCalls.list({ query: { ad: ad.id, active: 'true', limit: AT_ONCE, cursor } });
    if (answer.error !== undefined) return undefined;
    found.push(...answer.data.items);
    cursor = answer.data.next ?? undefined;
  } while (cursor);
  return found;
}

async function withdrawEach(ad: Ad): Promise<boolean> {
  const releases = await liveReleases(ad);
  if (!releases) return false;
  for (const { id } of releases) {
    const answer = await releaseCalls.withdraw({ params: { id } });
    if (answer.error !== undefined) return false;
  }
  return true;
}

/** Takes an ad off all devices, after asking. */
export function withdrawAd(ad: Ad): Promise<boolean> {
  const t = i18next.getFixedT(null, 'ads');
  return confirm({
    title: t('withdrawTitle', { name: ad.name }),
    body: t('withdrawBody', { count: ad.devices }),
    action: t('withdraw'),
    danger: true,
    run: async () => {
      const done = await withdrawEach(ad);
      await adsChanged();
      if (done) toast.success(t('withdrawn'));
      return done;
    },
  });
}

/** Makes an ad of its own with the same content; asks for its name. */
export function copyAd(ad: Ad): Promise<boolean> {
  const t = i18next.getFixedT(null, 'ads');
  return confirm({
    title: t('copyTitle', { name: ad.name }),
    action: t('copy'),
    input: { label: t('name'), schema: AdName, initial: t('copyOf', { name: ad.name }).slice(0, AD_NAME_MAX) },
    run: async (name) => {
      const answer = await calls.copy({ params: { id: ad.id }, body: { name } });
      if (answer.error !== undefined) return false;
      toast.success(i18next.t('copied'));
      await adsChanged();
      return true;
    },
  });
}

export function deleteAd(ad: Ad): Promise<boolean> {
  const t = i18next.getFixedT(null, 'ads');
  return confirm({
    title: t('deleteTitle', { name: ad.name }),
    body: ad.devices > 0 ? t('deleteReleasedBody', { count: ad.devices }) : t('deleteBody'),
    action: i18next.t('delete'),
    danger: true,
    run: async () => {
      const answer = await calls.delete({ params: { id: ad.id } });
      if (answer.error !== undefined) return false;
      toast.success(i18next.t('deleted'));
      await adsChanged();
      return true;
    },
  });
}
