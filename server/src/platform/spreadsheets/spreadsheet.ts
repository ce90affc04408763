import { AppError, type Language, neutralText, SHEET_MAX_ROWS } from '@ams/contract';
import type { Cell, Money, ReadRow, ReadSheet, Sheet, SheetTime, WrittenCell } from '../sandbox/answers.ts';
import { parseContent } from '../sandbox/parse-content.ts';
import { sha256Of } from '../sandbox/unparsable.ts';
import type { Deps } from '../process/deps.ts';
import type { AppSandbox } from '../sandbox/open.ts';
import type { SentFile } from '../http/body-file.ts';

export type { Cell, Money, ReadRow, ReadSheet, Sheet, SheetTime, WrittenCell };

/** Sheets as a true .xls file (BIFF8). 20,000 rows take seconds. */
export async function writeXls(sandbox: AppSandbox, sheets: Sheet[]): Promise<Buffer> {
  const neutral = sheets.map(({ name, rows }) => ({ name, rows: rows.map((row) => row.map(neutralCell)) }));
  return Buffer.from(await sandbox.run('writeXls', { sheets: neutral }));
}

/**
 * A table of any length as sheets of as many rows as an import takes, at least one: writing takes longer with the square
 * of the rows. From the second sheet on `name` has a number.
 */
export const sheetsOf = (name: string, heads: Cell[], rows: readonly WrittenCell[][]): Sheet[] =>
  Array.from({ length: Math.max(1, Math.ceil(rows.length / SHEET_MAX_ROWS)) }, (_, index) => ({
    name: index === 0 ? name : `${name} ${index + 1}`,
    rows: [heads, ...rows.slice(index * SHEET_MAX_ROWS, (index + 1) * SHEET_MAX_ROWS)],
  }));

const neutralCell = <T extends WrittenCell>(cell: T): T | string =>
  typeof cell === 'string' ? neutralText(cell) : cell;

/**
 * The sheets of an .xls, .xlsx, .ods or .csv file with at most `maxRows` rows each; its content decides which it is,
 * and formulas are what they last came to. Throws the errors of the catalogue for other files.
 */
export async function readSheets(
  deps: Pick<Deps, 'db' | 'processId' | 'sandbox'>,
  { name, bytes }: SentFile,
  { formats, ...rest }: { formats: readonly string[]; language: Language; maxRows: number },
): Promise<ReadSheet[]> {
  const extension = /\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? '';
  const answer = await parseContent(deps, 'readSheets', sha256Of(bytes), { bytes, extension, ...rest });
  if (!answer) throw new AppError('SPREADSHEET_HEAVY');
  if (answer.kind === 'sheets') return answer.sheets;
  throw new AppError(answer.error, answer.error === 'UNSUPPORTED_FORMAT' ? { t: formats.join(', ') } : undefined);
}

/** Rows as comma-separated values (RFC 4180) in UTF-8, marked as such for spreadsheet programs. */
export const writeCsv = (rows: (Cell | SheetTime)[][]): Buffer =>
  Buffer.from(`\uFEFF${rows.map((row) => `${row.map((cell) => csvCell(neutralCell(cell))).join(',')}\r\n`).join('')}`);

const csvCell = (cell: Cell | SheetTime): string => {
  const text = typeof cell === 'object' && cell !== null ? cell.at : String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
