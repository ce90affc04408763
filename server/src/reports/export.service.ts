import {
  type PlaysFilter,
  type PlaysHistory,
  type PlaysRow,
  REPORT_ROWS_MAX,
  reportFileName,
  type ReportGroup,
} from '@ams/contract';
import type { Messages } from '@ams/contract/messages/en';
import type { Viewer } from '../platform/auth/auth.ts';
import { requireActor } from '../platform/auth/authority.ts';
import { atOneMoment } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidField } from '../platform/http/errors.ts';
import { type Cell, type SheetTime, writeCsv, writeXls } from '../platform/spreadsheets/spreadsheet.ts';
import { listPlays, SUBJECTS } from './reports.queries.ts';
import { historyOfPlays } from './reports.service.ts';

type Words = Messages['reports'];

interface ExportedReport {
  name: string;
  type: string;
  bytes: Buffer;
}

const MS_A_HOUR = 3_600_000;
const seconds = (ms: number): number => Math.round(ms / 1000);
const hours = (ms: number): number => Math.round((ms / MS_A_HOUR) * 100) / 100;

/**
 * A report as a spreadsheet. An .xls has its subject above the table and the sum below it; a .csv is the table
 * alone. Throws INVALID when there are more rows than a spreadsheet takes.
 */
export async function exportPlays(
  { db, sandbox }: Pick<Deps, 'db' | 'sandbox'>,
  viewer: Viewer,
  query: PlaysFilter & { group: ReportGroup; format: 'xls' | 'csv' },
  words: Words,
): Promise<ExportedReport> {
  // Devices report meanwhile: the total has to be the sum of the rows.
  const { about, rows } = await atOneMoment(db, async (trx) => {
    const actor = await requireActor(trx, viewer.id, { person: viewer.person });
    return {
      about: await historyOfPlays(trx, actor, query),
      rows: await listPlays(trx, actor, query, { limit: REPORT_ROWS_MAX + 1 }),
    };
  });
  if (rows.length > REPORT_ROWS_MAX) throw invalidField('to', 'report.rows');
  // Most ads have no QR code.
  const isScanned = Boolean(about.scans) && query.group !== 'file';
  const columns = { group: query.group, words, isScanned };
  const table = [headings(columns), ...rows.map((row) => cells(row, columns))];
  const name = `${reportFileName(about)}.${query.format}`;
  if (query.format === 'csv') return { name, type: 'text/csv; charset=utf-8', bytes: writeCsv(table) };
  const sheet = [...preface(about, words), [], ...table, total(about, columns)];
  return { name, type: 'application/vnd.ms-excel', bytes: await writeXls(sandbox, [{ name: 'plays', rows: sheet }]) };
}

function preface(about: PlaysHistory, words: Words): Cell[][] {
  const subjects = SUBJECTS.flatMap((name): Cell[][] => (about[name] === null ? [] : [[words[name], about[name]]]));
  return [[words.title, `${about.from} – ${about.to}`], ...subjects, [words.timeZone, about.timeZones.join(', ')]];
}

interface Columns {
  group: ReportGroup;
  words: Words;
  isScanned: boolean;
}

const headings = ({ group, words, isScanned }: Columns): Cell[] => [
  words[group],
  ...(group === 'device' ? ['MAC'] : []),
  words.plays,
  words.seconds,
  words.hours,
  ...(isScanned ? [words.scans] : []),
];

const cells = (row: PlaysRow, { group, words, isScanned }: Columns): (Cell | SheetTime)[] => [
  label(row, group, words),
  ...(group === 'device' ? [row.mac] : []),
  row.plays,
  seconds(row.durationMs),
  hours(row.durationMs),
  ...(isScanned ? [row.scans] : []),
];

function label({ id, name }: PlaysRow, group: ReportGroup, words: Words): string | SheetTime {
  if (group === 'day') return { at: id };
  if (group === 'hour') return { at: `${id.replace('T', ' ')}:00` };
  return name ?? words.foreign;
}

const total = (about: PlaysHistory, { group, words, isScanned }: Columns): Cell[] => [
  words.total,
  ...(group === 'device' ? [''] : []),
  about.plays,
  seconds(about.durationMs),
  hours(about.durationMs),
  ...(isScanned ? [about.scans] : []),
];
