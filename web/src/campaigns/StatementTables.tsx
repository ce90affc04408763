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
import { Button } from '../ui/layout/Button.tsx';
import { DeviceLabel } from '../ui/layout/DeviceLabel.tsx';
import { Card } from '../ui/layout/Page.tsx';
import style from './statement.module.css';
import { useFlightDays } from './words.ts';

/** Rows of a table until all are asked for. */
const ROWS_SHOWN = 50;

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

interface TableProps extends Pick<StatementTablesProps, 'isWhole' | 'onWhole'> {
  title: string;
  /** The first ones are texts, the others numbers. */
  headings: readonly string[];
  texts?: number;
  rows: readonly (readonly [key: string, cells: readonly ReactNode[]])[];
  total: readonly ReactNode[];
}

function Table({ title, headings, texts = 1, rows, total, isWhole, onWhole }: TableProps) {
  const { t } = useTranslation('campaigns');
  const classOf = (index: number) => (index < texts ? undefined : style.number);
  const shown = isWhole ? rows : rows.slice(0, ROWS_SHOWN);
  return (
    <Card title={title}>
      {/* Scrolls by itself, so it must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={style.scroll} role="region" aria-label={title} tabIndex={0}>
        <table className={style.table}>
          <thead>
            <tr>
              {headings.map((heading, index) => (
                <th key={heading} scope="col" className={classOf(index)}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([key, cells]) => (
              <tr key={key}>
                {cells.map((cell, index) => (
                  <td key={headings[index]} className={classOf(index)}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              {total.map((cell, index) => (
                <td key={headings[index]} className={classOf(index)}>
                  {cell}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      {shown.length < rows.length && (
        <div className={style.screenOnly}>
          <Button small onClick={onWhole}>
            {t('statementShowAll')}
          </Button>
        </div>
      )}
    </Card>
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
    <Table
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
      total={[t('statementTotal'), number(delivered), '', money(amount)]}
    />
  );
}

function Gaps({ statement: { gaps, missed }, ...shown }: StatementTablesProps) {
  const { t } = useTranslation('campaigns');
  const { number } = useFormat();
  return (
    <Table
      {...shown}
      title={t('statementGaps')}
      headings={[t('statementReason'), t('statementMissed')]}
      rows={gaps.map(({ reason, plays }) => [reason, [t(GAP_TEXT[reason]), number(plays)]])}
      total={[t('statementTotal'), number(missed)]}
    />
  );
}

function Views({ statement, ...shown }: StatementTablesProps) {
  const { t } = useTranslation('campaigns');
  const { t: reports } = useTranslation('reports');
  const { number, total, date } = useFormat();
  const figures = ({ ordered, delivered, durationMs }: Omit<StatementFigures, 'due'>): ReactNode[] => [
    number(ordered),
    number(delivered),
    total(durationMs),
  ];
  const heads = [t('statementOrdered'), t('statementDelivered'), reports('onScreen')];
  const sums = [t('statementTotal'), ...figures(statement)];
  return (
    <>
      <Table
        {...shown}
        title={reports('day')}
        headings={[reports('day'), ...heads]}
        rows={statement.days.map((row) => [row.day, [date(row.day), ...figures(row)]])}
        total={sums}
      />
      <Table
        {...shown}
        title={t('statementArea')}
        headings={[t('statementArea'), ...heads]}
        rows={statement.areas.map((row) => [
          row.area ?? '',
          [<bdi key="area">{row.area ?? t('statementNoArea')}</bdi>, ...figures(row)],
        ])}
        total={sums}
      />
      <Table
        {...shown}
        title={reports('ad')}
        headings={[reports('ad'), ...heads]}
        rows={statement.creatives.map((row, index) => [
          `${index}`,
          [<bdi key="ad">{row.name || t('adDeleted')}</bdi>, ...figures(row)],
        ])}
        total={sums}
      />
      <Table
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
        total={[t('statementTotal'), '', '', ...figures(statement)]}
      />
    </>
  );
}

function Device({ device: { name, mac } }: { device: StatementDevice }) {
  const { t } = useTranslation('campaigns');
  return mac === null ? <bdi>{name || t('aScreen')}</bdi> : <DeviceLabel device={{ name, mac }} />;
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
