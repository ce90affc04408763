import { type GapReason, type Statement, type StatementFigures, statementFileName } from '@ams/contract';
import type { Messages } from '@ams/contract/messages/en';
import type { Deps } from '../platform/process/deps.ts';
import {
  type Cell,
  type Money,
  type Sheet,
  sheetsOf,
  type WrittenCell,
  writeXls,
} from '../platform/spreadsheets/spreadsheet.ts';

type Words = Pick<Messages, 'statements' | 'reports'>;

const MS_A_HOUR = 3_600_000;
/** Digits that a number of a spreadsheet keeps. */
const EXACT_DIGITS = 15;

const hours = (ms: number): number => Math.round((ms / MS_A_HOUR) * 100) / 100;

/** An amount as a number to calculate with, or as a text if a number would lose digits. */
export const moneyCell = (amount: string): Cell | Money =>
  amount.replace(/\D/g, '').length <= EXACT_DIGITS
    ? { amount: Number(amount), decimals: amount.split('.')[1]?.length ?? 0 }
    : amount;

export const GAP_TEXT = {
  left: 'gapLeft',
  dark: 'gapDark',
  failed: 'gapFailed',
  offline: 'gapOffline',
  replanned: 'gapReplanned',
  unknown: 'gapUnknown',
} as const satisfies Record<GapReason, keyof Messages['statements']>;

/** A statement as an .xls file with a sheet for each view; each ends with the same totals. */
export async function exportStatement(
  { sandbox }: Pick<Deps, 'sandbox'>,
  statement: Statement,
  words: Words,
): Promise<{ name: string; type: string; bytes: Buffer }> {
  const sheets = [
    summary(statement, words),
    byDay(statement, words),
    byArea(statement, words),
    ...byDevice(statement, words),
    byCreative(statement, words),
  ];
  return {
    name: `${statementFileName(statement)}.xls`,
    type: 'application/vnd.ms-excel',
    bytes: await writeXls(sandbox, sheets),
  };
}

const priceOf = ({ price: { kind, amount, currency } }: Statement, { statements }: Words): string =>
  statements[kind].replace('{{amount}}', `${amount} ${currency}`);

/** An instant of the API as '2026-11-28 16:20 UTC'. */
const momentOf = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

function summary(statement: Statement, words: Words): Sheet {
  const { statements, reports } = words;
  const { campaign, from, to, currency, lines, amount, price, createdAt } = statement;
  const isFixed = price.kind === 'fixed';
  return {
    name: statements.title,
    rows: [
      [statements.title],
      [statements.campaign, campaign.name],
      [statements.customer, campaign.customer],
      [statements.period, `${from} – ${to}`],
      [statements.asOf.replace('{{time}}', momentOf(createdAt))],
      [reports.timeZone, statement.timeZones.join(', ')],
      [],
      [statements.ordered, statement.ordered],
      [statements.due, statement.due],
      [statements.delivered, statement.delivered],
      [reports.hours, hours(statement.durationMs)],
      [statements.missed, statement.missed],
      [statements.makeGoods, statement.makeGoods],
      ...(statement.scans === null ? [] : [[statements.scans, statement.scans]]),
      [],
      [statements.gaps],
      [statements.reason, reports.plays],
      ...statement.gaps.map(({ reason, plays }): Cell[] => [statements[GAP_TEXT[reason]], plays]),
      [],
      [statements.price, priceOf(statement, words)],
      [
        statements.period,
        statements.delivered,
        isFixed ? statements.chargedDays : statements.charged,
        `${statements.amount} (${currency})`,
      ],
      ...lines.map((line) => [
        `${line.from} – ${line.to}`,
        line.plays,
        isFixed ? line.days : line.charged,
        moneyCell(line.amount),
      ]),
      [reports.total, statement.delivered, null, moneyCell(amount)],
      [statements.rounding],
    ],
  };
}

const heads = ({ statements, reports }: Words): Cell[] => [
  statements.ordered,
  statements.due,
  statements.delivered,
  reports.hours,
];

const figures = ({ ordered, due, delivered, durationMs }: StatementFigures): Cell[] => [
  ordered,
  due,
  delivered,
  hours(durationMs),
];

const byDay = (statement: Statement, words: Words): Sheet => {
  const scans = (count: number | null): Cell[] => (statement.scans === null ? [] : [count]);
  return {
    name: words.reports.day,
    rows: [
      [words.reports.day, ...heads(words), ...(statement.scans === null ? [] : [words.statements.scans])],
      ...statement.days.map((row): WrittenCell[] => [{ at: row.day }, ...figures(row), ...scans(row.scans)]),
      [words.reports.total, ...figures(statement), ...scans(statement.scans)],
    ],
  };
};

const byArea = (statement: Statement, words: Words): Sheet => {
  const { statements, reports } = words;
  return {
    name: statements.area,
    rows: [
      [statements.area, reports.device, ...heads(words), statements.missed],
      ...statement.areas.map((row): Cell[] => [
        row.area ?? statements.noArea,
        row.devices,
        ...figures(row),
        row.missed,
      ]),
      [reports.total, statement.devices.length, ...figures(statement), statement.missed],
    ],
  };
};

function byDevice(statement: Statement, words: Words): Sheet[] {
  const { statements, reports } = words;
  const head = [reports.device, 'MAC', statements.area, ...heads(words), statements.missed, statements.reason];
  const rows = statement.devices.map((row): Cell[] => [
    row.name || (row.mac === null ? statements.aScreen : ''),
    row.mac,
    row.area ?? statements.noArea,
    ...figures(row),
    row.missed,
    row.gaps.map(({ reason, plays }) => `${statements[GAP_TEXT[reason]]}: ${plays}`).join('; '),
  ]);
  const total: Cell[] = [reports.total, null, null, ...figures(statement), statement.missed];
  return sheetsOf(reports.device, head, [...rows, total]);
}

const byCreative = (statement: Statement, words: Words): Sheet => {
  const { statements, reports } = words;
  return {
    name: reports.ad,
    rows: [
      [reports.ad, statements.ordered, statements.delivered, reports.hours],
      ...statement.creatives.map((row): Cell[] => [row.name, row.ordered, row.delivered, hours(row.durationMs)]),
      [reports.total, statement.ordered, statement.delivered, hours(statement.durationMs)],
    ],
  };
};
