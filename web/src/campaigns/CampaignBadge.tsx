import type { Campaign, CampaignPhase, CampaignState } from '@ams/contract';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../ui/feedback/StateBadge.tsx';
import { CalendarIcon, CheckIcon, ClockIcon, FailIcon, ForbidIcon, PencilIcon, PlayIcon } from '../ui/layout/icons.ts';

type Shown = Exclude<CampaignState, 'booked'> | CampaignPhase;

const BADGES = {
  draft: { tone: 'plain', icon: <PencilIcon />, text: 'stateDraft' },
  requested: { tone: 'primary', icon: <ClockIcon />, text: 'stateRequested' },
  rejected: { tone: 'bad', icon: <FailIcon />, text: 'stateRejected' },
  upcoming: { tone: 'plain', icon: <CalendarIcon />, text: 'stateUpcoming' },
  running: { tone: 'good', icon: <PlayIcon />, text: 'stateRunning' },
  completed: { tone: 'plain', icon: <CheckIcon />, text: 'stateCompleted' },
  cancelled: { tone: 'plain', icon: <ForbidIcon />, text: 'stateCancelled' },
} as const satisfies Record<Shown, Pick<ComponentProps<typeof Badge>, 'tone' | 'icon'> & { text: string }>;

/** What is shown of a booked campaign is where it is in its flight. */
const shownOf = ({ state, phase }: Pick<Campaign, 'state' | 'phase'>): Shown =>
  state === 'booked' ? (phase ?? 'upcoming') : state;

/** The key of the word that says how far a campaign is. */
export const campaignWord = (campaign: Pick<Campaign, 'state' | 'phase'>) => BADGES[shownOf(campaign)].text;

/** How far a campaign is, in a word. */
export function CampaignBadge({ campaign }: { campaign: Pick<Campaign, 'state' | 'phase'> }) {
  const { t } = useTranslation('campaigns');
  const { tone, icon, text } = BADGES[shownOf(campaign)];
  return (
    <Badge tone={tone} icon={icon}>
      {t(text)}
    </Badge>
  );
}
