import type { PlaysFilter, PlaysHistory } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../platform/session.ts';
import { IconButton, Button } from '../ui/layout/Button.tsx';
import { Chart } from '../ui/chart/Chart.tsx';
import { useFormat } from '../ui/format/format.ts';
import { CrossIcon, GroupIcon, UsersIcon } from '../ui/layout/icons.ts';
import { Card } from '../ui/layout/Page.tsx';
import { Skeleton } from '../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../ui/feedback/States.tsx';
import { pickableGroupsQuery } from '../queries/groups.ts';
import { pickableUsersQuery } from '../queries/users.ts';
import { GroupSheet } from '../ui/list/GroupSheet.tsx';
import { UserPicker } from '../ui/form/UserPicker.tsx';
import type { ReportAddress } from './address.ts';
import { playHistoryQuery } from '../queries/reports.ts';
import style from './reports.module.css';

const ZONES_SHOWN = 5;

/** The sums and the chart, and what they are about. */
export function PlayHistory({ filter, address }: { filter: PlaysFilter; address: ReportAddress }) {
  const { t } = useTranslation('reports');
  const query = useQuery(playHistoryQuery(filter));
  const { data } = query;
  if (query.error) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  if (!data) return <Skeleton height={420} />;
  return (
    <Card>
      <Subjects history={data} address={address} />
      <Sums history={data} />
      {data.plays > 0 && (
        <Chart
          points={data.points.map(({ at, plays }) => [at, plays])}
          kind={data.unit === 'hour' ? 'hours' : 'days'}
          timeZones={data.timeZones}
          label={t(data.unit === 'hour' ? 'byHour' : 'byDay')}
        />
      )}
      <Zones zones={data.timeZones} />
    </Card>
  );
}

/** Filters of the report, each with a button to remove it. */
function Subjects({ history, address }: { history: PlaysHistory; address: ReportAddress }) {
  const { t } = useTranslation('reports');
  const { leading } = useSession();
  const [picking, setPicking] = useState<'owner' | 'deviceGroup'>();
  const limits = (['ad', 'device', 'file', 'owner', 'deviceGroup'] as const).flatMap((kind) => {
    const name = history[kind];
    return name === null || !address.values[kind] ? [] : [{ kind, name }];
  });
  const pickable = leading && !address.values.owner && !address.values.device;
  return (
    <div className={style.subjects}>
      {limits.map(({ kind, name }) => (
        <span key={kind} className={style.subject}>
          <span>
            <span className="caption">{t(kind)}</span> <bdi>{name}</bdi>
          </span>
          <IconButton
            label={t('removeFilter', { what: t(kind), name })}
            icon={<CrossIcon />}
            onClick={() => address.set({ [kind]: undefined })}
          />
        </span>
      ))}
      {pickable && (
        <Button small icon={<UsersIcon />} onClick={() => setPicking('owner')}>
          {t('ofUser')}
        </Button>
      )}
      {!address.values.deviceGroup && !address.values.device && (
        <Button small icon={<GroupIcon />} onClick={() => setPicking('deviceGroup')}>
          {t('ofGroup')}
        </Button>
      )}
      {picking === 'deviceGroup' && (
        <GroupSheet
          query={pickableGroupsQuery}
          onClose={() => setPicking(undefined)}
          onPick={(group) => {
            setPicking(undefined);
            address.set({ deviceGroup: group.id });
          }}
        />
      )}
      {picking === 'owner' && (
        <UserPicker
          query={pickableUsersQuery}
          onClose={() => setPicking(undefined)}
          onPick={(user) => {
            setPicking(undefined);
            address.set({ owner: user.id });
          }}
        />
      )}
    </div>
  );
}

function Sums({ history }: { history: PlaysHistory }) {
  const { t } = useTranslation('reports');
  const { number, date, total } = useFormat();
  const { from, to } = history;
  return (
    <>
      <p className={style.period}>{from === to ? date(from) : `${date(from)} – ${date(to)}`}</p>
      <dl className={style.sums}>
        <div>
          <dt>{t('plays')}</dt>
          <dd data-testid="plays">{number(history.plays)}</dd>
        </div>
        <div>
          <dt>{t('onScreen')}</dt>
          <dd>{total(history.durationMs)}</dd>
        </div>
        {Boolean(history.scans) && (
          <div>
            <dt>{t('scans')}</dt>
            <dd data-testid="scans">{number(history.scans ?? 0)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** Time zone of these hours and days. */
function Zones({ zones }: { zones: string[] }) {
  const { t } = useTranslation('reports');
  const { list } = useFormat();
  if (zones.length === 0) return null;
  return <p className="caption">{t('zones', { zones: `\u2068${list(zones, ZONES_SHOWN)}\u2069` })}</p>;
}
