import { type Ad, AdName, type User } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { contractMessages } from '../../platform/i18n.ts';
import { adListPath } from '../../platform/paths.ts';
import { useIsShown } from '../../platform/shown.ts';
import { toast } from '../../platform/toast.ts';
import { useFormat } from '../../ui/format/format.ts';
import { offerUndo } from '../../ui/feedback/outcome.ts';
import { usePending } from '../../ui/feedback/pending.ts';
import { deviceTotalQuery } from '../../queries/devices.ts';
import { restoreReleases } from '../../queries/releases.ts';
import { type Draft, draftOfAd, isEmpty, nameOf, withoutContent } from '../../ads/editor/draft.ts';
import { askFirst } from './askFirst.ts';
import { type Place, useKeeping } from '../../ui/form/kept.ts';
import {
  filterOf,
  isStanding,
  type Order,
  pickedIn,
  type Subject,
  type Target,
  withoutAd,
} from '../../releases/form/order.ts';
import { scheduleIssues } from '../../ui/form/scheduleDraft.ts';
import { rolloutIssues } from '../../releases/form/rollout.ts';
import { type FormState, isChanged, sendAd, storeAd } from './save.ts';
import { type Step, useSteps } from './steps.ts';

type Busy = 'no' | 'saving' | 'releasing';
/** The operation that a conflict interrupted, to be repeated on a newer state. */
type Again = (from: FormState) => Promise<void>;

export type ReleaseFormHandle = ReturnType<typeof useReleaseForm>;

