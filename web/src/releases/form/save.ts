import type { Ad, Release } from '@ams/contract';
import i18next from 'i18next';
import { queryClient } from '../../platform/query.ts';
import { confirm } from '../../ui/confirm.ts';
import { adCalls, adQuery, releasesChanged } from '../releases.api.ts';
import { type Draft, bodyOf, draftOfAd, sameAd } from './draft.ts';
import { type Order, releaseBody } from './order.ts';

export interface FormState {
  draft: Draft;
  order: Order;
  /** The ad as it is stored; undefined until it is. */
  base: Ad | undefined;
}

export const isChanged = ({ draft, base }: FormState): boolean => !base || !sameAd(draftOfAd(base), draft);

interface Saving {
  state: FormState;
  ownerId: string;
  fallbackName: string;
}

type Stored = { kind: 'stored'; ad: Ad } | { kind: 'failed' } | { kind: 'newer'; ad: Ad };

/** Stores the ad, when there is something to store. `newer`: somebody else changed it, and the person wants theirs. */
export async function storeAd({ state, ownerId, fallbackName }: Saving): Promise<Stored> {
  const { base, draft } = state;
  if (base && !isChanged(state)) return { kind: 'stored', ad: base };
  const body = bodyOf(draft, fallbackName);
  const answer = base
    ? await adCalls.replace({ params: { id: base.id }, body: { ...body, updatedAt: base.updatedAt } })
    : await adCalls.create({ body: { ...body, ownerId } });
  if (answer.error === undefined) {
    queryClient.setQueryData(adQuery(answer.data.id).queryKey, answer.data);
    await releasesChanged();
    return { kind: 'stored', ad: answer.data };
  }
  return answer.error === 'CHANGED_MEANWHILE' && base ? offerNewer(base) : { kind: 'failed' };
}

async function offerNewer(base: Ad): Promise<Stored> {
  const t = i18next.getFixedT(null, 'releases');
  let newer: Ad | undefined;
  const wanted = await confirm({
    title: t('changedTitle'),
    body: t('changedBody'),
    action: t('loadNewer'),
    run: async () => {
      const answer = await adCalls.get({ params: { id: base.id } });
      if (answer.error !== undefined) return false;
      newer = answer.data;
      return true;
    },
  });
  return wanted && newer ? { kind: 'newer', ad: newer } : { kind: 'failed' };
}

/** Sends a stored ad to machines; undefined when it was refused, which has been told. */
export async function sendAd(ad: Ad, order: Order, owner: string): Promise<Release | undefined> {
  const answer = await adCalls.release({ params: { id: ad.id }, body: releaseBody(order, owner, ad.dual) });
  if (answer.error !== undefined) return undefined;
  await releasesChanged();
  return answer.data;
}
