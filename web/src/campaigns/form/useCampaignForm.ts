import type { Campaign, CampaignConflict, Failure, FieldError } from '@ams/contract';
import { explainIssues } from '@ams/contract/messages/explain';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../platform/api.ts';
import { isConclusive } from '../../platform/intents.ts';
import { contractMessages } from '../../platform/i18n.ts';
import { letOutlive } from '../../platform/lasting.ts';
import { useLeave } from '../../platform/shown.ts';
import { toast } from '../../platform/toast.ts';
import {
  bookCampaign,
  createCampaign,
  loadCampaign,
  requestCampaign,
  updateCampaign,
} from '../../queries/campaigns.ts';
import { usePending } from '../../ui/feedback/pending.ts';
import { isFieldErrors } from '../../ui/form/form.tsx';
import { conflictsIn } from '../actions.ts';
import { today } from '../today.ts';
import { bodyOf, type CampaignDraft, draftOf, isSame, issuesOf } from './draft.ts';

letOutlive(api.intents);

/** What the form does with the campaign once it is stored. */
export type Step = 'save' | 'request' | 'book';

const DONE_TEXT = { request: 'requested', book: 'booked' } as const;

export interface CampaignFormState {
  draft: CampaignDraft;
  /** The campaign as it was stored when the draft began; undefined until it is stored. */
  base: Campaign | undefined;
  /** It was requested or booked, and the answer is missing: a new form would make it once more. */
  isUnanswered: boolean;
}

/** The form before anything of it is sent. */
export const beginOf = (draft: CampaignDraft, base?: Campaign): CampaignFormState => ({
  draft,
  base,
  isUnanswered: false,
});

export type CampaignFormHandle = ReturnType<typeof useCampaignForm>;

/**
 * The state of the form and what its buttons do. `onStored`: the server has what was sent. `left`: the state, if somebody
 * has typed on since or the campaign is requested or booked next; `isDone`: nothing is left to do.
 */
export function useCampaignForm(
  start: CampaignFormState,
  onStored: (left: CampaignFormState | undefined, isDone: boolean) => void,
) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const [draft, setDraft] = useState(start.draft);
  /** The draft of this moment, also while an answer is on its way or after the form was left. */
  const latest = useRef(draft);
  const change = (next: CampaignDraft) => setDraft((latest.current = next));
  const [base, setBase] = useState(start.base);
  const [isUnanswered, setUnanswered] = useState(start.isUnanswered);
  const [theirs, setTheirs] = useState<Campaign>();
  const [conflicts, setConflicts] = useState<readonly CampaignConflict[]>([]);
  const problems = useProblems(draft);
  const { pending, run } = usePending();
  const leavePage = useLeave();

  /** The text typed since `draft` was sent, on the campaign as it is stored now. */
  const typedOn = (stored: Campaign): CampaignFormState | undefined =>
    latest.current === draft ? undefined : beginOf(latest.current, stored);
  /**
   * If somebody else stored another version, which is why this was refused, shows it. If somebody deleted the campaign, the
   * next try makes a new one.
   */
  const noticeNewer = async (refusal: Failure, id: string) => {
    if (refusal.error !== 'CHANGED_MEANWHILE' && refusal.error !== 'NOT_FOUND') return;
    const newer = await loadCampaign(id);
    if (newer.error === 'NOT_FOUND') {
      toast.info(common('deletedMeanwhile'));
      setBase(undefined);
    } else if (newer.error === undefined && refusal.error === 'CHANGED_MEANWHILE') setTheirs(newer.data);
  };
  const store = async (step: Step, onto: Campaign | undefined): Promise<Campaign | undefined> => {
    const body = bodyOf(draft);
    if (!body) return undefined;
    if (onto && isSame(draft, onto)) return onto;
    const answer = await (onto
      ? updateCampaign(onto.id, { ...body, updatedAt: onto.updatedAt })
      : createCampaign(body));
    if (answer.error === undefined) {
      setBase(answer.data);
      const sent = { draft: latest.current, base: answer.data, isUnanswered: true };
      onStored(step === 'save' ? typedOn(answer.data) : sent, false);
      return answer.data;
    }
    problems.refuse(answer.details?.['fields']);
    if (onto) await noticeNewer(answer, onto.id);
    return undefined;
  };
  const leave = async (campaign: Campaign) => {
    // A booked campaign does not change any more.
    onStored(campaign.actions.includes('update') ? typedOn(campaign) : undefined, true);
    await leavePage(`/campaigns/${campaign.id}`, { replace: true });
  };
  const send = async (step: Step, onto: Campaign | undefined) => {
    setConflicts([]);
    if (!problems.check()) return;
    const campaign = await store(step, onto);
    if (!campaign) return;
    if (step === 'save') {
      toast.success(common('saved'));
      return typedOn(campaign) ? undefined : leave(campaign);
    }
    setUnanswered(true);
    const answer = await (step === 'book' ? bookCampaign(campaign) : requestCampaign(campaign));
    setUnanswered(!isConclusive(answer));
    if (answer.error !== undefined) {
      if (isConclusive(answer)) onStored(typedOn(campaign), false);
      setConflicts(conflictsIn(answer));
      return noticeNewer(answer, campaign.id);
    }
    toast.success(t(DONE_TEXT[step]));
    await leave(answer.data);
  };
  return {
    draft,
    base,
    isUnanswered,
    set: (changes: Partial<CampaignDraft>) => {
      problems.forget();
      change({ ...latest.current, ...changes });
    },
    errorAt: problems.errorAt,
    schedule: problems.schedule,
    pending,
    send: (step: Step) => run(() => send(step, base)),
    conflicts,
    /** The version that somebody else stored meanwhile. */
    theirs,
    settle: (whose: 'mine' | 'theirs') => {
      setBase(theirs);
      if (theirs && whose === 'theirs') change(draftOf(theirs));
      setTheirs(undefined);
    },
  };
}

/** What is wrong with the draft: shown once somebody tried to send it, and where dates were typed at once. */
function useProblems(draft: CampaignDraft) {
  const { t } = useTranslation('campaigns');
  const [attempts, setAttempts] = useState(0);
  const [refused, setRefused] = useState<readonly FieldError[]>([]);
  const found = explainIssues(issuesOf(draft, today()), contractMessages());
  const shown = attempts > 0 ? [...found, ...refused] : [];
  useEffect(() => {
    if (attempts > 0) document.querySelector<HTMLElement>('#content [aria-invalid="true"]')?.focus();
  }, [attempts]);
  // A rule that has no words of its own is explained by its field.
  const wordsOf = ({ path, message, rule }: FieldError): string => {
    if (path.startsWith('goal')) return t('goalInvalid');
    return path.startsWith('devices') && rule !== 'campaign.foreignDevices' ? t('chooseDevices') : message;
  };
  const errorAt = (field: string): string | undefined => {
    const problem = shown.find(({ path }) => path === field || path.startsWith(`${field}.`));
    return problem && wordsOf(problem);
  };
  const { from, to } = draft.schedule;
  const ofSchedule = (from && to ? found : shown).find(({ path }) => path.startsWith('schedule'));
  return {
    errorAt,
    schedule: ofSchedule && { ...ofSchedule, path: ofSchedule.path.replace(/^schedule\.?/, '') },
    /** Whether it can be sent; shows from now on what is wrong. */
    check: () => {
      setAttempts(attempts + 1);
      return found.length === 0;
    },
    refuse: (fields: unknown) => {
      if (isFieldErrors(fields)) setRefused(fields);
    },
    forget: () => setRefused([]),
  };
}
