import { type Device, type Group, SUGGESTIONS_MAX } from '@ams/contract';
import { useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { foundIn } from '../../platform/query.ts';
import { useReadOnly, useSession } from '../../platform/session.ts';
import type { DeviceConcern } from '../../platform/concerns.ts';
import { devicesQuery, deviceTotalQuery, groupConcernsQuery, refreshDevices } from '../../queries/devices.ts';
import { groupQuery, updateGroup } from '../../queries/groups.ts';
import { releasesQuery } from '../../queries/releases.ts';
import { succeeded } from '../../ui/feedback/outcome.ts';
import { isAwaited } from '../../ui/feedback/pending.ts';
import { Skeleton, Skeletons } from '../../ui/feedback/Skeleton.tsx';
import { Badge } from '../../ui/feedback/StateBadge.tsx';
import { ErrorState, Unloaded } from '../../ui/feedback/States.tsx';
import { Switch } from '../../ui/form/Choice.tsx';
import { firstOf, joined } from '../../ui/format/bidi.ts';
import { useFormat } from '../../ui/format/format.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import {
  AgendaIcon,
  CampaignIcon,
  LevelsIcon,
  PencilIcon,
  ScreenIcon,
  SelectIcon,
  SendIcon,
  TableIcon,
  TrashIcon,
} from '../../ui/layout/icons.ts';
import { MenuButton } from '../../ui/layout/Menu.tsx';
import { Card, Facts, Page } from '../../ui/layout/Page.tsx';
import { Concerns } from '../../ui/list/Concerns.tsx';
import { useDeviceConcerns } from '../../ui/list/deviceConcerns.tsx';
import { InfiniteList } from '../../ui/list/InfiniteList.tsx';
import { Selectable } from '../../ui/list/select/SelectMark.tsx';
import { BatchBar } from '../batch/BatchBar.tsx';
import { CardRow, CardRows } from '../CardRows.tsx';
import { BatchProgress } from '../batch/BatchProgress.tsx';
import { BatchResult } from '../batch/BatchResult.tsx';
import { useBatch } from '../batch/useBatch.ts';
import type { Named } from '../batch/useChosenDevices.ts';
import { DeviceCard } from '../DeviceCard.tsx';
import { addressOfFilter } from '../filters/address.ts';
import { askToDeleteGroup, askToRenameGroup } from '../groups/actions.ts';
import { ConditionsCard } from '../groups/Conditions.tsx';
import style from '../groups/groups.module.css';
import { ReleaseSheet } from '../ReleaseSheet.tsx';

/** `/groups/:id`: the devices that match, what they play, and actions on all of them. */
export default function GroupPage() {
  const { t } = useTranslation('devices');
  const { id = '' } = useParams();
  const asked = useQuery(groupQuery(id));
  const group = foundIn(asked);
  return (
    <Page title={group?.name ?? t('groups')} back="/groups" actions={group && <GroupMenu key={id} group={group} />}>
      {group ? (
        <GroupDetails key={id} group={group} />
      ) : asked.error ? (
        <ErrorState error={asked.error} onRetry={() => asked.refetch()} />
      ) : (
        <Skeleton height={220} />
      )}
    </Page>
  );
}

/** Changes of the group itself; a bookable group of a superior has none. */
function GroupMenu({ group }: { group: Group }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { t: groups } = useTranslation('groups');
  const navigate = useNavigate();
  const { filter } = group;
  if (filter === null) return null;
  const remove = async () => {
    if (await askToDeleteGroup(group)) await navigate('/groups', { replace: true });
  };
  return (
    <MenuButton
      title={common('actionsFor', { name: group.name })}
      items={[
        {
          reads: true,
          text: t('list'),
          icon: <ScreenIcon />,
          onPick: () => void navigate(`/mac?group=${group.id}`),
        },
        {
          reads: true,
          text: common('calendar'),
          icon: <AgendaIcon />,
          onPick: () => void navigate(`/calendar?group=${group.id}`),
        },
        {
          reads: true,
          text: common('playReport'),
          icon: <TableIcon />,
          onPick: () => void navigate(`/reports?deviceGroup=${group.id}`),
        },
        {
          text: groups('change'),
          icon: <LevelsIcon />,
          onPick: () => void navigate(changingOf(group.id, filter)),
        },
        { text: t('rename'), icon: <PencilIcon />, onPick: () => void askToRenameGroup(group) },
        { text: t('deleteGroup'), icon: <TrashIcon />, danger: true, onPick: () => void remove() },
      ]}
    />
  );
}

/** The device list, where the filters of a group are changed. */
const changingOf = (id: string, filter: NonNullable<Group['filter']>): string =>
  `/mac?${addressOfFilter(filter)}&changing=${id}`;