/** The state of the release form and what its buttons do. An unsaved one waits at `place`. */
export function useReleaseForm(owner: User, start: FormState, place: Place<FormState>) {
  const { t } = useTranslation('releases');
  const { t: campaigns } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const steps = useSteps();
  const [state, setState] = useState(start);
  /** The state of this moment, also while an answer is on its way or after the form was left. */
  const latest = useRef(start);
  const change = (by: (before: FormState) => FormState) => setState((latest.current = by(latest.current)));
  const [busy, setBusy] = useState<Busy>('no');
  const [conflict, setConflict] = useState<{ theirs: Ad; again: Again }>();
  const saved = useRef(false);
  const [wasLeft] = useState(() => place.left() !== undefined);
  // An ad that was stored here is to be released yet: a new form would make it once more.
  const isUnsaved = (last: FormState) =>
    isChanged(last) || wasLeft || !start.base || !isSameOrder(last.order, start.order);
  useKeeping(place, state, (last) => !saved.current && isUnsaved(last) && !isEmpty(last.draft));
  // A browser that loads the page again has lost what was made of a new ad: its person looks at the content first.
  const beginWithContent = useEffectEvent(() => {
    if (steps.wanted === 'devices' && start.base === undefined && !wasLeft) steps.to('content');
  });
  useEffect(() => beginWithContent(), []);
  const { run: oneAtATime } = usePending();
  const isShown = useIsShown();
  const { draft, order } = state;
  const name = useName(draft);
  const subject = { owner: owner.id, orientation: draft.orientation, ad: state.base?.id };
  const count = useCount(order.target, subject);

  /** Missing input before devices are selected or the ad is saved. */
  const problem = isEmpty(draft) ? t('chooseFirst') : name.error;
  const toStep = (next: Step) => (next === 'devices' && problem ? toast.info(problem) : steps.to(next));
  /** Handles refusals: shows a conflict, marks deleted files, makes a new ad of one that was deleted. */
  const onRefused = (refused: Exclude<Awaited<ReturnType<typeof storeAd>>, { kind: 'stored' }>, again: Again) => {
    const { gone } = refused.kind === 'failed' ? refused : {};
    if (refused.kind === 'conflict') setConflict({ theirs: refused.ad, again });
    else if (refused.kind === 'deleted') {
      toast.info(common('deletedMeanwhile'));
      change((before) => ({ ...before, base: undefined, order: withoutAd(before.order) }));
    } else if (gone !== undefined) {
      change((before) => ({ ...before, draft: withoutContent(before.draft, gone) }));
      // That is where it can be removed.
      if (steps.wanted === 'devices' && isShown()) steps.to('content');
    }
  };
  const store = async (from: FormState, again: Again): Promise<Ad | undefined> => {
    const stored = await storeAd({ state: from, ownerId: owner.id, fallbackName: name.fallback });
    if (stored.kind !== 'stored') {
      onRefused(stored, again);
      return undefined;
    }
    const draftOfStored = draftOfAd(stored.ad);
    // Somebody may have typed on, or left the form, while the answer was on its way.
    change((before) => ({
      ...before,
      draft: before.draft === from.draft ? draftOfStored : before.draft,
      base: stored.ad,
    }));
    place.amend(latest.current);
    return stored.ad;
  };
  const leave = async (to: string) => {
    saved.current = !isChanged(latest.current);
    if (saved.current) place.forget();
    if (!isShown()) return;
    await steps.undo();
    void navigate(to, { replace: true });
  };
  const saveThen = async (from: FormState, next: (ad: Ad) => Promise<void>): Promise<void> => {
    if (problem) return toast.info(problem);
    setBusy('saving');
    const ad = await store(from, (newer) => saveThen(newer, next));
    setBusy('no');
    if (ad) await next(ad);
  };
  const toList = async (ad: Ad) => {
    toast.success(t(ad.changedSinceRelease ? 'adSavedReleased' : 'adSaved'));
    if (isChanged(latest.current)) return;
    await leave(`${adListPath(owner)}?orientation=${ad.orientation}`);
  };
  const toCampaign = (ad: Ad) => leave(`/campaigns/new?ad=${ad.id}`);
  const release = async (from: FormState = state) => {
    setBusy('releasing');
    const ad = await store(from, release);
    const sent = ad && (await sendAd(ad, from.order, owner.id));
    setBusy('no');
    if (!sent) return;
    if (sent.kind !== 'sent') return onRefused(sent, release);
    const { id, approval, counts } = sent.release;
    if (approval === null) toast.success(t('released', { count: counts.total }));
    else offerUndo(campaigns('requested'), () => restoreReleases([id]));
    await leave(`/releases/${id}`);
  };
  /** Resolves a conflict with one of the two versions; with the user's own, the interrupted operation continues. */
  const settle = (whose: 'mine' | 'theirs') => {
    if (!conflict) return;
    const { theirs, again } = conflict;
    const next = { ...state, base: theirs, ...(whose === 'theirs' && { draft: draftOfAd(theirs) }) };
    change(() => next);
    setConflict(undefined);
    if (whose === 'mine') void again(next);
  };

  const step: Step = steps.wanted === 'devices' && !problem ? 'devices' : 'content';
  return {
    ...state,
    setDraft: (next: Draft) => change((before) => ({ ...before, draft: next })),
    setOrder: (next: Order) => change((before) => ({ ...before, order: next })),
    name,
    step,
    toStep,
    busy,
    /** How many devices are chosen. */
    count,
    releasable:
      (count > 0 || isStanding(order, subject)) &&
      scheduleIssues(order.schedule).length === 0 &&
      rolloutIssues(order.rollout).length === 0,
    saveOnly: () => oneAtATime(() => saveThen(state, toList)),
    /** Stores the ad as the first of a new campaign. */
    newCampaign: () => oneAtATime(() => saveThen(state, toCampaign)),
    release: () => oneAtATime(async () => (await askFirst(draft, order.target, subject)) && release()),
    /** Version stored by another user meanwhile, until the conflict is resolved. */
    theirs: conflict?.theirs,
    settle,
    cancelConflict: () => setConflict(undefined),
  };
}

const isSameOrder = (one: Order, other: Order): boolean => JSON.stringify(one) === JSON.stringify(other);

/** How many devices a target means. */
function useCount(target: Target, subject: Subject): number {
  const filter = filterOf(target, subject);
  const { data } = useQuery({ ...deviceTotalQuery(filter ?? {}), enabled: filter !== undefined });
  return filter ? (data ?? 0) : pickedIn(target).length;
}

/** The name shown, the default name, and the error of the name. */
function useName(draft: Draft) {
  const { t } = useTranslation('releases');
  const { date } = useFormat();
  const [opened] = useState(() => new Date().toISOString());
  const fallback = t('nameOn', { date: date(opened) });
  const text = nameOf(draft, fallback);
  const refused = AdName.safeParse(text).error;
  return { text, fallback, error: refused && explainIssues(refused.issues, contractMessages())[0]?.message };
}
