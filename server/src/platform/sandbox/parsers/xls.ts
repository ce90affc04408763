import { type CellObject, utils, write } from '@e965/xlsx';
import type { Cell, Money, Sheet } from '../answers.ts';

const WIDTH_MIN = 10;
const WIDTH_MAX = 60;
/** Column widths follow the first rows, and the last one: it may hold the totals. */
const MEASURED_ROWS = 200;

const isMoney = (cell: Cell | Money | undefined): cell is Money => typeof cell === 'object' && cell !== null;

const textOf = (cell: Cell | Money | undefined): string =>
  isMoney(cell) ? cell.amount.toFixed(cell.decimals) : String(cell ?? '');

/** Characters of the width of a digit; one of Chinese, Japanese or Korean takes two. */
const lengthOf = (text: string): number =>
  text.length + (text.match(/[\u2e80-\ud7a3\uf900-\ufaff\uff01-\uff60]/g)?.length ?? 0);

/** Programs show number signs instead of a number that is wider than its column. */
function widthsOf(rows: Sheet['rows']): { wch: number }[] {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const widths = Array.from({ length: columns }, () => WIDTH_MIN);
  for (const row of [...rows.slice(0, MEASURED_ROWS), ...rows.slice(-1)]) {
    row.forEach((cell, column) => {
      // A text with nothing behind it runs on over the next columns.
      if (typeof cell === 'string' && column === row.length - 1 && row.length < columns) return;
      widths[column] = Math.max(widths[column] ?? 0, lengthOf(textOf(cell)));
    });
  }
  return widths.map((width) => ({ wch: Math.min(width + 1, WIDTH_MAX) }));
}

const cellOf = (cell: Cell | Money): Cell | CellObject =>
  isMoney(cell) ? { t: 'n', v: cell.amount, z: (0).toFixed(cell.decimals) } : cell;

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
