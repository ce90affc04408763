import { formatMoney, type Revenue, revenueFileName } from '@ams/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { download } from '../../platform/api.ts';
import { useLive } from '../../platform/live.ts';
import { useSession } from '../../platform/session.ts';
import { refreshCampaigns, revenueAddress, revenueQuery } from '../../queries/campaigns.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { EmptyState, ErrorState } from '../../ui/feedback/States.tsx';
import { useFormat } from '../../ui/format/format.ts';
import { oneOf, useAddressFilter } from '../../ui/layout/address.ts';
import { Button, ButtonLink } from '../../ui/layout/Button.tsx';
import { CheckIcon, FailIcon, PlusIcon, TableIcon } from '../../ui/layout/icons.ts';
import { Card, Page } from '../../ui/layout/Page.tsx';
import { Chips } from '../../ui/list/Chips.tsx';
import campaigns from '../campaigns.module.css';
import { usePrinting } from '../../ui/layout/printing.ts';
import { useShown } from '../shown.ts';
import style from '../statement.module.css';
import { SumTable } from '../SumTable.tsx';

const MONTHS = ['6', '12', '24'] as const;
/** As many as a table has room for on A4. */
const MONTHS_ON_PAPER = 6;
/** Of a customer's campaigns that are behind plan. */
const NAMED = 5;

/** `/revenue`: what this month has given so far, who is behind, and amounts by month and customer. */
export default function RevenuePage() {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { t: reports } = useTranslation('reports');
  const { leading } = useSession();
  const { number } = useFormat();
  const address = useAddressFilter(['months']);
  const months = oneOf(MONTHS, address.values.months) ?? MONTHS[0];
  const revenue = useQuery(revenueQuery(Number(months)));
  useLive('campaign', (ids) => void refreshCampaigns(ids));
  return (
    <Page
      title={common(leading ? 'revenue' : 'costs')}
      back="/campaigns"
      bar={
        <Chips
          label={t('revenueByMonth')}
          value={months}
          options={MONTHS.map((value) => ({ value, label: t('revenueMonths', { n: number(Number(value)) }) }))}
          onChange={(next) => address.set({ months: next })}
        />
      }
    >
      {revenue.data ? (
        <Amounts revenue={revenue.data}>
          <Button
            small
            icon={<TableIcon />}
            disabled={revenue.isPlaceholderData}
            onClick={() => download(revenueAddress(Number(months)), `${revenueFileName(revenue.data)}.xls`)}
          >
            {reports('export', { format: '.xls' })}
          </Button>
        </Amounts>
      ) : revenue.error ? (
        <ErrorState error={revenue.error} onRetry={() => revenue.refetch()} />
      ) : (
        <Skeleton height={420} />
      )}
    </Page>
  );
}

/** The amounts, with the button that exports them; what to do where nothing has been booked, now or in these months. */
function Amounts({ revenue, children }: { revenue: Revenue; children: ReactNode }) {
  const { now, rows } = revenue;
  if (now.sums.length === 0 && rows.length === 0) return <Nothing revenue={revenue} />;
  return (
    <div className={style.statement}>
      <ThisMonth revenue={revenue} />
      <Behind revenue={revenue} />
      {rows.length > 0 && (
        <>
          <ByMonth revenue={revenue} />
          <div className={`${style.exports} ${style.screenOnly}`}>{children}</div>
        </>
      )}
    </div>
  );
}

function Nothing({ revenue: { now } }: { revenue: Revenue }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const { month } = useFormat();
  return (
    <EmptyState
      title={t('revenueNone', { month: month(`${now.month}-01`) })}
      hint={t('emptyHint')}
      action={
        <ButtonLink to="/campaigns/new" look="primary" icon={<PlusIcon />}>
          {common('newCampaign')}
        </ButtonLink>
      }
    />
  );
}

