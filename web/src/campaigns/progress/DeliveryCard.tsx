import type { BehindReason, Campaign, CampaignDelivery } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { deliveryQuery } from '../../queries/campaigns.ts';
import { Chart } from '../../ui/chart/Chart.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { ErrorState } from '../../ui/feedback/States.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { DeviceLabel } from '../../ui/layout/DeviceLabel.tsx';
import { Card, Facts } from '../../ui/layout/Page.tsx';
import style from './progress.module.css';

const REASONS = {
  offline: 'behindOffline',
  expired: 'behindExpired',
  failed: 'behindFailed',
  late: 'behindLate',
} as const satisfies Record<BehindReason, string>;

/** What a campaign has delivered day by day against its plan, its forecast, and the devices behind. */
export function DeliveryCard({ campaign: { id } }: { campaign: Campaign }) {
  const query = useQuery(deliveryQuery(id));
  if (query.error) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) return <Skeleton height={360} />;
  return (
    <>
      <Days delivery={query.data} />
      {query.data.behind.devices > 0 && <Behind behind={query.data.behind} />}
    </>
  );
}

function Days({ delivery }: { delivery: CampaignDelivery }) {
  const { t } = useTranslation('campaigns');
  const { number } = useFormat();
  const { days, delivered, due, forecast, makeGoods } = delivery;
  return (
    <Card title={t('delivery')}>
      <Chart
        points={days.map((each) => [each.day, each.delivered])}
        plan={{ counts: days.map((each) => each.due), text: (plays) => t('planned', { plays: number(plays) }) }}
        kind="days"
        label={t('byDay')}
      />
      <Facts
        rows={[
          [t('delivered'), number(delivered)],
          [t('due'), number(due)],
          [t('forecast'), number(forecast)],
          [t('makeGoods'), makeGoods > 0 ? number(makeGoods) : null],
        ]}
      />
    </Card>
  );
}

function Behind({ behind: { devices, plays, named } }: Pick<CampaignDelivery, 'behind'>) {
  const { t } = useTranslation('campaigns');
  const { number, dateTime } = useFormat();
  return (
    <Card title={t('behindTitle')}>
      <p className="caption">{t('behindSum', { devices: number(devices), plays: number(plays) })}</p>
      <ul className={style.behind}>
        {named.map(({ device, area, reason, lastSeenAt, plays: missing }) => (
          <li key={device.id}>
            <span>
              <Link to={`/mac/${device.id}`}>
                <DeviceLabel device={device} />
              </Link>
              <span>{t('behindMissing', { plays: number(missing) })}</span>
            </span>
            <span className="caption">
              {area !== null && (
                <>
                  <bdi>{area}</bdi> ·{' '}
                </>
              )}
              {t(REASONS[reason], { when: lastSeenAt === null ? '–' : dateTime(lastSeenAt) })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
