import type { AreaOccupancy } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLive } from '../../platform/live.ts';
import { numberFormat } from '../../platform/intl.ts';
import { occupancyQuery, refreshCampaigns } from '../../queries/campaigns.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/States.tsx';
import { isolated } from '../../ui/format/bidi.ts';
import { useFormat } from '../../ui/format/format.ts';
import { oneOf, useAddressFilter } from '../../ui/layout/address.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { DeviceLabel } from '../../ui/layout/DeviceLabel.tsx';
import { CheckIcon, FailIcon, PlusIcon, ScreenIcon } from '../../ui/layout/icons.ts';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import { levelOf } from '../form/week.ts';
import style from '../occupancy.module.css';
import { useShown } from '../shown.ts';

/** From this share on, an area is nearly sold out. */
const NEARLY_FULL = 0.9;

type Area = AreaOccupancy['areas'][number];

/** `/occupancy`: how much of the screens is booked, by area, the fullest of next week first. */
export default function OccupancyPage() {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const address = useAddressFilter(['weeks']);
  const isPast = oneOf(['past'], address.values.weeks) !== undefined;
  const occupancy = useQuery(occupancyQuery);
  useLive('campaign', (ids) => void refreshCampaigns(ids));
  return (
    <Page
      title={common('occupancy')}
      back="/campaigns"
      bar={
        <Chips
          label={t('occupancyHint')}
          value={isPast ? 'past' : undefined}
          options={[
            { value: undefined, label: t('weeksAhead') },
            { value: 'past', label: t('weeksPast') },
          ]}
          onChange={(weeks) => address.set({ weeks })}
        />
      }
    >
      {occupancy.data ? (
        <Areas occupancy={occupancy.data} isPast={isPast} />
      ) : occupancy.error ? (
        <ErrorState error={occupancy.error} onRetry={() => occupancy.refetch()} />
      ) : (
        <Skeleton height={420} />
      )}
    </Page>
  );
}

function Areas({ occupancy: { weeks, current, areas }, isPast }: { occupancy: AreaOccupancy; isPast: boolean }) {
  const { t } = useTranslation('campaigns');
  const next = ({ booked }: Area): number => booked[current + 1] ?? -1;
  const sorted = areas.toSorted((a, b) => next(b) - next(a));
  const [isWhole, setIsWhole] = useState(false);
  const shown = useShown(sorted, isWhole);
  const columns = weeks.flatMap((_week, index) => (isPast === index < current ? [index] : []));
  if (areas.length === 0) return <Nothing />;
  return (
    <>
      <AnswerLine areas={sorted.filter((area) => next(area) >= 0)} next={next} />
      <p className="caption">{t('occupancyHint')}</p>
      <div className={style.areas}>
        {shown.map((area) => (
          <AreaCard
            key={area.area ?? ''}
            area={area}
            weeks={columns.map((index) => ({
              monday: weeks[index] ?? '',
              isNow: index === current,
              booked: area.booked[index] ?? null,
            }))}
          />
        ))}
      </div>
      {shown.length < areas.length && (
        <Button block onClick={() => setIsWhole(true)}>
          {t('statementShowAll')}
        </Button>
      )}
    </>
  );
}

function Nothing() {
  const { t } = useTranslation('campaigns');
  const { t: devices } = useTranslation('devices');
  return (
    <EmptyState
      title={t('occupancyEmpty')}
      hint={t('occupancyEmptyHint')}
      action={<ButtonLink to="/mac">{devices('title')}</ButtonLink>}
    />
  );
}

/** Shares to a tenth of a percent: a single campaign takes less than one percent of many screens. */
function useShare(): (share: number) => string {
  const { i18n } = useTranslation();
  const format = numberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  return (share) => format.format(share);
}

/** The fullest area next week, and the one with the most room. */
function AnswerLine({ areas, next }: { areas: readonly Area[]; next: (area: Area) => number }) {
  const { t } = useTranslation('campaigns');
  const share = useShare();
  const [fullest, emptiest] = [areas[0], areas.at(-1)];
  if (!fullest || !emptiest) return null;
  const nameOf = ({ area }: Area) => isolated(area ?? t('statementNoArea'));
  const isFull = next(fullest) >= NEARLY_FULL;
  const words = {
    ...{ area: nameOf(fullest), booked: share(next(fullest)) },
    ...{ other: nameOf(emptiest), free: share(Math.max(1 - next(emptiest), 0)) },
  };
  return (
    <Notice tone={isFull ? 'bad' : 'good'} icon={isFull ? <FailIcon /> : <CheckIcon />} role="status">
      {t(areas.length > 1 ? 'occupancyAnswer' : 'occupancyOne', words)}
    </Notice>
  );
}

interface AreaCardProps {
  area: Area;
  weeks: readonly { monday: string; isNow: boolean; booked: number | null }[];
}

function AreaCard({ area: { area, devices, bottleneck }, weeks }: AreaCardProps) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { number, shortDate } = useFormat();
  const share = useShare();
  const query = area === null ? undefined : `area=${encodeURIComponent(area)}`;
  return (
    <Card
      title={isolated(area ?? t('statementNoArea'))}
      action={<span className="caption">{t('screensOf', { n: number(devices) })}</span>}
    >
      <ol className={style.weeks} aria-label={t('occupancyHint')}>
        {weeks.map(({ monday, isNow, booked }) => (
          <li key={monday} data-level={levelOf(booked === null ? null : Math.max(1 - booked, 0))}>
            <span>{isNow ? t('thisWeek') : shortDate(monday)}</span>
            <strong>{booked === null ? '–' : share(booked)}</strong>
          </li>
        ))}
      </ol>
      {bottleneck && (
        <p className={`caption ${style.fullest}`}>
          {t('fullestScreen')}:{' '}
          <Link to={`/mac/${bottleneck.device.id}`}>
            <bdi>
              <DeviceLabel device={bottleneck.device} />
            </bdi>
          </Link>{' '}
          · {t('freeShare', { share: share(bottleneck.free) })}
        </p>
      )}
      {query === undefined ? (
        <p className="caption">{t('occupancyEmptyHint')}</p>
      ) : (
        <div className={style.buttons}>
          <ButtonLink small to={`/mac?${query}`} icon={<ScreenIcon />}>
            {common('barDevices')}
          </ButtonLink>
          <ButtonLink small to={`/campaigns/new?${query}`} icon={<PlusIcon />}>
            {common('newCampaign')}
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}
