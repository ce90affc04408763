import { type CellObject, utils, write } from '@e965/xlsx';
import type { Sheet, WrittenCell } from '../answers.ts';

const WIDTH_MIN = 10;
const WIDTH_MAX = 60;
/** Column widths follow the first rows, and the last one: it may hold the totals. */
const MEASURED_ROWS = 200;

function textOf(cell: WrittenCell | undefined): string {
  if (typeof cell !== 'object' || cell === null) return String(cell ?? '');
  return 'at' in cell ? cell.at : cell.amount.toFixed(cell.decimals);
}

/** Characters of the width of a digit; one of Chinese, Japanese or Korean takes two. */
const lengthOf = (text: string): number =>
  text.length + (text.match(/[\u2e80-\ud7a3\uf900-\ufaff\uff01-\uff60]/g)?.length ?? 0);

/** Programs show number signs instead of a number that is wider than its column. */
function widthsOf(rows: Sheet['rows']): { wch: number }[] {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const widths = Array.from({ length: columns }, () => WIDTH_MIN);
  for (const row of [...rows.slice(0, MEASURED_ROWS), ...rows.slice(-1)]) {
    row.forEach((cell, column) => {
      // A title or a note runs on over the next columns; a name in the other direction than its sheet would not.
      if (typeof cell === 'string' && row.length === 1 && columns > 1) return;
      widths[column] = Math.max(widths[column] ?? 0, lengthOf(textOf(cell)));
    });
  }
  return widths.map((width) => ({ wch: Math.min(width + 1, WIDTH_MAX) }));
}

const DAY_MS = 86_400_000;
const DAY_0 = Date.UTC(1899, 11, 30);
const DATE_LENGTH = 10;
/** Programs count 29 February 1900, which was none: they disagree about the days before. */
const FIRST_DAY = '1900-03-01';

function cellOf(cell: WrittenCell): string | number | null | CellObject {
  if (typeof cell !== 'object' || cell === null) return cell;
  if ('amount' in cell) return { t: 'n', v: cell.amount, z: (0).toFixed(cell.decimals) };
  if (cell.at < FIRST_DAY) return cell.at;
  const z = cell.at.length > DATE_LENGTH ? 'yyyy-mm-dd hh:mm' : 'yyyy-mm-dd';
  const [day, time = '00:00'] = cell.at.split(' ');
  return { t: 'n', v: (Date.parse(`${day}T${time}Z`) - DAY_0) / DAY_MS, z };
}

/** Whether its first heading is written from right to left: the columns then begin on the right. */
const isRightToLeft = ([first]: Sheet[]): boolean => /\p{Script=Arabic}/u.test(textOf(first?.rows[0]?.[0]));

/**
 * Runs `work` with slices of buffers that are copies where they use less than half of their memory. The library begins
 * a block of 16 KiB for the head of every cell and keeps the four bytes of it that it needs: 4 GB for 20,000 rows of 13
 * columns.
 */
function withTightSlices<T>(work: () => T): T {
  const { subarray } = Buffer.prototype;
  const slice = Object.getOwnPropertyDescriptor(Buffer.prototype, 'slice') ?? {};
  const tight = function (this: Buffer, from?: number, to?: number): Buffer {
    const part = subarray.call(this, from, to);
    return part.length * 2 < this.length ? Buffer.from(part) : part;
  };
  Object.defineProperty(Buffer.prototype, 'slice', { ...slice, value: tight });
  try {
    return work();
  } finally {
    Object.defineProperty(Buffer.prototype, 'slice', slice);
  }
}

/** Sheets as an .xls file. */
export async function writeXls(sheets: Sheet[]): Promise<Uint8Array> {
  const book = { ...utils.book_new(), Workbook: { Views: [{ RTL: isRightToLeft(sheets) }] } };
  for (const { name, rows } of sheets) {
    const sheet = utils.aoa_to_sheet(
      rows.map((row) => row.map(cellOf)),
      { dense: true },
    );
    sheet['!cols'] = widthsOf(rows);
    utils.book_append_sheet(book, sheet, name);
  }
  const bytes: Uint8Array = withTightSlices(() => write(book, { bookType: 'biff8', type: 'buffer' }));
  return bytes;
}
