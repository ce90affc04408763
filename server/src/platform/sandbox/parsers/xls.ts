import { utils, write } from '@e965/xlsx';
import type { Cell, Sheet } from '../answers.ts';

const WIDTH_MIN = 10;
const WIDTH_MAX = 60;
/** Column widths follow the first rows. */
const MEASURED_ROWS = 200;

const widthsOf = (rows: Cell[][]) =>
  (rows[0] ?? []).map((_, column) => {
    const lengths = rows.slice(0, MEASURED_ROWS).map((row) => String(row[column] ?? '').length);
    return { wch: Math.min(Math.max(...lengths, WIDTH_MIN) + 1, WIDTH_MAX) };
  });

/** Sheets as an .xls file. */
export async function writeXls(sheets: Sheet[]): Promise<Uint8Array> {
  const book = utils.book_new();
  for (const { name, rows } of sheets) {
    const sheet = utils.aoa_to_sheet(rows, { dense: true });
    sheet['!cols'] = widthsOf(rows);
    utils.book_append_sheet(book, sheet, name);
  }
  const bytes: Uint8Array = write(book, { bookType: 'biff8', type: 'buffer' });
  return bytes;
}
