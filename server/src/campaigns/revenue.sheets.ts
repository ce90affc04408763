import { type Revenue, revenueFileName } from '@ams/contract';
import type { Messages } from '@ams/contract/messages/en';
import type { Deps } from '../platform/process/deps.ts';
import { type Sheet, writeXls } from '../platform/spreadsheets/spreadsheet.ts';
import { moneyCell } from './statement.sheets.ts';

/** Amounts by month and customer as an .xls file, with a total for each currency. */
export async function exportRevenue(
  { sandbox }: Pick<Deps, 'sandbox'>,
  revenue: Revenue,
  { statements, reports }: Pick<Messages, 'statements' | 'reports'>,
): Promise<{ name: string; type: string; bytes: Buffer }> {
  const { from, to, months, rows, totals } = revenue;
  const cells = (amounts: readonly string[]): Sheet['rows'][number] => amounts.map(moneyCell);
  const sheet: Sheet['rows'] = [
    [statements.revenue],
    [statements.period, `${from} – ${to}`],
    [],
    [statements.customer, statements.currency, ...months, reports.total],
    ...rows.map(({ customer, currency, amounts, amount }) => [
      customer.username,
      currency,
      ...cells([...amounts, amount]),
    ]),
    ...totals.map(({ currency, amounts, amount }) => [reports.total, currency, ...cells([...amounts, amount])]),
    [statements.rounding],
  ];
  return {
    name: `${revenueFileName(revenue)}.xls`,
    type: 'application/vnd.ms-excel',
    bytes: await writeXls(sandbox, [{ name: statements.revenue, rows: sheet }]),
  };
}
