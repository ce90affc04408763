import type { Group, Orientation } from '@ams/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsLeading } from '../../platform/session.ts';
import { deviceTotalQuery } from '../../queries/devices.ts';
import { groupQuery, groupsQuery } from '../../queries/groups.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Badge } from '../../ui/feedback/StateBadge.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/States.tsx';
import { Choice, Switch } from '../../ui/form/Choice.tsx';
import { firstOf, joined } from '../../ui/format/bidi.ts';
import { useFormat } from '../../ui/format/format.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { Card } from '../../ui/layout/Page.tsx';
import form from './CampaignForm.module.css';
import { type CampaignTarget, canStand, orientationOf } from './draft.ts';
import type { CampaignFormHandle } from './useCampaignForm.ts';

/** What the sheet in which devices are ticked has to know. */
export interface DeviceChooserProps {
  orientation: Orientation;
  target: CampaignTarget;
  onTarget: (target: CampaignTarget) => void;
  onClose: () => void;
}

interface TargetFieldProps {
  handle: CampaignFormHandle;
  chooser: (props: DeviceChooserProps) => ReactNode;
}

/**
 * Whether the devices of a target can only be requested: by customers, and by everybody on a group of a superior.
 * Undefined while it is not known whose group it is.
 */
export function useMustRequest(target: CampaignTarget): boolean | undefined {
  const leading = useIsLeading();
  const id = target.kind === 'group' ? target.group : undefined;
  const asks = leading && id !== undefined;
  const group = useQuery({ ...groupQuery(id ?? ''), enabled: asks });
  if (!leading) return true;
  return asks && group.isPending ? undefined : group.data?.filter === null;
}

type Kind = 'all' | 'group' | 'chosen';

const kindOf = ({ kind }: CampaignTarget): Kind => (kind === 'matching' ? 'chosen' : kind);

/** Where it plays. Customers choose a bookable group. */
export function TargetField({ handle: { draft, set, errorAt }, chooser }: TargetFieldProps) {
  const { t } = useTranslation('campaigns');
  const { t: releases } = useTranslation('releases');
  const leading = useIsLeading();
  const [choosing, setChoosing] = useState(false);
  const { target } = draft;
  const error = errorAt('devices');
  const onTarget = (next: CampaignTarget) => set({ target: next });
  const choose = (kind: Kind) => {
    if (kind === 'chosen') setChoosing(true);
    else onTarget(kind === 'all' ? { kind } : { kind, group: undefined });
  };
  return (
    <Card title={t('screens')}>
      {leading && (
        <Choice<Kind>
          label={t('screens')}
          value={kindOf(target)}
          onChange={choose}
          options={[
            { value: 'all', label: t('targetAll') },
            { value: 'group', label: t('targetGroup') },
            { value: 'chosen', label: t('targetChosen') },
          ]}
        />
      )}
      {target.kind === 'group' && (
        <Groups value={target.group} onChange={(group) => onTarget({ kind: 'group', group })} />
      )}
      {target.kind === 'all' && target.area && (
        <p className="caption">
          {t('statementArea')}: <bdi>{target.area}</bdi>
        </p>
      )}
      <Counted target={target} onChange={() => setChoosing(true)} />
      {error && (
        <p className={form.error} role="alert">
          {error}
        </p>
      )}
      {leading && canStand(target) && (
        <div className={form.line}>
          <span>{releases('standing')}</span>
          <Switch label={releases('standing')} checked={draft.standing} onChange={(standing) => set({ standing })} />
        </div>
      )}
      {leading && canStand(target) && draft.standing && draft.goal.kind !== 'total' && (
        <p className="caption">{t('standingAdds')}</p>
      )}
      {choosing &&
        chooser({
          orientation: orientationOf(draft) ?? 'vertical',
          target,
          onTarget,
          onClose: () => setChoosing(false),
        })}
    </Card>
  );
}

/** How many devices were ticked, or match a filter. */
function Counted({ target, onChange }: { target: CampaignTarget; onChange: () => void }) {
  const { t } = useTranslation('releases');
  const { number } = useFormat();
  const filter = target.kind === 'matching' ? target.filter : undefined;
  const total = useQuery({ ...deviceTotalQuery(filter ?? {}), enabled: filter !== undefined }).data;
  if (target.kind !== 'chosen' && target.kind !== 'matching') return null;
  return (
    <p className={form.line}>
      {target.kind === 'matching'
        ? t('matchingDevices', { n: total === undefined ? '…' : number(total) })
        : t('selectedDevices', { n: number(target.devices.length) })}
      <Button look="quiet" small onClick={onChange}>
        {t('change')}
      </Button>
    </p>
  );
}

interface GroupsProps {
  value: string | undefined;
  onChange: (group: string) => void;
}

/** Groups with the number of their screens: bookable ones of superiors, and for leading users their own. */
function Groups({ value, onChange }: GroupsProps) {
  const { t } = useTranslation('campaigns');
  const leading = useIsLeading();
  const name = useId();
  const groups = useInfiniteQuery(groupsQuery({}));
  if (groups.error && !groups.data) return <ErrorState error={groups.error} onRetry={() => groups.refetch()} />;
  if (!groups.data) return <Skeleton height={88} />;
  const shown = groups.data.pages.flatMap(({ items }) => items).filter(({ filter }) => leading || filter === null);
  if (shown.length === 0 && !groups.hasNextPage) return <NoGroups leading={leading} />;
  return (
    <fieldset className={form.groups}>
      <legend className="visually-hidden">{t('group')}</legend>
      {shown.map((group) => (
        <label key={group.id} className={form.option} data-testid="group-choice">
          <input type="radio" name={name} checked={value === group.id} onChange={() => onChange(group.id)} />
          <GroupWords group={group} />
          {group.filter === null && <Badge>{t('bookable')}</Badge>}
        </label>
      ))}
      {groups.hasNextPage && <MoreGroups onMore={() => groups.fetchNextPage()} />}
    </fieldset>
  );
}

function MoreGroups({ onMore }: { onMore: () => Promise<unknown> }) {
  const { t } = useTranslation();
  return (
    <Button small onClick={onMore}>
      {t('more')}
    </Button>
  );
}

function GroupWords({ group: { name, devices, areas, orientation } }: { group: Group }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const facts = [t('screensOf', { n: number(devices) }), orientation && common(orientation), ...firstOf(areas, 3)];
  return (
    <span>
      <bdi>{name}</bdi>
      <span className="caption">{joined(facts)}</span>
    </span>
  );
}

function NoGroups({ leading }: { leading: boolean }) {
  const { t } = useTranslation('campaigns');
  const { t: devices } = useTranslation('devices');
  if (!leading) return <EmptyState title={t('noBookable')} hint={t('noBookableHint')} />;
  return (
    <EmptyState
      title={devices('noGroups')}
      hint={devices('noGroupsHint')}
      action={<ButtonLink to="/groups">{devices('groups')}</ButtonLink>}
    />
  );
}