/** Delivered and ordered amounts of this month, each currency by itself. */
function ThisMonth({ revenue: { now } }: { revenue: Revenue }) {
  const { t, i18n } = useTranslation('campaigns');
  const { month } = useFormat();
  const name = month(`${now.month}-01`);
  if (now.sums.length === 0) return <Notice tone="primary">{t('revenueNone', { month: name })}</Notice>;
  return (
    <Card>
      {now.sums.map(({ currency, delivered, ordered }) => (
        <dl key={currency} className={style.sums}>
          <div>
            <dt>{t('revenueSoFar', { month: name })}</dt>
            <dd data-testid={`delivered-${currency}`}>
              <bdi>{formatMoney(i18n.language, delivered, currency)}</bdi>
            </dd>
          </div>
          <div>
            <dt>{t('revenueOrdered')}</dt>
            <dd data-testid={`ordered-${currency}`}>
              <bdi>{formatMoney(i18n.language, ordered, currency)}</bdi>
            </dd>
          </div>
        </dl>
      ))}
    </Card>
  );
}

/** Customers whose campaigns lag behind, each with the way to what is to be done; nothing while no campaign runs. */
function Behind({ revenue: { behind, now } }: { revenue: Revenue }) {
  const { t } = useTranslation('campaigns');
  const { number, list } = useFormat();
  const [isWhole, setIsWhole] = useState(false);
  const shown = useShown(behind, isWhole);
  if (behind.length === 0) {
    if (now.sums.length === 0) return null;
    return (
      <Notice tone="good" icon={<CheckIcon />}>
        {t('revenueEven')}
      </Notice>
    );
  }
  return (
    <Card title={t('revenueBehind')}>
      <Notice tone="warning" icon={<FailIcon />} role="status">
        {t('revenueBehindHint')}
      </Notice>
      <ul className={campaigns.bottlenecks}>
        {shown.map(({ customer, missing, campaigns: late }) => (
          <li key={customer.id}>
            <Link
              to={late.length === 1 ? `/campaigns/${late[0]?.id}` : `/campaigns?customer=${customer.id}&state=booked`}
            >
              <bdi>{customer.username}</bdi>:{' '}
              <bdi>
                {list(
                  late.map(({ name }) => name),
                  NAMED,
                )}
              </bdi>
            </Link>
            <span>{t('behindMissing', { plays: number(missing) })}</span>
          </li>
        ))}
      </ul>
      {shown.length < behind.length && (
        <div className={style.screenOnly}>
          <Button small onClick={() => setIsWhole(true)}>
            {t('statementShowAll')}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** Months from the newest on, and a total for each currency. */
function ByMonth({ revenue: { months, rows, totals } }: { revenue: Revenue }) {
  const { t, i18n } = useTranslation('campaigns');
  const { month } = useFormat();
  const [isWhole, setIsWhole] = useState(false);
  const isPrinting = usePrinting();
  const money = (amounts: readonly string[], currency: string) =>
    amounts.map((amount) =>
      Number(amount) === 0 ? '–' : <bdi key="amount">{formatMoney(i18n.language, amount, currency)}</bdi>,
    );
  const size = isPrinting ? MONTHS_ON_PAPER : months.length;
  const starts = months.flatMap((_month, index) => (index % size === 0 ? [index] : []));
  const partOf = <T,>(of: readonly T[], start: number): T[] => of.toReversed().slice(start, start + size);
  const cells = ({ currency, amounts, amount }: Revenue['totals'][number], start: number) =>
    money([amount, ...partOf(amounts, start)], currency);
  return (
    <>
      {starts.map((start) => (
        <SumTable
          key={start}
          title={t('revenueByMonth')}
          isWhole={isWhole}
          onWhole={() => setIsWhole(true)}
          headings={[t('customer'), t('statementTotal'), ...partOf(months, start).map((each) => month(`${each}-01`))]}
          rows={rows.map((row) => [
            `${row.customer.id} ${row.currency}`,
            [
              <Link key="customer" to={`/campaigns?customer=${row.customer.id}`}>
                <bdi>{row.customer.username}</bdi>
              </Link>,
              ...cells(row, start),
            ],
          ])}
          totals={totals.map((sums) => [t('statementTotal'), ...cells(sums, start)])}
        />
      ))}
      <p className="caption">{t('revenueHint')}</p>
    </>
  );
}
