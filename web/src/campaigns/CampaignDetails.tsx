import { useQuery } from '@tanstack/react-query';
import type { Campaign, CampaignConflict } from '@ams/contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { joined } from '../ui/format/bidi.ts';
import { useFormat } from '../ui/format/format.ts';
import { useScheduleWords } from '../ui/format/schedule.ts';
import { rejectCampaign } from '../queries/campaigns.ts';
import { Button, ButtonLink } from '../ui/layout/Button.tsx';
import { ButtonRow } from '../ui/layout/ButtonRow.tsx';
import {
  CheckIcon,
  CopyIcon,
  CrossIcon,
  PencilIcon,
  SendIcon,
  TableIcon,
  TrashIcon,
  WithdrawIcon,
} from '../ui/layout/icons.ts';
import { ActionList, type MenuItem } from '../ui/layout/Menu.tsx';
import { Card, Columns, Facts } from '../ui/layout/Page.tsx';
import { approve, askToCancel, askToDelete, askToReject, book, request } from './actions.ts';
import { AvailabilityOf } from './AvailabilityOf.tsx';
import { campaignScansQuery } from '../queries/scans.ts';
import { ScansCard } from '../ui/chart/ScansCard.tsx';
import { CampaignBadge } from './CampaignBadge.tsx';
import style from './campaigns.module.css';
import { Conflicts } from './Conflicts.tsx';
import { CreativeStage } from './CreativeStage.tsx';
import { DeliveryCard } from './progress/DeliveryCard.tsx';
import { ProofCard } from './ProofCard.tsx';
import { VerdictLine } from './VerdictLine.tsx';
import { useCampaignWords } from './words.ts';

interface CampaignDetailsProps {
  campaign: Campaign;
  /** Leaves what showed the campaign. */
  onDeleted: () => void;
}

const PREVIEW_SIZE = 180;

/** All about a campaign, on its page and in the panel beside the list: where it stands comes first. */
export function CampaignDetails({ campaign, onDeleted }: CampaignDetailsProps) {
  const [conflicts, setConflicts] = useState<readonly CampaignConflict[]>([]);
  const scans = useQuery(campaignScansQuery(campaign.id));
  const isOpen = campaign.actions.includes('update');
  return (
    <>
      <VerdictLine campaign={campaign} />
      <Buttons campaign={campaign} onConflicts={setConflicts} />
      <Conflicts conflicts={conflicts} />
      <Columns
        main={
          <>
            {campaign.progress && <DeliveryCard campaign={campaign} />}
            <CampaignFacts campaign={campaign} />
            {isOpen && <AvailabilityOf campaign={campaign} />}
          </>
        }
        side={
          <>
            <Creatives campaign={campaign} />
            <ScansCard scans={scans.data} />
            {campaign.ordered !== null && <ProofCard campaign={campaign} />}
            <MoreActions campaign={campaign} onDeleted={onDeleted} />
          </>
        }
      />
    </>
  );
}

interface ButtonsProps {
  campaign: Campaign;
  onConflicts: (conflicts: readonly CampaignConflict[]) => void;
}

/** What the viewer may do with it now. */
function Buttons({ campaign, onConflicts }: ButtonsProps) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { id, actions, state, changed, ordered } = campaign;
  const may = new Set(actions);
  const isWaiting = state === 'requested' && !changed;
  const shown: [boolean, ReactNode][] = [
    [
      isWaiting && may.has('approve'),
      <Button
        key="approve"
        changes
        look="primary"
        icon={<CheckIcon />}
        onClick={async () => onConflicts(await approve(campaign))}
      >
        {t('approve')}
      </Button>,
    ],
    [
      isWaiting && may.has('reject'),
      <Button
        key="reject"
        changes
        icon={<CrossIcon />}
        onClick={() => void askToReject(campaign, (remark) => rejectCampaign(campaign, remark))}
      >
        {t('reject')}
      </Button>,
    ],
    [
      !isWaiting && may.has('book'),
      <Button
        key="book"
        changes
        look="primary"
        icon={<CheckIcon />}
        onClick={async () => onConflicts(await book(campaign))}
      >
        {t('book')}
      </Button>,
    ],
    [
      !isWaiting && may.has('request') && !may.has('book'),
      <Button
        key="request"
        changes
        look="primary"
        icon={<SendIcon />}
        onClick={async () => onConflicts(await request(campaign))}
      >
        {t('request')}
      </Button>,
    ],
    [
      may.has('update'),
      <ButtonLink key="edit" to={`/campaigns/${id}/edit`} icon={<PencilIcon />}>
        {common('edit')}
      </ButtonLink>,
    ],
    [
      ordered !== null,
      <ButtonLink key="statement" to={`/campaigns/${id}/statement`} icon={<TableIcon />}>
        {t('statement')}
      </ButtonLink>,
    ],
  ];
  const buttons = shown.flatMap(([isShown, button]) => (isShown ? [button] : []));
  return buttons.length > 0 && <ButtonRow>{buttons}</ButtonRow>;
}

/** What is rarely wanted, or cannot be undone, below everything else. */
function MoreActions({ campaign, onDeleted }: CampaignDetailsProps) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const { id, actions } = campaign;
  const remove = async () => {
    if (await askToDelete(campaign)) onDeleted();
  };
  const items: (MenuItem | false)[] = [
    { text: t('duplicate'), icon: <CopyIcon />, onPick: () => void navigate(`/campaigns/new?copy=${id}`) },
    actions.includes('cancel') && {
      text: t('cancelCampaign'),
      icon: <WithdrawIcon />,
      danger: true,
      onPick: () => void askToCancel(campaign),
    },
    actions.includes('delete') && {
      text: common('delete'),
      icon: <TrashIcon />,
      danger: true,
      onPick: () => void remove(),
    },
  ];
  return <ActionList items={items.filter((item) => item !== false)} />;
}

function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { number, dateTime } = useFormat();
  const schedule = useScheduleWords();
  const { goal, price } = useCampaignWords();
  const by = (user: { username: string } | null, at: string | null) =>
    at === null ? null : joined([user?.username, dateTime(at)]);
  return (
    <Card>
      <Facts
        rows={[
          [common('status'), <CampaignBadge key="state" campaign={campaign} />],
          [t('customer'), campaign.customer.username],
          [t('flight'), schedule({ ...campaign.schedule })],
          [t('goal'), goal(campaign.goal)],
          [t('ordered'), campaign.ordered === null ? null : number(campaign.ordered)],
          [t('price'), price(campaign.price)],
          [t('group'), campaign.group && <bdi>{campaign.group.name}</bdi>],
          [t('screens'), campaign.deviceCount > 0 ? number(campaign.deviceCount) : null],
          [common('createdAt'), by(campaign.createdBy, campaign.createdAt)],
          [t('requestedBy'), by(campaign.requestedBy, campaign.requestedAt)],
          [t('decidedBy'), by(campaign.decidedBy, campaign.decidedAt)],
          [t('cancelledBy'), by(campaign.cancelledBy, campaign.cancelledAt)],
        ]}
      />
    </Card>
  );
}

function Creatives({ campaign: { creatives, updatedAt } }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  return (
    <Card title={t('creatives')}>
      <ul className={style.creatives}>
        {creatives.map(({ ad }, index) => (
          <li key={ad?.id ?? `deleted ${index}`}>
            {ad ? (
              <>
                <CreativeStage ad={ad} size={PREVIEW_SIZE} version={updatedAt} />
                <bdi>{ad.name}</bdi>
              </>
            ) : (
              <span className="caption">{t('adDeleted')}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
