import { formatMoney, latestDate, type Statement } from '@ams/contract';
import { useTranslation } from 'react-i18next';
import { Chart } from '../ui/chart/Chart.tsx';
import { useFormat } from '../ui/format/format.ts';
import { Card } from '../ui/layout/Page.tsx';
import style from './statement.module.css';
import { useCampaignWords, useFlightDays } from './words.ts';

const ZONES_SHOWN = 5;

/** Without the days to come. */
function begunDays({ days, createdAt, timeZones }: Statement): Statement['days'] {
  const today = latestDate(Date.parse(createdAt), timeZones);
  return days.filter(({ day, delivered }) => delivered > 0 || day <= today);
}

/** What a statement is about, its figures and their course. */
export function StatementSummary({ statement }: { statement: Statement }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { t: reports } = useTranslation('reports');
  const { list, dateTime } = useFormat();
  const { price } = useCampaignWords();
  const days = useFlightDays();
  const { campaign, delivered, timeZones } = statement;
  const zones = list(timeZones, ZONES_SHOWN);
  return (
    <Card>
      <p className={style.brand}>{common('appTitle')}</p>
      <h2 dir="auto">{campaign.name}</h2>
      <p>
        <bdi>{campaign.customer}</bdi> · <bdi>{days({ schedule: statement })}</bdi> ·{' '}
        <bdi>{price(statement.price)}</bdi>
      </p>
      <Figures statement={statement} />
      {delivered > 0 && (
        <Chart
          points={begunDays(statement).map(({ day, delivered: plays }) => [day, plays])}
          kind="days"
          timeZones={timeZones}
          label={reports('byDay')}
        />
      )}
      {timeZones.length > 0 && <p className="caption">{reports('zones', { zones: `\u2068${zones}\u2069` })}</p>}
      <p className="caption">{t('statementAsOf', { time: dateTime(statement.createdAt) })}</p>
      <p className="caption">{t('statementRounding')}</p>
    </Card>
  );
}

function Figures({ statement }: { statement: Statement }) {
  const { t, i18n } = useTranslation('campaigns');
  const { t: reports } = useTranslation('reports');
  const { t: releases } = useTranslation('releases');
  const { number, total } = useFormat();
  const figures = [
    ['ordered', t('statementOrdered'), number(statement.ordered)],
    ['due', t('statementDue'), number(statement.due)],
    ['delivered', t('statementDelivered'), number(statement.delivered)],
    ['makeGoods', t('statementMakeGoods'), number(statement.makeGoods)],
    ['time', reports('onScreen'), total(statement.durationMs)],
    ...(statement.scans === null ? [] : [['scans', releases('scans'), number(statement.scans)] as const]),
    ['amount', t('amount'), formatMoney(i18n.language, statement.amount, statement.currency)],
  ] as const;
  return (
    <dl className={style.sums}>
      {figures.map(([name, label, value]) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd data-testid={`statement-${name}`}>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
