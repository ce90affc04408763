import type { Ad, Failure, Release } from '@ams/contract';
import { z } from 'zod';
import { api } from '../../platform/api.ts';
import { letOutlive } from '../../platform/lasting.ts';
import { createAd, loadAd, releaseAd, replaceAd } from '../../queries/ads.ts';
import { type Draft, bodyOf, draftOfAd, sameAd } from '../../ads/editor/draft.ts';
import { type Order, releaseBody } from '../../releases/form/order.ts';

letOutlive(api.intents);

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

/**
 * `conflict`: somebody else stored `ad` meanwhile. `deleted`: somebody deleted the ad. `failed`: refused, which has been
 * shown already; `gone` is a file that was deleted.
 */
type Refused = { kind: 'failed'; gone: string | undefined } | { kind: 'conflict'; ad: Ad } | { kind: 'deleted' };
type Stored = { kind: 'stored'; ad: Ad } | Refused;
type Sent = { kind: 'sent'; release: Release } | Refused;

/** Stores the ad, when there is something to store. */
export async function storeAd({ state, ownerId, fallbackName }: Saving): Promise<Stored> {
  const { base, draft } = state;
  if (base && !isChanged(state)) return { kind: 'stored', ad: base };
  const body = bodyOf(draft, fallbackName);
  const answer = base
    ? await replaceAd(base.id, { ...body, updatedAt: base.updatedAt })
    : await createAd({ ...body, ownerId });
  if (answer.error !== undefined) return refused(answer, base);
  return { kind: 'stored', ad: answer.data };
}

const Gone = z.object({ fileId: z.string() });

async function refused(answer: Failure, base: Ad | undefined): Promise<Refused> {
  if (base && (answer.error === 'CHANGED_MEANWHILE' || answer.error === 'NOT_FOUND')) {
    const newer = await loadAd(base.id);
    if (newer.error === 'NOT_FOUND') return { kind: 'deleted' };
    if (newer.error === undefined && answer.error === 'CHANGED_MEANWHILE') return { kind: 'conflict', ad: newer.data };
  }
  const gone = answer.error === 'FILE_GONE' ? Gone.safeParse(answer.details).data?.fileId : undefined;
  return { kind: 'failed', gone };
}

/** Sends a stored ad, as it was seen here, to devices. */
export async function sendAd(ad: Ad, order: Order, owner: string): Promise<Sent> {
  const subject = { owner, orientation: ad.orientation, ad: ad.id };
  const body = { ...releaseBody(order, subject, ad.dual), updatedAt: ad.updatedAt };
  const answer = await releaseAd(ad.id, body);
  if (answer.error !== undefined) return refused(answer, ad);
  return { kind: 'sent', release: answer.data };
}
