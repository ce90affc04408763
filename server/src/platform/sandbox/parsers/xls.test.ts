import { read } from '@e965/xlsx';
import { expect, test } from 'vitest';
import type { Sheet } from '../answers.ts';
import { writeXls } from './xls.ts';

const written = async (rows: Sheet['rows']) =>
  read(await writeXls([{ name: 'a', rows }]), { cellNF: true, cellStyles: true });

test.each([
  ['JPY', { amount: 1200, decimals: 0 }, '1200'],
  ['EUR', { amount: 12.5, decimals: 2 }, '12.50'],
  ['KWD', { amount: 0.125, decimals: 3 }, '0.125'],
])('an amount in %s is a number that shows all its decimals', async (_, money, shown) => {
  const { Sheets } = await written([['Amount'], [money]]);
  expect(Sheets.a?.A2).toMatchObject({ t: 'n', v: money.amount, w: shown });
});

test('a sheet whose headings are Arabic begins on the right', async () => {
  const views = async (heading: string) => (await written([[heading, 1]])).Workbook?.Views?.[0]?.RTL ?? false;
  expect(await views('كشف الحساب')).toBe(true);
  expect(await views('Statement')).toBe(false);
  expect(await views('对账单')).toBe(false);
});

test('every column is as wide as its widest cell, also below a title and with totals in the last row', async () => {
  const middle = Array.from({ length: 300 }, (): Sheet['rows'][number] => ['Lyon', 1, { amount: 1, decimals: 2 }]);
  const { Sheets } = await written([
    ['Statement of a campaign, a title longer than its column'],
    ['Campaign', 'Autumn in the city centre'],
    ['客户名称与很长的区域名称', 'Delivered', 'Amount (IDR)'],
    ...middle,
    ['Total', 1_234_567_890_123, { amount: 987_654_321_098.5, decimals: 2 }],
  ]);
  const widths = Sheets.a?.['!cols']?.map(({ wch }) => Math.round(wch ?? 0)) ?? [];
  expect(widths).toEqual([25, 26, 16]);
});

test.each([
  ['2027-01-31', 46_418, '2027-01-31'],
  ['2027-01-31 18:00', 46_418.75, '2027-01-31 18:00'],
  // Programs disagree about the days before March 1900.
  ['1900-02-28', '1900-02-28', undefined],
])('%s is a date to calculate with', async (at, value, shown) => {
  const { Sheets } = await written([['Day'], [{ at }]]);
  expect(Sheets.a?.A2?.v).toBe(value);
  if (shown) expect(Sheets.a?.A2).toMatchObject({ t: 'n', w: shown });
});
