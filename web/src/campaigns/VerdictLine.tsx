import type { Campaign } from '@ams/contract';
import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/feedback/Notice.tsx';
import { useFormat } from '../ui/format/format.ts';
import { CalendarIcon, CheckIcon, ClockIcon, FailIcon, ForbidIcon, PencilIcon, PlayIcon } from '../ui/layout/icons.ts';
import { toneOf, type Verdict, verdictOf } from './verdict.ts';
import { useCampaignWords } from './words.ts';

interface Look {
  tone: ComponentProps<typeof Notice>['tone'];
  icon: ReactNode;
}

const LOOK = {
  draft: { tone: 'primary', icon: <PencilIcon /> },
  waiting: { tone: 'primary', icon: <ClockIcon /> },
  changed: { tone: 'bad', icon: <FailIcon /> },
  rejected: { tone: 'bad', icon: <FailIcon /> },
  upcoming: { tone: 'good', icon: <CalendarIcon /> },
  running: { tone: 'good', icon: <PlayIcon /> },
  delivering: { tone: 'good', icon: <PlayIcon /> },
  short: { tone: 'bad', icon: <FailIcon /> },
  completed: { tone: 'good', icon: <CheckIcon /> },
  delivered: { tone: 'good', icon: <CheckIcon /> },
  cancelled: { tone: 'primary', icon: <ForbidIcon /> },
} as const satisfies Record<Verdict['kind'], Look>;

/** A campaign behind its plan, or below its order, does not look as if all was well. */
function lookOf(campaign: Campaign, { kind }: Verdict): Look {
  const tone = kind === 'delivering' || kind === 'delivered' ? toneOf(campaign) : 'good';
  return tone === 'good' ? LOOK[kind] : { tone, icon: <FailIcon /> };
}

/** The first line of a campaign: where it stands. */
export function VerdictLine({ campaign }: { campaign: Campaign }) {
  const verdict = verdictOf(campaign);
  const { tone, icon } = lookOf(campaign, verdict);
  const words = useVerdictWords();
  return (
    <Notice tone={tone} icon={icon} role="status">
      {words(verdict)}
    </Notice>
  );
}

function useVerdictWords(): (verdict: Verdict) => string {
  const { t } = useTranslation('campaigns');
  const { date, number } = useFormat();
  const { share } = useCampaignWords();
  return (verdict) => {
    switch (verdict.kind) {
      case 'draft':
        return t('verdictDraft');
      case 'waiting':
        return verdict.decide ? t('verdictDecide', { username: verdict.by ?? '–' }) : t('verdictWaiting');
      case 'changed':
        return t('verdictChanged');
      case 'rejected':
        return t('verdictRejected', { remark: verdict.remark });
      case 'upcoming':
        return t('verdictUpcoming', { date: date(verdict.from) });
      case 'running':
        return t('verdictRunning', { date: date(verdict.to) });
      case 'delivering': {
        const { gap } = verdict;
        const text = gap === 0 ? 'verdictEven' : gap < 0 ? 'verdictBehind' : 'verdictAhead';
        const [delivered, due] = [number(verdict.delivered), number(verdict.due)];
        return t(text, { delivered, due, gap: share(Math.abs(gap)), end: share(verdict.end) });
      }
      case 'short':
        return t('verdictShort', { plays: number(verdict.plays), ordered: number(verdict.ordered) });
      case 'delivered': {
        const [delivered, ordered] = [number(verdict.delivered), number(verdict.ordered)];
        return t('verdictDelivered', { date: date(verdict.to), delivered, ordered, end: share(verdict.end) });
      }
      case 'completed':
        return t('verdictCompleted', { date: date(verdict.to) });
      case 'cancelled':
        return verdict.at === null ? t('stateCancelled') : t('verdictCancelled', { date: date(verdict.at) });
    }
  };
}