function GroupDetails({ group }: { group: Group }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { t: groups } = useTranslation('groups');
  const readOnly = useReadOnly();
  const filter = { group: group.id };
  const batch = useBatch();
  const [acting, setActing] = useState(false);
  const named = useRef<ReadonlyMap<string, Named>>(new Map());
  const total = useQuery({ ...deviceTotalQuery(filter), enabled: group.filter !== null }).data ?? group.devices;
  // Its card would push the devices away if it came later.
  const standing = useInfiniteQuery({ ...standingOn(group.id), enabled: group.filter !== null });
  const concerns = useQuery({ ...groupConcernsQuery(group.id), enabled: group.filter !== null });
  useLive('device', (ids) => void refreshDevices(ids));
  if (group.filter === null) {
    return (
      <GroupFacts group={group} total={group.devices}>
        <ButtonLink to={`/campaigns/new?group=${group.id}`} look="primary" icon={<CampaignIcon />}>
          {common('newCampaign')}
        </ButtonLink>
      </GroupFacts>
    );
  }
  if (isAwaited(concerns)) return <Skeleton height={220} />;
  return (
    <>
      {batch.running && <BatchProgress job={batch.running} />}
      <GroupConcerns group={group.id} counted={concerns} />
      <GroupFacts group={group} total={total}>
        <ReleaseButton group={group} />
        <Button changes icon={<SelectIcon />} disabled={total === 0} onClick={() => setActing(true)}>
          {t('groupActions')}
        </Button>
      </GroupFacts>
      <ConditionsCard filter={group.filter} owner={group.owner} />
      {isAwaited(standing) ? (
        <Skeletons height={146} minColumn={330} />
      ) : (
        <>
          <StandingReleases group={group.id} />
          <Selectable selecting={false}>
            <InfiniteList<Device>
              query={devicesQuery(filter)}
              label={t('list')}
              rowHeight={146}
              minColumn={330}
              render={(device) => <DeviceCard device={device} selected={undefined} onToggle={() => setActing(true)} />}
              empty={{
                title: common('noMatch'),
                action: !readOnly && (
                  <ButtonLink to={changingOf(group.id, group.filter)} icon={<LevelsIcon />}>
                    {groups('change')}
                  </ButtonLink>
                ),
              }}
            />
          </Selectable>
        </>
      )}
      {acting && (
        <BatchBar
          target={{ filter }}
          named={named}
          count={total}
          total={undefined}
          busy={batch.running !== undefined}
          onAll={() => setActing(true)}
          onEnd={() => setActing(false)}
          onStart={(body) => batch.start(body, named.current)}
        />
      )}
      {batch.outcome && <BatchResult outcome={batch.outcome} onUndo={batch.undo} onClose={batch.closeOutcome} />}
    </>
  );
}

/** The server names one more at most, which says that there are more. */
const AREAS_NAMED = SUGGESTIONS_MAX - 1;

function GroupFacts({ group, total, children }: { group: Group; total: number; children?: ReactNode }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { number } = useFormat();
  const { areas, orientation, owner, filter } = group;
  return (
    <Card>
      <Facts
        rows={[
          [common('barDevices'), number(total)],
          [t('owner'), owner.username],
          // Without its filters, the orientation is what a bookable group of a superior says about its screens.
          [t('filterOrientation'), filter === null && orientation !== null && common(orientation)],
          [t('area'), joined(firstOf(areas, AREAS_NAMED))],
        ]}
      />
      {filter !== null && <BookableSwitch group={group} />}
      {children && <div className={style.buttons}>{children}</div>}
    </Card>
  );
}

/** Customers can request campaigns on a bookable group. */
function BookableSwitch({ group: { id, bookable } }: { group: Group }) {
  const { t } = useTranslation('devices');
  const { t: common } = useTranslation();
  const { leading } = useSession();
  if (!leading) return null;
  return (
    <div className={style.switch}>
      <span>
        {t('groupBookable')}
        <span className={`caption ${style.below}`}>{t('groupBookableHint')}</span>
      </span>
      <Switch
        changes
        label={t('groupBookable')}
        checked={bookable}
        onChange={async (next) => succeeded(await updateGroup(id, { bookable: next }), common('saved'))}
      />
    </div>
  );
}

/** Releases an ad to the devices of the group. */
function ReleaseButton({ group }: { group: Group }) {
  const { t } = useTranslation('devices');
  const [releasing, setReleasing] = useState(false);
  return (
    <>
      <Button changes look="primary" icon={<SendIcon />} onClick={() => setReleasing(true)}>
        {t('releaseAd')}
      </Button>
      {releasing && <ReleaseSheet to={{ filter: { group: group.id } }} onClose={() => setReleasing(false)} />}
    </>
  );
}

/** The devices of a group that need attention. */
function GroupConcerns({ group, counted }: { group: string; counted: UseQueryResult<Record<DeviceConcern, number>> }) {
  const { t } = useTranslation('home');
  const { data, error, refetch } = counted;
  const concerns = useDeviceConcerns(data, group);
  if (data || !error) return <Concerns concerns={concerns} />;
  return (
    <Card>
      <Unloaded what={t('attention')} onRetry={() => refetch()} />
    </Card>
  );
}

const standingOn = (group: string) => releasesQuery({ group, active: 'true' });

/** Live releases that stand on the group: what devices that match get. */
function StandingReleases({ group }: { group: string }) {
  const { t } = useTranslation('devices');
  const { t: priorities } = useTranslation('releases');
  const { t: common } = useTranslation();
  const { dateTime } = useFormat();
  const list = useInfiniteQuery(standingOn(group));
  const releases = list.data?.pages.flatMap((page) => page.items) ?? [];
  if (releases.length === 0) return null;
  return (
    <Card title={t('standingReleases')}>
      <CardRows>
        {releases.map((release) => (
          <CardRow
            key={release.id}
            title={
              <Link to={`/releases/${release.id}`}>
                <strong dir="auto">{release.ad.name}</strong>
              </Link>
            }
            caption={dateTime(release.releasedAt)}
            badges={release.priority !== 'normal' && <Badge tone="warning">{priorities(release.priority)}</Badge>}
          />
        ))}
      </CardRows>
      {list.hasNextPage && (
        <Button block loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {common('more')}
        </Button>
      )}
    </Card>
  );
}
