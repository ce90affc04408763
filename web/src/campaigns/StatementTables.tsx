import {
  formatMoney,
  type GapReason,
  type Statement,
  type StatementDevice,
  type StatementFigures,
} from '@ams/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../ui/format/format.ts';
import { DeviceLabel } from '../ui/layout/DeviceLabel.tsx';
import style from './statement.module.css';
import { SumTable } from './SumTable.tsx';
import { useFlightDays } from './words.ts';

const GAP_TEXT = {
  left: 'gapLeft',
  dark: 'gapDark',
  failed: 'gapFailed',
  offline: 'gapOffline',
  replanned: 'gapReplanned',
  unknown: 'gapUnknown',
} as const satisfies Record<GapReason, string>;

interface StatementTablesProps {
  statement: Statement;
  /** All rows are shown. */
  isWhole: boolean;
  onWhole: () => void;
}

/** The amount, the gaps, and the plays in four views with the same totals. */
export function StatementTables({ statement, ...shown }: StatementTablesProps) {
  return (
    <>
      <Charges statement={statement} {...shown} />
      {statement.gaps.length > 0 && <Gaps statement={statement} {...shown} />}
      <Views statement={statement} {...shown} />
    </>
  );
}

function Charges({ statement, ...shown }: StatementTablesProps) {
  const { t, i18n } = useTranslation('campaigns');
  const { number } = useFormat();
  const days = useFlightDays();
  const { lines, price, currency, amount, delivered } = statement;
  const isFixed = price.kind === 'fixed';
  const money = (value: string) => <bdi>{formatMoney(i18n.language, value, currency)}</bdi>;
  return (
    <SumTable
      {...shown}
      title={t('amount')}
      headings={[
        t('statementPeriod'),
        t('statementDelivered'),
        t(isFixed ? 'statementChargedDays' : 'statementCharged'),
        t('amount'),
      ]}
      rows={lines.map((line) => [
        line.from,
        [days({ schedule: line }), number(line.plays), number(isFixed ? line.days : line.charged), money(line.amount)],
      ])}
      totals={[[t('statementTotal'), number(delivered), '', money(amount)]]}
    />
  );
}

function Gaps({ statement: { gaps, missed }, ...shown }: StatementTablesProps) {
  const { t } = useTranslation('campaigns');
  const { number } = useFormat();
  return (
    <SumTable
      {...shown}
      title={t('statementGaps')}
      headings={[t('statementReason'), t('statementMissed')]}
      rows={gaps.map(({ reason, plays }) => [reason, [t(GAP_TEXT[reason]), number(plays)]])}
      totals={[[t('statementTotal'), number(missed)]]}
    />
  );
}

function Views({ statement, ...shown }: StatementTablesProps) {
  const { t } = useTranslation('campaigns');
  const { t: reports } = useTranslation('reports');
  const { t: releases } = useTranslation('releases');
  const { number, total, date } = useFormat();
  const figures = ({ ordered, delivered, durationMs }: Omit<StatementFigures, 'due'>): ReactNode[] => [
    number(ordered),
    number(delivered),
    total(durationMs),
  ];
  const hasCode = statement.scans !== null;
  const heads = [t('statementOrdered'), t('statementDelivered'), reports('onScreen')];
  const sums = [t('statementTotal'), ...figures(statement)];
  return (
    <>
      <SumTable
        {...shown}
        title={reports('day')}
        headings={[reports('day'), ...heads, ...(hasCode ? [releases('scans')] : [])]}
        rows={statement.days.map((row) => [
          row.day,
          [date(row.day), ...figures(row), ...(hasCode ? [number(row.scans)] : [])],
        ])}
        totals={[[...sums, ...(hasCode ? [number(statement.scans ?? 0)] : [])]]}
      />
      <SumTable
        {...shown}
        title={t('statementArea')}
        headings={[t('statementArea'), ...heads]}
        rows={statement.areas.map((row) => [
          row.area ?? '',
          [<bdi key="area">{row.area ?? t('statementNoArea')}</bdi>, ...figures(row)],
        ])}
        totals={[sums]}
      />
      <SumTable
        {...shown}
        title={reports('ad')}
        headings={[reports('ad'), ...heads]}
        rows={statement.creatives.map((row, index) => [
          `${index}`,
          [<bdi key="ad">{row.name || t('adDeleted')}</bdi>, ...figures(row)],
        ])}
        totals={[sums]}
      />
      <SumTable
        {...shown}
        title={t('screens')}
        texts={3}
        headings={[reports('device'), t('statementArea'), t('statementReason'), ...heads]}
        rows={statement.devices.map((row, index) => [
          `${index}`,
          [
            <Device key="device" device={row} />,
            <bdi key="area">{row.area ?? t('statementNoArea')}</bdi>,
            <Reasons key="reasons" gaps={row.gaps} />,
            ...figures(row),
          ],
        ])}
        totals={[[t('statementTotal'), '', '', ...figures(statement)]]}
      />
    </>
  );
}

function Device({ device: { name, mac } }: { device: StatementDevice }) {
  const { t } = useTranslation('campaigns');
  return <bdi>{mac === null ? name || t('aScreen') : <DeviceLabel device={{ name, mac }} />}</bdi>;
}

function Reasons({ gaps }: Pick<StatementDevice, 'gaps'>) {
  const { t } = useTranslation('campaigns');
  const { number } = useFormat();
  return gaps.map(({ reason, plays }) => (
    <span key={reason} className={style.reason}>
      {t(GAP_TEXT[reason])}: {number(plays)}
    </span>
  ));
}
